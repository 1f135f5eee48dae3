//! Pictures of runs: every command with a run draws it, and explains wrong options.

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
        let is_run = !line.starts_with("topology");
        let page = if is_run { " --html a.html" } else { "" };
        stdout(folder.path(), &format!("{line} --svg a.svg --png a.png{page}"), code);
        let svg = fs::read_to_string(folder.path().join("a.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{line}");
        assert!(fs::read(folder.path().join("a.png")).unwrap().starts_with(b"\x89PNG"), "{line}");
        if is_run {
            let page = fs::read_to_string(folder.path().join("a.html")).unwrap();
            assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{line}");
            fs::remove_file(folder.path().join("a.html")).unwrap();
        }
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
fn a_page_is_written_alone_and_the_same_every_time() {
    let folder = TempDir::new().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let line = "run franklin --topology ring:6 --lanes by-id";
    stdout(folder.path(), &format!("{line} --html run.html --trace run.ndjson"), 0);
    stdout(folder.path(), &format!("{line} --html same.html"), 0);
    assert!(read("run.html") == read("same.html"));
    stdout(folder.path(), "replay run.ndjson --lanes by-id --html again.html", 0);
    let run = read("run.html");
    assert!(run.contains(r#""repeat":"bellwether run franklin --topology ring:6 --seed 1""#));
    assert!(run.replace("run franklin --topology ring:6 --seed 1", "replay run.ndjson") == read("again.html"));
}

#[test]
fn a_page_says_what_is_broken() {
    let folder = TempDir::new().unwrap();
    stdout(folder.path(), "check bully --topology complete:3 --timers any --memory 200M --html two.html", 1);
    let page = fs::read_to_string(folder.path().join("two.html")).unwrap();
    assert!(page.contains(r#""broken":["broken: at most one leader at any instant","two leaders: node 1 becomes"#));
    let told = stdout(folder.path(), "check peterson --topology ring:3 --html none.html", 0);
    assert!(told.contains("html       not written: there is no counterexample"), "{told}");
    assert!(!folder.path().join("none.html").exists());
    stdout(folder.path(), "run chang-roberts --topology ring:4 --ids same --force --html none.html", 1);
    assert!(fs::read_to_string(folder.path().join("none.html")).unwrap().contains(r#""broken":["#));
}

#[test]
fn of_a_run_that_was_stopped_every_picture_says_so() {
    let folder = TempDir::new().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let says = "not known: stopped after 100 events · ";
    let line = "run chang-roberts --topology ring:50 --limit 100";
    stdout(folder.path(), &format!("{line} --svg a.svg --html a.html --trace a.ndjson"), 3);
    stdout(folder.path(), &format!("{line} --svg network.svg --view network"), 3);
    stdout(folder.path(), "replay a.ndjson --svg again.svg", 3);
    for picture in ["a.svg", "network.svg", "again.svg"] {
        let svg = read(picture);
        let description = svg.lines().find(|line| line.starts_with("<desc")).unwrap();
        assert!(description.contains(says) && svg.contains(&format!(">{says}")), "{picture}: {description}");
        assert!(!svg.contains("nobody leads"), "{picture}");
    }
    assert!(read("a.html").contains(r#""stopped":{"events":100}"#));
}

#[test]
fn a_trace_that_is_none_makes_no_page() {
    let folder = TempDir::new().unwrap();
    let replay = |trace: &str| {
        fs::write(folder.path().join("run.ndjson"), trace).unwrap();
        let Output { status, stderr, .. } = output(folder.path(), "replay run.ndjson --html run.html");
        assert!(!folder.path().join("run.html").exists());
        (status.code(), String::from_utf8(stderr).unwrap())
    };
    stdout(folder.path(), "run franklin --topology ring:4 --trace run.ndjson", 0);
    let trace = fs::read_to_string(folder.path().join("run.ndjson")).unwrap();
    let (code, told) = replay("a,b\n1,2\n");
    assert!(code == Some(2) && told.contains("run.ndjson: line 1 is not the header of a trace"), "{told}");
    let (code, told) = replay(trace.rsplit_once("\n{").unwrap().0);
    assert!(code == Some(2) && told.contains("the trace breaks off"), "{told}");
    let (code, told) = replay(&trace.replacen(r#""kind":"receive""#, r#""kind":"recieve""#, 1));
    assert!(code == Some(2) && told.contains("unknown variant `recieve`"), "{told}");
    let (code, _) = replay(&trace.replacen(r#""msg":{"elect":"#, r#""msg":{"elect":1"#, 1));
    assert_eq!(code, Some(1), "another run than the one recorded");
}

#[test]
fn text_is_drawn_in_the_terminal() {
    let folder = TempDir::new().unwrap();
    let drawn = stdout(folder.path(), "run chang-roberts --topology ring:3 --ids 2,3,1 --text", 0);
    assert!(drawn.contains("├─announce(3)─▶"), "{drawn}");
    let drawn = stdout(folder.path(), "run chang-roberts --topology ring:100 --text", 0);
    assert!(drawn.contains("columns, and here are") && drawn.contains("take --html FILE"), "{drawn}");
    // The same picture is shown without being asked for, with the changes of roles; else what shows the run instead.
    let plain = stdout(folder.path(), "run peterson --topology ring:6", 0);
    let asked = stdout(folder.path(), "run peterson --topology ring:6 --text", 0);
    let steps = asked.split_once("\n  t=0   0: rule 1a; id 1, tid 1 ·").expect(&asked);
    assert!(plain.starts_with(steps.0), "{asked}");
    assert!(steps.1.contains("t=2   0: rule 2e; no tid, no ntid · "), "{asked}");
    assert!(plain.contains("◆relay") && plain.contains("│ active · ╎ relay"), "{plain}");
    for run in ["run peterson --topology ring:20", "run broadcast-max --topology complete:12"] {
        let hint = stdout(folder.path(), run, 0);
        assert!(hint.contains("--html FILE plays it in a browser, --events lists every step"), "{hint}");
    }
    assert!(stdout(folder.path(), "ring 3 -n 1 --sleep 0 --worker-sleep 0 --text", 0).contains('★'));
}

#[test]
fn what_cannot_be_drawn_is_refused_and_leaves_no_file() {
    let folder = TempDir::new().unwrap();
    let refusals = [
        ("run peterson --svg a.svg --png a.svg", "--svg and --png name the same file"),
        ("run peterson --svg a.png", "--svg would write a.png, whose ending tells something else"),
        ("topology ring:5 --png a.SVG", "let it end in .png, or take --svg"),
        ("compare peterson franklin --topology ring:5 --svg a.png", "or take --png"),
        ("ring 3 -n 1 --html a.svg", "or take --svg"),
        ("topology ring:5 --svg a.svg --out a.svg --to dot", "--svg and --out name the same file"),
        ("run peterson --svg -", "--svg needs a file"),
        ("run peterson --html -", "--html needs a file"),
        ("run peterson --html a.html --trace a.html", "--trace and --html name the same file"),
        ("run peterson --html a.html --view network", "--svg"),
        ("run peterson --html a.html --direction right", "--svg"),
        ("run peterson --html a.html --lanes 0,9", "there is no node 9"),
        ("run floodmax --topology complete:500 --html a.html", "124,750 links"),
        (
            "run le-lann --topology ring:1000 --html a.html",
            "at most 1,000,000 events, and this run has more: take --svg",
        ),
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
