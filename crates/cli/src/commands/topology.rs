//! `bellwether topology`: facts about a network, or the network in another format.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use bellwether_world::formats::{self, Format};
use bellwether_world::{Facts, Network, Wires, Wiring};
use serde_json::json;

use crate::args::TopologyArgs;
use crate::draft::Draft;
use crate::failure::{Done, Failure};
use crate::input;
use crate::show::{BOLD, DIM, Object, grouped};

/// Above so many nodes names are not listed for programs.
const MANY: u32 = 10_000;
/// Up to so many nodes links are listed for people.
const FEW: u32 = 20;

/// Tells the facts about a network, or writes it.
pub fn topology(args: &TopologyArgs) -> Done {
    let network = input::network(&args.topology, args.seed)?;
    match args.to {
        Some(format) => convert(args, &network, format)?,
        None if args.json => writeln!(anstream::stdout(), "{}", object(args, &network))?,
        None => describe(args, &network, &mut anstream::stdout().lock())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn convert(args: &TopologyArgs, network: &Network, format: Format) -> Result<(), Failure> {
    if matches!(network.wires, Wires::Ring(_)) && network.nodes() < 3 {
        let what = if network.nodes() == 1 { "a self-loop" } else { "a double link" };
        return Err(Failure::Usage(format!("{network} has {what}, which files do not hold: take ring:3 or more")));
    }
    let Some(path) = &args.out else {
        let mut out = BufWriter::new(io::stdout().lock());
        formats::write(network, format, &mut out)?;
        return Ok(out.flush()?);
    };
    let mut draft = Draft::new(path)?;
    let written = formats::write(network, format, &mut draft).and_then(|()| draft.keep());
    written.map_err(|error| Failure::output(path, error))
}

/// The facts for programs.
fn object(args: &TopologyArgs, network: &Network) -> Object {
    let Facts { nodes, links, degree, diameter, ring, tree, complete, bipartite } = network.facts();
    let mut object = Object::default();
    object.put("topology", &network.name);
    if args.topology.is_random() {
        object.put("seed", &args.seed);
    }
    object.put("nodes", &nodes);
    object.put("links", &links);
    object.put("degree", &json!({"min": degree.min, "max": degree.max}));
    object.put("diameter", &diameter);
    for (key, is) in [("ring", ring), ("tree", tree), ("complete", complete), ("bipartite", bipartite)] {
        object.put(key, &is);
    }
    if !network.names.is_empty() && nodes <= MANY {
        object.put("names", &network.names);
    }
    object
}

/// The facts for people.
fn describe(args: &TopologyArgs, network: &Network, out: &mut dyn Write) -> io::Result<()> {
    let Facts { nodes, links, degree, diameter, ring, tree, complete, bipartite } = network.facts();
    writeln!(out, "{BOLD}{network}{BOLD:#}\n")?;
    let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<10}{DIM:#} {text}");
    line("nodes", grouped(nodes))?;
    line("links", grouped(links))?;
    line(
        "degree",
        if degree.min == degree.max {
            format!("{} everywhere", grouped(degree.min))
        } else {
            let mean = 2.0 * links as f64 / f64::from(nodes);
            format!("{} to {}, {mean:.2} on average", grouped(degree.min), grouped(degree.max))
        },
    )?;
    line("diameter", grouped(diameter))?;
    let kinds = [("a ring", ring), ("a tree", tree), ("complete", complete), ("bipartite", bipartite)];
    let kinds: Vec<_> = kinds.iter().filter(|(_, is)| *is).map(|(kind, _)| *kind).collect();
    line("it is", if kinds.is_empty() { "no ring, no tree, not complete".into() } else { kinds.join(", ") })?;
    if args.topology.is_random() {
        line("seed", args.seed.to_string())?;
    }
    if nodes <= FEW {
        for node in 0..nodes {
            let far: Vec<_> = network.neighbours(node).map(|far| network.node_name(far)).collect();
            let title = if node == 0 { "neighbours" } else { "" };
            line(title, format!("{}: {}", network.node_name(node), far.join(", ")))?;
        }
    }
    Ok(())
}
