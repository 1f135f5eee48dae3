//! One story per algorithm, written for readers and reviewed like code: `golden/*.snap`.
//!
//! `INSTA_UPDATE=always cargo test -p bellwether-play golden` writes them again. Every difference must be explained.

use bellwether_core::{Round, Starters};
use bellwether_world::trace::Event;
use bellwether_world::{Report, Scenario, Timing};

use crate::support::networks::{complete, path};
use crate::support::{command, drawing, info, kinds, on, record, ring, started_by};

#[test]
fn chang_roberts() {
    let scenario = started_by(ring("chang-roberts", &[5, 7, 2, 9]), &[0]);
    tell("chang-roberts", "Nodes 1 and 3 are woken up by smaller ids, and stand in their place.", &scenario);
}

#[test]
fn chang_roberts_again() {
    let scenario = Scenario { elections: 2, ..started_by(ring("chang-roberts", &[2, 3, 1]), &[2]) };
    tell("chang-roberts-again", "Two elections: the incumbent resigns as soon as it hears of the second.", &scenario);
}

#[test]
fn clockwise() {
    let scenario = ring("clockwise", &[2, 5, 0, 4]);
    tell("clockwise", "The largest id moves on in every round, and is home in round n + 1.", &scenario);
}

#[test]
fn clockwise_synchronized() {
    let scenario = Scenario { timing: Timing::Unit, ..ring("clockwise", &[1, 2]) };
    tell("clockwise-synchronized", "Without rounds: a pulse says how many messages a round had on a link.", &scenario);
}

#[test]
fn clockwise_async() {
    let scenario = started_by(ring("clockwise-async", &[4, 1, 6, 3]), &[0]);
    tell("clockwise-async", "Node 1 passes on what wakes it up, node 2 sends its own larger id.", &scenario);
}

#[test]
fn le_lann() {
    let scenario = started_by(ring("le-lann", &[2, 3, 1]), &[0]);
    tell("le-lann", "A sleeping node first sends its own id, then the one that woke it up.", &scenario);
}

#[test]
fn time_slice() {
    let scenario = ring("time-slice", &[3, 1, 2]);
    tell("time-slice", "Nobody has id 0, so slice 0 (rounds 1 to 3) is silent; slice 1 is node 1's.", &scenario);
}

#[test]
fn variable_speeds() {
    let wakes = [(0, 1), (1, 2), (3, 1)];
    let initiators = Starters::Some(wakes.map(|(node, round)| (node, Round(round))).to_vec());
    let scenario = Scenario { initiators, ..ring("variable-speeds", &[3, 1, 4, 2, 5]) };
    tell("variable-speeds", "Node 1 would wake up when a message arrives, and only relays: 2 wins, not 1.", &scenario);
}

#[test]
fn peterson() {
    let scenario = ring("peterson", &[1, 3, 2, 4]);
    tell("peterson", "Values 3 and 4 survive the first phase, held by nodes 2 and 0.", &scenario);
}

#[test]
fn dolev_klawe_rodeh() {
    let scenario = ring("dolev-klawe-rodeh", &[1, 3, 2, 4]);
    tell("dolev-klawe-rodeh", "The last active node announces a value that belongs to another.", &scenario);
}

#[test]
fn itai_rodeh() {
    let scenario = drawing(ring("itai-rodeh", &[0; 3]), &[vec![0, 0], vec![1], vec![0, 1]]);
    tell("itai-rodeh", "Nodes 0 and 2 draw the same in the first tournament; node 0 wins the second.", &scenario);
}

#[test]
fn itai_rodeh_sync() {
    let scenario = drawing(ring("itai-rodeh-sync", &[0; 3]), &[vec![2, 0], vec![2, 1], vec![2, 1]]);
    tell("itai-rodeh-sync", "All draw the same; then node 0 has the smaller draw, but the only unique one.", &scenario);
}

#[test]
fn chang_roberts_bidirectional() {
    let scenario = drawing(ring("chang-roberts-bidirectional", &[2, 4, 1, 3]), &[vec![0], vec![1], vec![1], vec![0]]);
    tell("chang-roberts-bidirectional", "Nodes 0 and 3 send clockwise, nodes 1 and 2 the other way.", &scenario);
}

#[test]
fn franklin() {
    let scenario = ring("franklin", &[1, 3, 2, 4]);
    tell("franklin", "3 and 4 survive the first phase, 4 the second; in the third it hears only itself.", &scenario);
}

#[test]
fn hirschberg_sinclair() {
    let scenario = ring("hirschberg-sinclair", &[2, 4, 1, 3]);
    tell("hirschberg-sinclair", "Phases 0, 1 and 2: 4 and 3 survive the first, 4 the second.", &scenario);
}

#[test]
fn tree_sequential() {
    let scenario = started_by(on("tree-sequential", path(4), &[2, 5, 1, 7]), &[1]);
    tell("tree-sequential", "Node 1 asks to its left, then to its right; node 3 wins.", &scenario);
}

#[test]
fn tree_waves() {
    let scenario = started_by(on("tree-waves", path(4), &[2, 5, 1, 7]), &[0, 1]);
    tell("tree-waves", "The leaf that starts echoes at once; the echoes cross between nodes 2 and 3.", &scenario);
}

#[test]
fn traversal_path() {
    let scenario = started_by(on("traversal-path", complete(3), &[1, 2, 3]), &[0, 1]);
    tell("traversal-path", "Node 1 swallows the token of node 0, which goes on with the larger one.", &scenario);
}

#[test]
fn traversal_edge_colouring() {
    let scenario = started_by(on("traversal-edge-colouring", complete(3), &[1, 2, 3]), &[0]);
    tell("traversal-edge-colouring", "The link between nodes 0 and 2 closes a cycle: the token turns back.", &scenario);
}

#[test]
fn echo_election() {
    let scenario = started_by(on("echo-election", path(4), &[1, 9, 2, 3]), &[0, 3]);
    tell("echo-election", "Node 1 is conquered twice; what node 0 explored is explored again for 3.", &scenario);
}

#[test]
fn adoption() {
    let scenario = started_by(on("adoption", path(4), &[2, 1, 9, 3]), &[1, 3]);
    tell("adoption", "Node 2 is adopted and turns its way to node 1 round; the echo(1) of node 0 counts.", &scenario);
}

#[test]
fn floodmax() {
    let scenario = on("floodmax", path(3), &[3, 1, 2]);
    tell("floodmax", "The diameter is 2: two rounds of telling, and a third to listen.", &scenario);
}

#[test]
fn broadcast_max() {
    let scenario = started_by(on("broadcast-max", path(3), &[2, 3, 1]), &[0]);
    tell("broadcast-max", "Who is woken up first tells its own id, then passes on what it has heard.", &scenario);
}

#[test]
fn bully() {
    let scenario = started_by(on("bully", complete(3), &[1, 2, 3]), &[0]);
    tell("bully", "Node 0 asks, the larger ones answer and stand; the largest waits, for nobody.", &scenario);
}

#[test]
fn random_candidacy() {
    let scenario = on("random-candidacy", complete(3), &[0; 3]);
    let scenario = drawing(scenario, &[vec![1, 0, 1], vec![1, 0, 0], vec![0]]);
    tell("random-candidacy", "Node 2 is out after the first phase, the second is silent on 1, node 0 wins.", &scenario);
}

/// Compares a run with its story.
fn tell(name: &str, moral: &str, scenario: &Scenario) {
    let (report, events) = record(scenario);
    assert!(report.is_right(), "{:?}", report.violations);
    let lines: Vec<String> = events.iter().map(|event| line(scenario, event)).collect();
    let story = format!("{moral}\n{}\n\n{}\n\n{}\n", command(scenario), lines.join("\n"), ending(&report));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, story));
}

fn line(scenario: &Scenario, event: &Event) -> String {
    let node = event.node as usize;
    let who = if info(&scenario.algorithm).is_anonymous() {
        format!("node {node}")
    } else {
        format!("node {node} (id {})", scenario.ids[node])
    };
    format!("t={:<4}{who}  {}", event.t.to_string(), event.describe(&scenario.topology))
}

fn ending(report: &Report) -> String {
    let counts: Vec<String> = kinds(report).iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let time = report.time.expect("all have decided");
    format!("{}: node {}, {} messages, time {time}", report.outcome, report.leaders[0].node, counts.join(" + "))
}
