//! Exercises as a teacher writes them, and the lesson plan that uses them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The output of a command in this folder.
fn output(folder: &Path, words: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bellwether")).args(words).current_dir(folder).output().unwrap()
}

fn words(line: &str) -> Vec<String> {
    shlex::split(line.strip_prefix("bellwether ").unwrap()).unwrap()
}

fn json_of(folder: &Path, line: &str) -> Value {
    let Output { stdout, stderr, .. } = output(folder, &words(&format!("{line} --json")));
    serde_json::from_slice(&stdout).unwrap_or_else(|_| panic!("{line}: {}", String::from_utf8_lossy(&stderr)))
}

/// The files of a folder by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap())).collect()
}

/// Every answer of the key is in what its own command prints.
#[test]
fn the_key_agrees_with_the_commands_in_it() {
    let folder = TempDir::new().unwrap();
    let told = json_of(folder.path(), "bellwether exercise --students 4 --seed 11 --out sheets");
    let written: Value = serde_json::from_slice(&fs::read(folder.path().join("sheets/key.json")).unwrap()).unwrap();
    assert_eq!(told["key"], written);
    let mut seen = 0;
    for student in told["key"]["students"].as_array().unwrap() {
        let sheet = format!("sheets/student-{:03}.md", student["student"].as_u64().unwrap());
        let sheet = fs::read_to_string(folder.path().join(sheet)).unwrap();
        for exercise in student["exercises"].as_array().unwrap() {
            let line = exercise["repeat"].as_str().unwrap();
            let answer = exercise["answer"].as_str().unwrap();
            let report = json_of(folder.path(), line);
            let number = |value: &Value| value.to_string();
            let election = &report["messages"]["election"];
            let found = match exercise["template"].as_str().unwrap() {
                "messages" | "echo" => number(election),
                "leader" => number(&report["leaders"][0]["node"]),
                "phases" => report["phases"].as_array().unwrap().len().to_string(),
                "active" => {
                    let nodes = report["phases"][1]["nodes"].as_array().unwrap();
                    nodes.iter().map(number).collect::<Vec<_>>().join(",")
                }
                "worst-ids" => {
                    assert_eq!(*election, report["bounds"]["election"]["worst"], "{line}");
                    report["ids"].as_array().unwrap().iter().map(number).collect::<Vec<_>>().join(",")
                }
                "mean" => report["messages"]["mean"].as_str().unwrap().into(),
                "schedules" => {
                    let broken = |key: &str| {
                        let properties = report["properties"].as_array().unwrap();
                        properties.iter().any(|it| it["key"] == key && it["holds"] == json!(false))
                    };
                    // The sheet tells which of the two was asked.
                    let key =
                        if sheet.contains("two nodes lead at the same moment?") { "one-leader" } else { "a-leader" };
                    if broken(key) { "yes".into() } else { "no".into() }
                }
                "assumption" => {
                    assert_eq!(report["ok"], false, "{line}");
                    continue;
                }
                "round" => {
                    let node = sheet.split_once("In which round does node ").unwrap().1.split(' ').next().unwrap();
                    let run = output(folder.path(), &words(&format!("{line} --events")));
                    let run = String::from_utf8(run.stdout).unwrap();
                    let follows =
                        |text: &&str| text.contains(&format!(" node {node} (id ")) && text.contains(") follows ");
                    let decides = run.lines().find(follows).unwrap();
                    assert!(decides.starts_with(&format!("round {answer} ")), "{line}: {decides}");
                    continue;
                }
                other => panic!("what is {other}?"),
            };
            assert_eq!(found, answer, "{line}");
            seen += 1;
        }
    }
    assert_eq!(seen, 4 * 8, "all but the two that were looked at otherwise");
}

#[test]
fn the_same_seed_writes_the_same_bytes_and_nothing_is_overwritten() {
    let folder = TempDir::new().unwrap();
    let write = |out: &str, seed: u32| {
        let line =
            format!("bellwether exercise --students 2 --template leader --template mean --seed {seed} --out {out}");
        output(folder.path(), &words(&line))
    };
    for (out, seed) in [("a", 5), ("b", 5), ("c", 6)] {
        assert_eq!(write(out, seed).status.code(), Some(0));
    }
    let [a, b, c] = ["a", "b", "c"].map(|out| files(&folder.path().join(out)));
    assert_eq!(a, b);
    assert_ne!(a["key.md"], c["key.md"]);
    assert_ne!(a["student-001.md"], a["student-002.md"]);
    assert_eq!(a.len(), 6);

    fs::remove_file(folder.path().join("a/student-001.md")).unwrap();
    let again = write("a", 5);
    assert_eq!(again.status.code(), Some(2));
    let error = String::from_utf8(again.stderr).unwrap();
    assert!(error.contains("a/student-001.html: it is there already: take another folder with --out"), "{error}");
    assert!(!folder.path().join("a/student-001.md").exists(), "nothing is written beside old files");
}

#[test]
fn wrong_wishes_are_refused() {
    let folder = TempDir::new().unwrap();
    let refused = |line: &str| {
        let Output { status, stderr, .. } = output(folder.path(), &words(line));
        assert_eq!(status.code(), Some(2), "{line}");
        String::from_utf8(stderr).unwrap()
    };
    assert!(refused("bellwether exercise --out x --template nonsense").contains("there is no template 'nonsense'"));
    assert!(refused("bellwether exercise --out x --language xx").contains("take en, de, fr or ro"));
    assert!(refused("bellwether exercise --out x --students 0").contains("from 1 to 1000"));
    assert!(refused("bellwether exercise").contains("--out"));
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(refused("bellwether exercise --out file").contains("file"));
    assert_eq!(files(folder.path()).len(), 1, "a refused wish leaves nothing");
}

/// Commands that write files stand in blocks of their own, which the console tests do not run.
#[test]
fn the_lesson_plan_can_be_prepared() {
    let folder = TempDir::new().unwrap();
    let plan = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/teaching.md")).unwrap();
    let blocks = plan.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert_eq!(lines.len(), 7);
    for line in lines {
        let code = output(folder.path(), &words(line)).status.code();
        assert_eq!(code, Some(i32::from(line.contains("--force"))), "{line}");
    }
    let there: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(there.len(), 7, "{there:?}");
    assert_eq!(files(&folder.path().join("sheets")).len(), 62);
}
