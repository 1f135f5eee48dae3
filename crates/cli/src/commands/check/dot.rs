//! Writes the states and transitions of a small configuration for Graphviz.

use std::io::Write;
use std::path::Path;

use bellwether_check::Plan;
use bellwether_check::graph::StateGraph;
use bellwether_check::ledger::{Ledger, Stop};
use bellwether_check::machine::{Machine, Transition};
use bellwether_check::row::Row;
use bellwether_console::draft::Draft;
use bellwether_console::failure::Failure;
use bellwether_world::Family;

/// The largest number of states drawn. More would be illegible.
const MOST_STATES: usize = 2_000;

/// Writes the state graph if it is small enough. Returns the number of states, or the reason why there is no graph.
/// Reductions are off, because a graph should show every path.
pub fn write(path: &Path, family: &Family, plan: Plan, memory: u64) -> Result<Result<u64, String>, Failure> {
    let plan = Plan { reduction: false, symmetry: false, ..plan };
    let mut scenarios = family.scenarios();
    let (Some(scenario), None) = (scenarios.next(), scenarios.next()) else {
        return Ok(Err("there is more than one configuration".into()));
    };
    let algorithm = bellwether_catalogue::algorithm(family.info.name).expect("the catalogue has it");
    let mut machine = Machine::new(algorithm, &scenario, plan).map_err(Failure::Usage)?;
    let graph = match StateGraph::up_to(&mut machine, &Ledger::new(memory), MOST_STATES) {
        Ok(Some(graph)) => graph,
        Ok(None) => return Ok(Err(format!("there are more than {MOST_STATES} states"))),
        Err(Stop::Impossible(reason)) => return Err(Failure::Usage(reason)),
        Err(Stop::Told | Stop::Memory | Stop::States) => return Ok(Err("there is no room for all states".into())),
    };
    let mut draft = Draft::new(path)?;
    let written = draw(&mut draft, &machine, &graph).and_then(|()| draft.keep());
    written.map_err(|error| Failure::output(path, error))?;
    Ok(Ok(graph.states() as u64))
}

fn draw(out: &mut dyn Write, machine: &Machine, graph: &StateGraph) -> std::io::Result<()> {
    writeln!(out, "digraph states {{\n  node [shape=box, fontname=monospace];\n  rankdir=TB;")?;
    let mut row = Row::default();
    for state in 0..graph.states() as u32 {
        graph.store.load(state, &mut row);
        let words =
            plainly(&machine.in_words(row.cells())).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
        let shape = match graph.is_settled[state as usize] {
            false => "",
            true if machine.ruling(row.cells()).broken.is_empty() => ", style=bold, color=darkgreen",
            true => ", style=bold, color=red",
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

/// Makes states readable: `0 Peterson { id: 3, role: First { tid: 3 } }` becomes `0: id 3, first, tid 3`.
fn plainly(words: &str) -> String {
    let line = |line: &str| {
        let Some((node, fields)) = line.split_once(" { ").map(|(head, fields)| (head.split(' ').next(), fields)) else {
            return line.to_string();
        };
        let fields = fields.replace("role: ", "").replace(" { ", ", ").replace(" }", "").replace(": ", " ");
        format!("{}: {}", node.unwrap_or_default(), fields.to_lowercase())
    };
    words.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A move in a word or two.
fn describe(machine: &Machine, step: Transition) -> String {
    let link = |link: u32| {
        let link = machine.layout().links[link as usize];
        format!("{} > {}", link.from, link.to)
    };
    match step {
        Transition::Start(node) => format!("{node} starts"),
        Transition::Deliver { link: number, keep: false, .. } => link(number),
        Transition::Deliver { link: number, keep: true, .. } => format!("{}, again later", link(number)),
        Transition::Timeout(node, _) => format!("{node} times out"),
        Transition::Report(node, _) => format!("{node} hears of a crash"),
        Transition::Lose { link: number, .. } => format!("{} lost", link(number)),
        Transition::Crash(node) => format!("{node} crashes"),
        Transition::Restart { node, disk: true } => format!("{node} starts again"),
        Transition::Restart { node, disk: false } => format!("{node} starts again without its disk"),
        Transition::Close(node, _) => format!("a connection of {node} closes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_without_the_braces_of_the_code() {
        let state = "0 Peterson { id: 3, role: First { tid: 3 } }\n1 Peterson { id: 2, role: Asleep }\n0 > 1: elect(3)";
        assert_eq!(plainly(state), "0: id 3, first, tid 3\n1: id 2, asleep\n0 > 1: elect(3)");
        assert_eq!(plainly("2 crashed"), "2 crashed");
    }
}
