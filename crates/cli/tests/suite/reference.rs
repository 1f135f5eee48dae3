//! The pages of docs name what the program reads and writes: JSON keys, fields of traces, columns of CSV files, faults.
//! And their links lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn page(name: &str) -> String {
    fs::read_to_string(docs().join(name)).unwrap()
}

/// What a command writes to standard output, whatever its exit code.
fn written(folder: &Path, line: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    let output = command.args(line.split(' ')).current_dir(folder).output().unwrap();
    assert_ne!(output.status.code(), Some(2), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Keys below which keys are names of the scenario: of nodes, kinds of messages, variables, parameters.
const OPEN: [&str; 6] = ["by_kind", "msg", "state", "settings", "overhead", "scenario"];

/// All keys of a value, at every depth. A list of traces inside of it is left out: a trace has its own table.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                found.insert(key.clone());
                if !OPEN.contains(&&key[..]) && !key.starts_with("counterexample") {
                    keys(value, found);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// The words that a page has in backticks.
fn named(page: &str) -> BTreeSet<&str> {
    page.split('`').skip(1).step_by(2).collect()
}

fn assert_named(page_name: &str, wanted: &BTreeSet<String>, what: &str) {
    let page = page(page_name);
    let named = named(&page);
    let missing: Vec<_> = wanted.iter().filter(|word| !named.contains(&word[..])).collect();
    assert!(missing.is_empty(), "docs/{page_name} does not name {what}: {missing:?}");
}

#[test]
fn every_json_key_is_in_the_reference() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("lan.dot"), "graph { paris -- rome; rome -- oslo; oslo -- paris; x -- y }").unwrap();
    let mut found = BTreeSet::new();
    for line in [
        "run peterson --topology ring:4 --stats --full --json --trace run.ndjson",
        "run chang-roberts --topology ring:4 --ids same --force --json",
        "run variable-speeds --topology ring:4 --wake 0@1 --json",
        "run clockwise --topology ring:3 --timing uniform --json",
        "run bully --topology file:lan.dot --largest-component --fault crash=paris@3 --detect 1 --max-delay 2 --json",
        "run itai-rodeh --topology ring:3 --set k=1 --limit 100 --force --json",
        "run member --topology complete:3 --until 1 --json",
        "live peterson --topology ring:4 --json",
        "replay run.ndjson --json",
        "compare peterson itai-rodeh --topology ring:4 --json",
        "sweep chang-roberts le-lann --topology ring --nodes 8..32 --runs 3 --budget 300 --json",
        "sweep chang-roberts --topology ring --nodes 8 --runs 3 --fault loss=0.2 --force --json",
        "check chang-roberts --topology ring:2 --json",
        "check chang-roberts --topology ring:3 --loss 1 --all --json",
        "check clockwise --topology ring:2 --json",
        "check random-candidacy --topology complete:3 --crashes 1 --json",
        "check bully --topology complete:3 --ids 3,1,2 --initiators 0 --crashes 1 --json",
        "check hirschberg-sinclair --topology ring:8 --memory 1M --json",
        "check traversal-path --topology ring:3 --links duplicate --memory 2M --json",
        "exact peterson --topology ring:4 --json",
        "exact itai-rodeh --topology ring:2 --json",
        "exact itai-rodeh-sync --topology ring:2 --json",
        "exact chang-roberts-bidirectional --topology ring:3 --json",
        "exact bully --topology complete:2 --json",
        "list --json",
        "explain peterson --json",
        "explain --json",
        "topology ring:4 --json",
        "topology file:lan.dot --largest-component --json",
    ] {
        let text = written(folder.path(), line);
        keys(&serde_json::from_str(&text).unwrap_or_else(|error| panic!("{line}: {error}")), &mut found);
    }
    assert_named("reference.md", &found, "these JSON keys");
}

#[test]
fn every_field_of_a_trace_is_in_the_reference() {
    let folder = TempDir::new().unwrap();
    let mut found = BTreeSet::new();
    for line in [
        "run bully --topology complete:3 --fault crash=0@3 --fault recover=0@9 --fault duplicate=0.5 --force --trace t",
        "run itai-rodeh --topology ring:3 --fault loss=0.2 --force --trace t",
        "run chang-roberts --topology ring:3 --elections 2 --trace t",
        "run clockwise --topology ring:3 --trace t",
    ] {
        written(folder.path(), line);
        let trace = fs::read_to_string(folder.path().join("t")).unwrap();
        for event in trace.lines() {
            let event: Value = serde_json::from_str(event).unwrap();
            keys(&event, &mut found);
            found.extend(event["kind"].as_str().map(String::from));
        }
    }
    assert_named("reference.md", &found, "these fields of traces");
}

#[test]
fn every_column_is_told() {
    let folder = TempDir::new().unwrap();
    written(folder.path(), "sweep peterson --topology ring --nodes 8 --runs 1 --csv runs.csv");
    let rows = fs::read_to_string(folder.path().join("runs.csv")).unwrap();
    let columns = rows.lines().next().unwrap().split(',').map(String::from).collect();
    assert_named("measuring.md", &columns, "these columns");
}

#[test]
fn every_fault_is_in_the_reference() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    let refused = command.args(["run", "peterson", "--fault", "thunder=1"]).output().unwrap();
    let refused = String::from_utf8(refused.stderr).unwrap();
    let (_, forms) = refused.split_once("take ").unwrap();
    let faults: BTreeSet<String> =
        forms.split_whitespace().filter(|word| word.contains('=')).map(|word| word.trim_matches(',').into()).collect();
    assert_eq!(faults.len(), 17, "{faults:?}");
    assert_named("reference.md", &faults, "these faults");
}

#[test]
fn every_parameter_is_in_the_reference() {
    let page = page("reference.md");
    let list: Value = serde_json::from_str(&written(Path::new("."), "list --json")).unwrap();
    for algorithm in list.as_array().unwrap() {
        let name = algorithm["name"].as_str().unwrap();
        for setting in algorithm["settings"].as_array().unwrap() {
            let parameter = format!("| `{}=", setting["name"].as_str().unwrap());
            let names = |row: &str| row.split([' ', ',']).any(|word| word == name);
            let is_told = page.lines().any(|row| row.starts_with(&parameter) && names(row));
            assert!(is_told, "docs/reference.md: {parameter} of {name}");
        }
    }
}

/// The anchor that a heading has on a page.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|character| character.is_alphanumeric() || "-_".contains(*character)).collect()
}

/// The headings of a page, without what looks like one in a block of code.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut found = BTreeSet::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) {
            found.insert(anchor(heading.trim_start_matches('#').trim()));
        }
    }
    found
}

#[test]
fn links_between_pages_lead_somewhere() {
    let root = docs().join("..");
    let docs = fs::read_dir(docs()).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.chain(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| root.join(page)));
    let mut checked = 0;
    for path in pages.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let page = fs::read_to_string(&path).unwrap();
        for link in page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, place) = link.split_once('#').map_or((link, None), |(file, place)| (file, Some(place)));
            let target = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", path.display());
            if let Some(place) = place {
                let headings = anchors(&fs::read_to_string(&target).unwrap());
                assert!(headings.contains(place), "{}: {link} has no such heading", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}
