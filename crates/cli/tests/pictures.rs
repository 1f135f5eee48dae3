//! Pictures of runs: every command that has a run draws it, and says what is wrong with what it is asked for.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// The output of a command in a folder.
fn output(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(line.split(' ')).current_dir(folder).env("COLUMNS", "100").output().unwrap()
}

/// Standard output of a command that must end with this exit code.
fn stdout(folder: &Path, line: &str, code: i32) -> String {
    let Output { status, stdout, stderr } = output(folder, line);
    assert_eq!(status.code(), Some(code), "{line}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

#[test]
fn every_run_is_drawn() {
    let folder = TempDir::new().unwrap();
    let lines = [
        ("run chang-roberts --topology ring:5", 0),
        ("run echo-election --topology grid:2x3 --view network", 0),
        ("run itai-rodeh --topology ring:4 --direction right --lanes 3,0-1", 0),
        ("live peterson --topology ring:4", 0),
        ("check bully --topology complete:3 --timers any --memory 200M", 1),
        ("ring 4 -n 1 --sleep 0 --worker-sleep 0", 0),
        ("topology gnp:20:0.2", 0),
    ];
    for (line, code) in lines {
        stdout(folder.path(), &format!("{line} --svg a.svg --png a.png"), code);
        let svg = fs::read_to_string(folder.path().join("a.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{line}");
        assert!(fs::read(folder.path().join("a.png")).unwrap().starts_with(b"\x89PNG"), "{line}");
        fs::remove_file(folder.path().join("a.svg")).unwrap();
        fs::remove_file(folder.path().join("a.png")).unwrap();
    }
}

#[test]
fn a_replayed_run_looks_like_the_run() {
    let folder = TempDir::new().unwrap();
    stdout(folder.path(), "run franklin --topology ring:6 --svg run.svg --trace run.ndjson", 0);
    stdout(folder.path(), "replay run.ndjson --svg again.svg", 0);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (run, again) = (read("run.svg"), read("again.svg"));
    assert!(run.contains("bellwether run franklin --topology ring:6 --seed 1</text>"));
    assert_eq!(run.replace("run franklin --topology ring:6 --seed 1</text>", "replay run.ndjson</text>"), again);
}

#[test]
fn text_is_drawn_in_the_terminal() {
    let folder = TempDir::new().unwrap();
    let drawn = stdout(folder.path(), "run chang-roberts --topology ring:3 --ids 2,3,1 --text", 0);
    assert!(drawn.contains("├─announce(3)─▶"), "{drawn}");
    let drawn = stdout(folder.path(), "run chang-roberts --topology ring:100 --text", 0);
    assert!(drawn.contains("columns, and here are"), "{drawn}");
    assert!(stdout(folder.path(), "ring 3 -n 1 --sleep 0 --worker-sleep 0 --text", 0).contains('★'));
}

#[test]
fn what_cannot_be_drawn_is_refused_and_leaves_no_file() {
    let folder = TempDir::new().unwrap();
    let refusals = [
        ("run peterson --svg a.svg --png a.svg", "--svg and --png name the same file"),
        ("run peterson --svg -", "--svg needs a file"),
        ("run peterson --svg a.svg --lanes 0,9", "there is no node 9"),
        ("run peterson --svg a.svg --lanes ,", "0,3,5-9"),
        ("run peterson --lanes 0", "--svg"),
        ("run peterson --svg a.svg --view network --lanes 0", "--lanes is for --view time"),
        ("run peterson --svg nowhere/a.svg", "there is no folder"),
        ("topology complete:1000 --svg a.svg", "499,500 links"),
        ("ring 3 -n 1 --svg a.svg --lanes 5", "there is no node 5"),
    ];
    for (line, reason) in refusals {
        let Output { status, stderr, .. } = output(folder.path(), line);
        let errors = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{line}: {errors}");
        assert!(errors.contains(reason), "{line}: {errors}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
