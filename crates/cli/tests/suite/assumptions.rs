//! The effect of dropping each assumption of each algorithm: the tables in docs/assumptions.md.
//!
//! `BLESS=1 cargo test -p bellwether --test suite assumptions` rewrites them; check the difference.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde_json::Value;

/// The assumptions that are dropped, and the options that drop them.
const DROPPED: [(&str, &str); 7] = [
    ("nothing", ""),
    ("messages overtake", "--links reorder"),
    ("one comes twice", "--links duplicate:1"),
    ("one is lost", "--loss 1"),
    ("one node crashes", "--crashes 1"),
    ("timers go off early", "--timers any"),
    ("equal ids", "--ids same"),
];

/// By kind: a network on which every search is complete.
const NETWORKS: [(&str, &str); 5] = [
    ("one-way ring", "ring:4"),
    ("two-way ring", "ring:4"),
    ("tree", "all-trees:4"),
    ("connected graph", "all-graphs:3"),
    ("complete graph", "complete:3"),
];

/// Other networks, where these are too large or too small: algorithm, option (`*` for all of them), network.
const EXCEPTIONS: [(&str, &str, &str); 6] = [
    // Tokens may lag behind by any number of tournaments.
    ("itai-rodeh", "--links reorder", "ring:2"),
    ("itai-rodeh", "*", "ring:3"),
    ("itai-rodeh-sync", "*", "ring:3"),
    // Only one node may start.
    ("tree-sequential", "*", "all-trees:4 --initiators all-sets"),
    // A second token goes back and forth, and each time is recorded.
    ("traversal-path", "--links duplicate:1", "all-graphs:2"),
    // Timers that go off early start elections without end.
    ("bully", "--timers any", "complete:2"),
];

/// The visible effect of each broken property, in two words.
const BROKEN: [(&str, &str); 7] = [
    ("at most one leader at any instant", "two leaders"),
    ("nobody changes its mind", "a changed mind"),
    ("a leader in the end", "no leader"),
    ("the promised winner", "wrong winner"),
    ("everybody informed", "somebody uninformed"),
    ("it always ends", "never ends"),
    ("within the proved bounds", "beyond the bounds"),
];

/// An algorithm without one of its assumptions, or with all of them.
struct Cell {
    command: String,
    network: &'static str,
    /// The gravest broken property, if there is one.
    broken: Option<&'static str>,
    /// Whether the algorithm promises to work without the assumption.
    promised: bool,
}

impl Cell {
    fn text(&self, usual: &str) -> String {
        let word = match self.broken {
            Some(broken) => format!("breaks: {broken}"),
            None if self.promised => "holds".into(),
            None => "holds here".into(),
        };
        if self.network == usual { word } else { format!("{word} ({})", self.network) }
    }
}

fn bellwether(args: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_bellwether")).args(args.split(' ')).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("bellwether {args}: {errors}"))
}

fn found<const N: usize>(table: [(&'static str, &'static str); N], name: &str) -> &'static str {
    table.iter().find(|(other, _)| *other == name).unwrap_or_else(|| panic!("{name} is new")).1
}

/// The network for an algorithm and an option.
fn network(entry: &Value, option: &str) -> &'static str {
    let special = |&&(name, other, _): &&(&str, &str, &str)| entry["name"] == name && (other == "*" || other == option);
    match EXCEPTIONS.iter().find(special) {
        Some((.., network)) => network,
        None => found(NETWORKS, entry["topology"].as_str().unwrap()),
    }
}

/// Searches one cell; `None` if there is nothing to drop.
fn cell(entry: &Value, option: &'static str) -> Option<Cell> {
    let anonymous = entry["anonymous"] == true;
    let delay = entry["knows"].as_array().unwrap().iter().any(|known| known == "the longest delay of a message");
    let network = network(entry, option);
    let mut words = vec!["check", entry["name"].as_str().unwrap(), "--topology", network];
    match option {
        "--ids same" if anonymous => return None,
        "--timers any" if !delay => return None,
        "--ids same" => {}
        _ if anonymous => {}
        _ => words.push("--ids all"),
    }
    words.extend(Some(option).filter(|option| !option.is_empty()));
    let command = words.join(" ");
    let verdict = bellwether(&format!("{command} --json"));
    let broken = verdict["properties"].as_array().unwrap().iter().find(|property| property["holds"] == false);
    let broken = broken.map(|property| found(BROKEN, property["name"].as_str().unwrap()));
    let promised = verdict["dropped"].as_array().unwrap().is_empty();
    assert_ne!(verdict["verdict"], "unknown", "{command}");
    assert!(broken.is_some() || verdict["complete"] == true, "{command}");
    assert!(broken.is_none() || !promised, "{command}: {broken:?}, though nothing is dropped");
    Some(Cell { command: format!("bellwether {command}"), network, broken, promised })
}

/// The table, followed by the command lines of the cells in which something breaks.
fn markdown() -> String {
    let titles: String =
        DROPPED.iter().fold("| algorithm | on |".into(), |line, (title, _)| format!("{line} {title} |"));
    let mut table = format!("{titles}\n|{}\n", " --- |".repeat(DROPPED.len() + 2));
    let mut commands = String::new();
    for entry in bellwether("list --json").as_array().unwrap() {
        let usual = network(entry, "");
        write!(table, "| {} | {usual} |", entry["name"].as_str().unwrap()).unwrap();
        for (_, option) in DROPPED {
            let Some(cell) = cell(entry, option) else {
                table.push_str(" – |");
                continue;
            };
            write!(table, " {} |", cell.text(usual)).unwrap();
            if let Some(broken) = cell.broken {
                writeln!(commands, "{}  # {broken}", cell.command).unwrap();
            }
        }
        table.push('\n');
    }
    format!("{table}\nWhat breaks, and the line that shows how:\n\n```sh\n{commands}```\n")
}

#[test]
fn the_table_of_assumptions_is_what_the_checker_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/assumptions.md");
    let page = fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- table -->\n", "<!-- /table -->");
    let (before, rest) = page.split_once(begin).unwrap();
    let (inside, after) = rest.split_once(end).unwrap();
    let table = markdown();
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, format!("{before}{begin}{table}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(inside, table, "docs/assumptions.md is out of date: BLESS=1 cargo test -p bellwether renews it");
}
