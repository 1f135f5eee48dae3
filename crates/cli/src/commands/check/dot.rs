//! The states of a small configuration and the transitions between them, for Graphviz.

use std::io::Write;
use std::path::Path;

use bellwether_check::graph::Graph;
use bellwether_check::ledger::{Ledger, Stop};
use bellwether_check::machine::{Machine, Move};
use bellwether_check::row::Row;
use bellwether_check::{Family, Plan};

use crate::draft::Draft;
use crate::failure::Failure;

/// Nobody reads a drawing of more states.
const MOST_STATES: usize = 2_000;

/// Writes the state graph, all of it, if it is small enough; says what it did.
pub fn write(path: &Path, family: &Family, plan: Plan, memory: u64) -> Result<String, Failure> {
    let plan = Plan { reduction: false, symmetry: false, ..plan };
    let (mut scenarios, not) = (family.scenarios(), "not written: ");
    let (Some(scenario), None) = (scenarios.next(), scenarios.next()) else {
        return Ok(format!("{not}there is more than one configuration"));
    };
    let automaton = bellwether_prove::automaton(family.info.name).expect("the catalogue has it");
    let mut machine = Machine::new(automaton, &scenario, plan).map_err(Failure::Usage)?;
    let graph = match Graph::up_to(&mut machine, &Ledger::new(memory), MOST_STATES) {
        Ok(Some(graph)) => graph,
        Ok(None) => return Ok(format!("{not}there are more than {MOST_STATES} states")),
        Err(Stop::Impossible(reason)) => return Err(Failure::Usage(reason)),
        Err(Stop::Told | Stop::Memory | Stop::States) => return Ok(format!("{not}there is no room for all states")),
    };
    let mut draft = Draft::new(path)?;
    let written = draw(&mut draft, &machine, &graph).and_then(|()| draft.keep());
    written.map_err(|error| Failure::output(path, error))?;
    Ok(format!("{} states drawn in {}", graph.states(), path.display()))
}

fn draw(out: &mut dyn Write, machine: &Machine, graph: &Graph) -> std::io::Result<()> {
    writeln!(out, "digraph states {{\n  node [shape=box, fontname=monospace];\n  rankdir=TB;")?;
    let mut row = Row::default();
    for state in 0..graph.states() as u32 {
        graph.store.load(state, &mut row);
        let words = machine.in_words(row.cells()).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
        let shape = match graph.settled[state as usize] {
            None => "",
            Some(settled) if settled.lacks.is_empty() => ", style=bold, color=darkgreen",
            Some(_) => ", style=bold, color=red",
        };
        writeln!(out, "  {state} [label=\"{words}\\l\"{shape}];")?;
    }
    for state in 0..graph.states() as u32 {
        for action in graph.actions_of(state) {
            let label = describe(machine, graph.action(action).step);
            for edge in graph.edges_of(action) {
                writeln!(out, "  {state} -> {} [label=\"{label}\"];", edge.to)?;
            }
        }
    }
    writeln!(out, "}}")
}

/// A move in a word or two.
fn describe(machine: &Machine, step: Move) -> String {
    let link = |link: u32| {
        let link = machine.layout().links[link as usize];
        format!("{} > {}", link.from, link.to)
    };
    match step {
        Move::Start(node) => format!("{node} starts"),
        Move::Deliver { link: number, keep: false, .. } => link(number),
        Move::Deliver { link: number, keep: true, .. } => format!("{}, again later", link(number)),
        Move::Timeout(node, _) => format!("{node} times out"),
        Move::Report(node, _) => format!("{node} hears of a crash"),
        Move::Lose { link: number, .. } => format!("{} lost", link(number)),
        Move::Crash(node) => format!("{node} crashes"),
    }
}
