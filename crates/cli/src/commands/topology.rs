//! `bellwether topology`: facts about a network, or the network in another format.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use bellwether_ask::line;
use bellwether_console::Here;
use bellwether_console::draft::Draft;
use bellwether_console::failure::{Done, Failure};
use bellwether_console::files;
use bellwether_console::progress;
use bellwether_console::style::{BOLD, DIM};
use bellwether_draw::{Portrait, Remarks};
use bellwether_net::formats::{self, Format, Manner, Reading};
use bellwether_net::{Facts, Network, Topology, Wires, Wiring};
use bellwether_tell::Object;
use bellwether_world::numbers::grouped;
use serde_json::json;

use crate::args::{NETWORKS, TopologyArgs};
use crate::show::{between, left_out};

/// The largest number of nodes whose names are listed in JSON.
const MANY: u32 = 10_000;
/// The largest number of nodes whose links are listed as text.
const FEW: u32 = 20;

/// Tells the facts about a network, or writes it.
pub fn topology(args: &TopologyArgs) -> Done {
    if args.topology.is_none() && args.json {
        return Err(Failure::Usage("--json tells about a network: name one, as in ring:8".into()));
    }
    if args.topology.is_none() {
        write!(anstream::stdout(), "{NETWORKS}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let found = Examined::new(args)?;
    let [svg, png] = args.image.files();
    files::own_files(&[svg, png, ("--out", &args.out)], &[args.network().file()]).map_err(Failure::Usage)?;
    draw(args, &found.network)?;
    match written_as(args)? {
        Some(format) => convert(args, &found.network, format)?,
        None if args.json => writeln!(anstream::stdout(), "{}", object(args, &found))?,
        None => describe(args, &found, &mut anstream::stdout().lock())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A network, and what else its file says.
struct Examined {
    network: Network,
    file: Option<Source>,
}

/// Facts about a file that was read.
struct Source {
    format: Format,
    directed: bool,
    merged: u64,
    left_out: u32,
}

impl Examined {
    fn new(args: &TopologyArgs) -> Result<Self, Failure> {
        let Topology::File(path) = args.network() else {
            if args.from.is_some() {
                return Err(Failure::Usage("--from says what a file is: leave it out, or take file:PATH".into()));
            }
            let network = if args.largest_component {
                bellwether_ask::largest_component(args.network(), &Here)?.0
            } else {
                bellwether_ask::network(args.network(), args.seed, &Here)?
            };
            return Ok(Self { network, file: None });
        };
        let manner = Manner { from: args.from, largest_component: args.largest_component };
        let examine = || {
            formats::examine(&files::bytes(path, files::LONGEST)?, path, manner)
                .map_err(|error| Failure::file(path, error))
        };
        let Reading { network, format, directed, merged, left_out } =
            progress::patiently("reading the network", examine)?;
        Ok(Self { network, file: Some(Source { format, directed, merged, left_out }) })
    }
}

/// Draws the network, if a picture is wanted.
fn draw(args: &TopologyArgs, network: &Network) -> Result<(), Failure> {
    if args.image.svg.is_none() && args.image.png.is_none() {
        return Ok(());
    }
    let canvas = args.image.canvas()?;
    let portrait = Portrait::new(network).map_err(Failure::Usage)?;
    let network = args.network();
    let seed = network.is_random().then_some(args.seed);
    let repeat = line::write("topology", &json!({"network": network.to_string(), "seed": seed}));
    canvas.write(&portrait.svg(&Remarks::default(), &repeat))
}

/// The format in which the network is written, if it is.
fn written_as(args: &TopologyArgs) -> Result<Option<Format>, Failure> {
    match (args.to, &args.out) {
        (None, Some(path)) => {
            let of_ending = Format::of_extension(path);
            let unknown =
                || Failure::file(path, "its ending tells no format: say --to FORMAT, or let it end as in .dot");
            of_ending.map(Some).ok_or_else(unknown)
        }
        (to, _) => Ok(to),
    }
}

fn convert(args: &TopologyArgs, network: &Network, format: Format) -> Result<(), Failure> {
    if matches!(network.wires, Wires::Ring(_)) && network.nodes() < 3 {
        let what = if network.nodes() == 1 { "a self-loop" } else { "a double link" };
        return Err(Failure::Usage(format!("{network} has {what}, which files do not hold: take ring:3 or more")));
    }
    if let Some(reason) = formats::refuses(network, format) {
        return Err(Failure::Usage(reason));
    }
    if format == Format::Graph6 && !network.names.is_empty() {
        writeln!(anstream::stderr(), "note: graph6 has no names: the nodes are numbered from 0 in their order")?;
    }
    let Some(path) = &args.out else {
        let mut out = BufWriter::new(io::stdout().lock());
        formats::write(network, format, &mut out)?;
        return Ok(out.flush()?);
    };
    let mut draft = Draft::new(path)?;
    let written = formats::write(network, format, &mut draft).and_then(|()| draft.keep());
    written.map_err(|error| Failure::output(path, error))?;
    files::tell_written([&args.out]);
    Ok(())
}

/// The facts. Finding the diameter may take a while.
fn facts(network: &Network) -> Facts {
    progress::patiently("looking for the diameter", || network.facts())
}

/// The facts as JSON.
fn object(args: &TopologyArgs, Examined { network, file }: &Examined) -> Object {
    let Facts { nodes, links, degree, diameter, ring, tree, complete, bipartite } = facts(network);
    let mut object = Object::default();
    object.put("topology", &network.name);
    object.put("seed", &args.seed);
    if let Some(Source { format, directed, merged, left_out }) = file {
        object.put("format", &format.to_string());
        object.put("directed", directed);
        object.put("merged", merged);
        if args.largest_component {
            object.put("left_out", left_out);
        }
    }
    object.put("nodes", &nodes);
    object.put("links", &links);
    object.put("degree", &json!({"min": degree.min, "mean": mean(nodes, links), "max": degree.max}));
    object.put("diameter", &diameter);
    for (key, is) in [("ring", ring), ("tree", tree), ("complete", complete), ("bipartite", bipartite)] {
        object.put(key, &is);
    }
    if !network.names.is_empty() && nodes <= MANY {
        object.put("names", &network.names);
    }
    object
}

/// The mean degree of a node.
fn mean(nodes: u32, links: u64) -> f64 {
    2.0 * links as f64 / f64::from(nodes)
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.title())?;
        if self.directed {
            f.write_str("; directions are dropped")?;
        }
        match self.merged {
            0 => Ok(()),
            1 => f.write_str("; 1 parallel link merged"),
            count => write!(f, "; {} parallel links merged", grouped(count)),
        }
    }
}

/// Writes the facts as text.
fn describe(args: &TopologyArgs, Examined { network, file }: &Examined, out: &mut dyn Write) -> io::Result<()> {
    let Facts { nodes, links, degree, diameter, ring, tree, complete, bipartite } = facts(network);
    writeln!(out, "{BOLD}{network}{BOLD:#}\n")?;
    let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<10}{DIM:#} {text}");
    if let Some(file) = file {
        line("read as", file.to_string())?;
        left_out(file.left_out).map_or(Ok(()), |(name, text)| line(name, text))?;
    }
    line("nodes", grouped(nodes))?;
    line("links", grouped(links))?;
    line(
        "degree",
        if degree.min == degree.max {
            format!("{} everywhere", grouped(degree.min))
        } else {
            let mean = mean(nodes, links);
            format!("{} to {}, {mean:.2} on average", grouped(degree.min), grouped(degree.max))
        },
    )?;
    let why = if diameter.exactly().is_none() { ": to find it exactly would take too long" } else { "" };
    line("diameter", between(diameter) + why)?;
    let kinds = [("a ring", ring), ("a tree", tree), ("complete", complete), ("bipartite", bipartite)];
    let kinds: Vec<_> = kinds.iter().filter(|(_, is)| *is).map(|(kind, _)| *kind).collect();
    line("it is", if kinds.is_empty() { "no ring, no tree, not complete".into() } else { kinds.join(", ") })?;
    if args.network().is_random() {
        line("seed", args.seed.to_string())?;
    }
    if nodes <= FEW {
        for node in 0..nodes {
            let far: Vec<_> = network.neighbours(node).map(|far| network.printed_name(far)).collect();
            let title = if node == 0 { "neighbours" } else { "" };
            line(title, format!("{}: {}", network.printed_name(node), far.join(", ")))?;
        }
    }
    Ok(())
}
