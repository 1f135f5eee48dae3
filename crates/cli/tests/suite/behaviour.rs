//! The program as a process: exit codes, files, pipes, signals, and reproducible output.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const TIMINGS: [&str; 5] = ["rounds", "unit", "uniform", "exponential", "reorder"];

fn bellwether(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(args);
    command
}

fn output(args: &[&str]) -> Output {
    bellwether(args).output().unwrap()
}

/// Standard output of a command that must end with this exit code.
fn stdout(args: &[&str], code: i32) -> String {
    let Output { status, stdout, stderr } = output(args);
    let errors = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(code), "bellwether {}: {errors}", args.join(" "));
    String::from_utf8(stdout).unwrap()
}

fn json(args: &[&str], code: i32) -> Value {
    serde_json::from_str(&stdout(args, code)).unwrap()
}

/// The example of every algorithm: `run NAME OPTIONS`.
fn examples() -> Vec<Vec<String>> {
    let catalogue = json(&["list", "--json"], 0);
    let example = |entry: &Value| entry["example"].as_str().unwrap().split(' ').skip(1).map(String::from).collect();
    catalogue.as_array().unwrap().iter().map(example).collect()
}

/// The output of an example with more options.
fn output_of(example: &[String], options: &[&str]) -> Output {
    output(&example.iter().map(String::as_str).chain(options.iter().copied()).collect::<Vec<_>>())
}

/// The example under a timing. Wake-ups in given rounds, which are at the end of an example, need rounds.
fn timed(example: &[String], timing: &str) -> Vec<String> {
    let plain = example.iter().take_while(|word| timing == "rounds" || *word != "--wake");
    plain.cloned().chain(["--timing".into(), timing.into()]).collect()
}

/// No node waits for a copy that comes after its round.
#[test]
fn late_copies_do_not_keep_a_synchronized_run_going() {
    for seed in ["1", "2", "3"] {
        let network = ["run", "floodmax", "--topology", "grid:3x3", "--json", "--force", "--seed", seed];
        let run = [&network[..], &["--timing", "reorder", "--fault", "duplicate=0.3"]].concat();
        assert_eq!(json(&run, 0)["outcome"], "elected");
    }
}

#[test]
fn every_example_is_right() {
    for example in examples() {
        assert_eq!(output_of(&example, &[]).status.code(), Some(0), "{example:?}");
    }
}

fn path(folder: &TempDir, name: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let text = path.to_str().unwrap().to_string();
    (path, text)
}

#[test]
fn a_report_for_programs_has_its_keys() {
    let report = json(&["run", "chang-roberts", "--topology", "ring:4", "--ids", "3,1,9,5", "--json"], 0);
    let expected: Value = serde_json::from_str(
        r#"{"algorithm":"chang-roberts","topology":"ring:4","nodes":4,"links":4,"timing":"unit","seed":1,
        "initiators":[0,1,2,3],"ids":[3,1,9,5],"outcome":"elected","leaders":[{"node":2,"id":9}],"decided":[9,9,9,9],
        "messages":{"total":14,"election":10,"announce":4,"by_kind":{"elect":10,"announce":4}},"bits":60,"time":7,
        "bounds":{"messages":{"best":11,"mean":12.333333333333332,"worst":14},
        "election":{"best":7,"mean":8.333333333333332,"worst":10},"announce":4,"time":{"worst":7}},
        "ok":true,"violations":[],"not_judged":[],"elections":1,
        "repeat":"bellwether run chang-roberts --topology ring:4 --ids 3,1,9,5 --seed 1"}"#,
    )
    .unwrap();
    assert_eq!(report, expected);
}

#[test]
fn an_algorithm_is_found_by_any_of_its_names_and_called_by_its_own() {
    for entry in json(&["list", "--json"], 0).as_array().unwrap() {
        for alias in entry["aliases"].as_array().unwrap().iter().map(|alias| alias.as_str().unwrap()) {
            assert_eq!(json(&["explain", alias, "--json"], 0)["name"], entry["name"], "{alias}");
        }
    }
    let report = json(&["run", "lcr", "--json"], 0);
    assert_eq!(report["algorithm"], "clockwise");
    assert_eq!(report["repeat"], "bellwether run clockwise --topology ring:8 --seed 1");
    assert!(stdout(&["explain", "lcr"], 0).contains("Also called\n\n  LCR\n"));
}

#[test]
fn a_round_beyond_64_bits_is_written_in_full() {
    let ids = "18446744073709551615,18446744073709551614";
    let report = stdout(&["run", "time-slice", "--topology", "ring:2", "--ids", ids, "--json"], 0);
    assert!(report.contains("\"time\":36893488147419103230,"), "{report}");
}

#[test]
fn a_stop_ends_all_elections_and_says_nothing_about_them() {
    for timing in ["rounds", "unit"] {
        let report = json(
            &["run", "chang-roberts", "--timing", timing, "--elections", "4294967295", "--limit", "100", "--json"],
            3,
        );
        assert_eq!(report["violations"], serde_json::json!([]));
    }
}

#[test]
fn anonymous_nodes_have_no_ids() {
    let report = json(&["run", "itai-rodeh", "--topology", "ring:3", "--json"], 0);
    assert_eq!(report["leaders"].as_array().unwrap().len(), 1);
    assert_eq!(report["leaders"][0]["id"], Value::Null);
    assert_eq!(report["decided"], serde_json::json!([null, null, null]));
}

#[test]
fn large_runs_leave_out_the_lists_unless_asked() {
    let large = ["run", "peterson", "--topology", "ring:10001", "--json"];
    let report = json(&large, 0);
    assert!(report.get("decided").is_none() && report.get("initiators").is_none());
    let report = json(&[&large[..], &["--full"]].concat(), 0);
    assert_eq!(report["decided"].as_array().unwrap().len(), 10_001);
    assert_eq!(report["initiators"].as_array().unwrap().len(), 10_001);
}

#[test]
fn what_every_node_sent_is_listed_if_asked() {
    let run = ["run", "chang-roberts", "--topology", "ring:4", "--ids", "3,1,9,5", "--json", "--stats"];
    assert_eq!(json(&run, 0)["stats"]["sends"], serde_json::json!({"most": 5, "node": 1}));
    let report = json(&[&run[..], &["--full"]].concat(), 0);
    assert_eq!(report["stats"]["sends"], serde_json::json!({"most": 5, "node": 1, "by_node": [4, 5, 2, 3]}));
}

#[test]
fn exit_codes_tell_how_it_ended() {
    stdout(&["run", "franklin"], 0);
    stdout(&["run", "franklin", "--ids", "same", "--force"], 1);
    stdout(&["run", "franklin", "--topology", "mesh:3"], 2);
    stdout(&["run", "franklin", "--limit", "5"], 3);
    let stopped = json(&["run", "franklin", "--limit", "5", "--json"], 3);
    assert_eq!(stopped["outcome"], "limit");
    assert_eq!(stopped["stopped"], "after 5 events; --limit N allows more");
    // Two leaders that were seen count, even if the run is stopped afterwards.
    stdout(&["run", "franklin", "--ids", "same", "--force", "--limit", "30"], 1);
}

#[test]
fn a_search_judges_every_property_or_says_why_not() {
    let cases: [(&[&str], &[&str]); 7] = [
        (&["chang-roberts"], &[]),
        (&["chang-roberts", "--starts", "first"], &[]),
        (&["chang-roberts", "--starts", "first", "--links", "reorder"], &["steady", "bounds"]),
        (&["itai-rodeh"], &["winner"]),
        (&["peterson", "--ids", "1,1,2"], &["bounds"]),
        // On some schedules no node leads, so there is no winner to compare. On others an uninformed node was seen.
        (&["peterson", "--loss", "1"], &["steady", "winner", "bounds"]),
        (&["le-lann", "--ids", "1,2,3", "--links", "reorder"], &["winner", "bounds"]),
    ];
    for (words, expected) in cases {
        let args = [&["check"], words, &["--topology", "ring:3", "--json"]].concat();
        let verdict: Value = serde_json::from_slice(&output(&args).stdout).unwrap();
        let properties = verdict["properties"].as_array().unwrap();
        assert_eq!(properties.len(), 7, "{words:?}");
        let not_judged = properties.iter().filter(|property| property["why"].is_string());
        assert_eq!(not_judged.clone().map(|property| property["key"].as_str().unwrap()).collect::<Vec<_>>(), expected);
        assert!(not_judged.clone().all(|property| property["holds"].is_null()));
    }
    assert_eq!(json(&["check", "clockwise", "--topology", "ring:3", "--json"], 0)["synchronizer"], "alpha");
}

/// The only participant crashes. A run has nothing to judge, and a search skips such schedules.
#[test]
fn where_all_who_took_part_crash_there_is_no_election_to_judge() {
    let bully = ["bully", "--topology", "complete:3", "--ids", "3,1,2", "--initiators", "0", "--json"];
    let report = json(&[&["run"], &bully[..], &["--fault", "crash=0@1.81"]].concat(), 3);
    assert_eq!((&report["outcome"], &report["violations"]), (&Value::from("no-leader"), &serde_json::json!([])));
    let not_judged = report["not_judged"].as_array().unwrap();
    let leader = not_judged.iter().find(|property| property["key"] == "a-leader").unwrap();
    assert_eq!(leader["why"], "all who took part have crashed");
    let verdict = json(&[&["check"], &bully[..], &["--crashes", "1"]].concat(), 0);
    assert_eq!(verdict["excused"], "schedules on which all who took part crash");
}

#[test]
fn a_search_that_is_stopped_says_how_far_it_came_and_what_would_bound_it() {
    let cases = [
        ("itai-rodeh --topology ring:3 --links reorder", "any number of tournaments"),
        ("traversal-path --topology ring:3 --links duplicate", "--links duplicate:K"),
        ("traversal-path --topology ring:3 --links duplicate:1", "without what the algorithm assumes"),
        ("hirschberg-sinclair --topology ring:8", "take fewer nodes"),
    ];
    for (command, hint) in cases {
        let args = format!("check {command} --memory 2M --time 90s --json");
        let verdict = json(&args.split(' ').collect::<Vec<_>>(), 3);
        assert_eq!(verdict["stopped"], "the states take more than 2M; --memory SIZE allows more", "{command}");
        assert!(verdict["depth"].as_u64().unwrap() > 10, "{command}");
        assert!(verdict["hint"].as_str().unwrap().contains(hint), "{command}: {}", verdict["hint"]);
        assert!(verdict["repeat"].as_str().unwrap().ends_with(" --memory 2M --time 90s"), "{command}");
    }
}

#[test]
fn exact_costs_say_why_schedules_were_left_out() {
    let schedules = |args: &[&str]| json(&[&["exact"], args, &["--json"]].concat(), 0)["schedules"].clone();
    let left_out = |args: &[&str]| schedules(args)["left_out"].as_str().unwrap().to_string();
    assert_eq!(schedules(&["chang-roberts", "--topology", "ring:3"]), serde_json::json!({"min": 5, "max": 6}));
    assert_eq!(left_out(&["peterson", "--schedules", "unit"]), "only unit delays were asked for");
    assert_eq!(left_out(&["clockwise"]), "in rounds there is only one");
    assert!(left_out(&["bully"]).contains("timers"));
    assert!(left_out(&["echo-election", "--topology", "complete:5", "--ids", "all"]).contains("too many states"));
    let stopped = json(&["exact", "peterson", "--topology", "ring:11", "--time", "100ms", "--json"], 3);
    assert!(stopped["configurations"].as_u64().unwrap() > 0);
}

/// A run that never ends can be watched on purpose. If it may end, it is not refused.
/// The lines of the cheapest and the dearest configuration can be run, and cost what was told.
#[test]
fn exact_costs_come_with_lines_that_run() {
    for searched in [
        &["exact", "clockwise-async", "--as-printed", "adopts-any", "--topology", "ring:3"][..],
        &["exact", "peterson", "--topology", "ring:4", "--set", "leader=last", "--schedules", "unit"],
        &["exact", "traversal-path", "--topology", "all-graphs:3", "--initiators", "all-sets"],
        &["exact", "echo-election", "--topology", "gnp:4:0.5", "--seed", "3", "--schedules", "unit"],
    ] {
        let messages = &json(&[searched, &["--json"]].concat(), 0)["messages"];
        for end in ["min", "max"] {
            let Some(line) = messages[format!("{end}_run")].as_str() else { continue };
            let words: Vec<&str> = line.split(' ').skip(1).chain(["--json"]).collect();
            let run = json(&words, 0);
            assert_eq!(run["messages"]["election"], messages[end], "{line}");
        }
    }
}

#[test]
fn draws_from_one_value_end_only_if_somebody_is_alone_or_ahead() {
    let run = ["run", "itai-rodeh", "--topology", "ring:3", "--set", "k=1", "--limit", "9999"];
    for timing in ["rounds", "unit", "uniform", "exponential"] {
        stdout(&[&run[..], &["--timing", timing]].concat(), 2);
        stdout(&[&run[..], &["--timing", timing, "--force"]].concat(), 3);
    }
    stdout(&[&run[..], &["--timing", "reorder"]].concat(), 0);
    stdout(&[&run[..], &["--initiators", "one"]].concat(), 0);
}

#[test]
fn a_limit_that_is_just_enough_is_no_limit() {
    // 8 starts and 40 deliveries.
    let report = json(&["run", "franklin", "--ids", "ascending", "--json", "--stats"], 0);
    let events = report["stats"]["events"].as_u64().unwrap();
    assert_eq!(events, 8 + report["messages"]["total"].as_u64().unwrap());
    stdout(&["run", "franklin", "--ids", "ascending", "--limit", &events.to_string()], 0);
    stdout(&["run", "franklin", "--ids", "ascending", "--limit", &(events - 1).to_string()], 3);
}

#[test]
fn the_repeat_line_repeats_the_run() {
    let folder = TempDir::new().unwrap();
    let (file, ids) = path(&folder, "some ids.txt");
    fs::write(file, "4, 2 # two\n9\n7\n").unwrap();
    let ids = format!("file:{ids}");
    let commands: [&[&str]; 4] = [
        &["run", "itai-rodeh", "--topology", "ring:5", "--set", "k=2", "--timing", "exponential", "--seed", "9"],
        &["run", "variable-speeds", "--topology", "ring:4", "--wake", "1@3", "--wake", "0@2", "--ids", "descending"],
        &[
            "run",
            "chang-roberts",
            "--topology",
            "ring:4",
            "--elections",
            "2",
            "--initiators",
            "random:2",
            "--ids",
            &ids,
        ],
        &["run", "peterson", "--ids", "same", "--force", "--limit", "100"],
    ];
    for command in commands {
        let first = output(&[command, &["--json"]].concat());
        let report: Value = serde_json::from_slice(&first.stdout).unwrap();
        let line = report["repeat"].as_str().unwrap().replacen("bellwether", env!("CARGO_BIN_EXE_bellwether"), 1);
        let again = Command::new("sh").args(["-c", &format!("{line} --json")]).output().unwrap();
        assert_eq!((first.stdout, first.status), (again.stdout, again.status), "{line}");
    }
}

#[test]
fn what_was_read_from_standard_input_is_said_to_be_needed_again() {
    let mut child = bellwether(&["run", "echo-election", "--topology", "file:-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"0 1\n1 2\n").unwrap();
    let report: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    let line = "bellwether run echo-election --topology file:- --seed 1 # with the same standard input";
    assert_eq!(report["repeat"], line);
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    for example in examples() {
        for timing in TIMINGS {
            let run = || {
                let (trace, trace_path) = path(&folder, "run.ndjson");
                let (log, log_path) = path(&folder, "run.log");
                let options = ["--events", "--force", "--stats"];
                let files = ["--trace", &trace_path, "--shiviz", &log_path];
                let output = output_of(&timed(&example, timing), &[&options[..], &files].concat());
                assert!(output.stderr.is_empty());
                (output.stdout, fs::read(trace).unwrap(), fs::read(log).unwrap())
            };
            assert!(run() == run(), "{example:?}, {timing}");
        }
    }
}

#[test]
fn a_trace_replays_to_the_same_report() {
    let folder = TempDir::new().unwrap();
    let (_, trace) = path(&folder, "run.ndjson");
    for example in examples() {
        for timing in TIMINGS {
            let run = output_of(&timed(&example, timing), &["--force", "--json", "--trace", &trace]);
            let replay = output(&["replay", &trace, "--json"]);
            let errors = String::from_utf8_lossy(&replay.stderr);
            assert_eq!(run.status.code(), replay.status.code(), "{example:?}, {timing}: {errors}");
            let [mut run, mut replay] =
                [run, replay].map(|output| serde_json::from_slice::<BTreeMap<String, Value>>(&output.stdout).unwrap());
            run.remove("repeat");
            replay.remove("repeat");
            assert_eq!(replay.remove("replay"), Some("same".into()));
            assert_eq!(run, replay, "{example:?}, {timing}");
        }
    }
}

#[test]
fn a_run_stopped_at_its_limit_replays_too() {
    let folder = TempDir::new().unwrap();
    let (_, trace) = path(&folder, "run.ndjson");
    stdout(&["run", "peterson", "--limit", "20", "--trace", &trace], 3);
    stdout(&["replay", &trace], 3);
}

/// Traces of format 1 number all messages of a run together: a simulated run, a live run, and one chosen by the
/// checker.
#[test]
fn traces_of_the_first_format_replay() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1");
    for (name, code) in [("simulated.ndjson", 0), ("live.ndjson", 1), ("chosen.ndjson", 1)] {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("{\"format\":1,"), "{name}");
        let replayed = json(&["replay", path.to_str().unwrap(), "--json"], code);
        assert_eq!(replayed["replay"], "same", "{name}: {replayed}");
        // The messages have the old numbers: another message would have another content or another sender.
        let at = text.lines().position(|line| line.contains("\"receive\"")).unwrap();
        let (code, told) = tampered(&text, |lines| lines[at] = lines[at].replacen("\"n\":", "\"n\":99", 1));
        assert!(code == 2 && told.contains(&format!("line {}: nobody has sent message 99", at + 1)), "{name}: {told}");
    }
}

/// A message is named by its sender and its number: every sender counts its own from 0.
#[test]
fn messages_are_numbered_by_their_senders() {
    let folder = TempDir::new().unwrap();
    let (file, name) = path(&folder, "run.ndjson");
    let faults = "--fault crash=1@1 --fault recover=1@3 --fault loss=0.1 --fault duplicate=0.2 --force --trace";
    let check = "check bully --topology complete:3 --timers any --crashes 1 --memory 100M --trace";
    let runs =
        ["run bully --topology complete:4", "run floodmax --topology grid:3x3", "live bully --topology complete:4"];
    for run in runs.map(|run| format!("{run} {faults}")).into_iter().chain([check.into()]) {
        let words: Vec<&str> = run.split(' ').chain([name.as_str()]).collect();
        output(&words);
        let trace = fs::read_to_string(&file).unwrap();
        assert!(trace.starts_with("{\"format\":2,"), "{run}");
        let mut sent: BTreeMap<u64, u64> = BTreeMap::new();
        for line in trace.lines().skip(1) {
            let event: Value = serde_json::from_str(line).unwrap();
            let is_fate = ["drop", "duplicate"].iter().any(|kind| event["kind"] == *kind);
            for message in event["sent"].as_array().into_iter().flatten().filter(|_| !is_fate) {
                let count = sent.entry(event["node"].as_u64().unwrap()).or_default();
                assert_eq!(message["n"], *count, "{run}: {line}");
                *count += 1;
            }
            for message in event["received"].as_array().into_iter().flatten() {
                assert!(message["n"].as_u64() < sent.get(&message["from"].as_u64().unwrap()).copied(), "{run}: {line}");
            }
        }
        assert!(sent.len() > 1, "{run}");
    }
}

/// Changes a recorded trace, and returns the result of its replay.
fn tampered(trace: &str, change: impl Fn(&mut Vec<String>)) -> (i32, String) {
    let folder = TempDir::new().unwrap();
    let (file, name) = path(&folder, "tampered.ndjson");
    let mut lines: Vec<String> = trace.lines().map(String::from).collect();
    change(&mut lines);
    fs::write(file, lines.join("\n") + "\n").unwrap();
    let Output { status, stdout, stderr } = output(&["replay", &name]);
    let text = String::from_utf8([stdout, stderr].concat()).unwrap();
    assert!(!text.contains("panicked"), "{text}");
    (status.code().unwrap(), text)
}

/// A simulated run is determined by its scenario. Every line that is missing, repeated or too early is found.
#[test]
fn a_changed_trace_diverges_and_the_line_is_named() {
    let folder = TempDir::new().unwrap();
    let (file, name) = path(&folder, "run.ndjson");
    let bully = "bully --topology complete:3 --fault crash=0@1 --elections 2 --timing";
    let runs = [
        "itai-rodeh --topology ring:3 --set k=2".into(),
        "variable-speeds --topology ring:4 --ids 3,1,4,2 --wake 0@1 --wake 2@2".into(),
        "chang-roberts --topology ring:4 --fault loss=0.3 --fault duplicate=0.3 --force".into(),
        format!("{bully} rounds"),
        format!("{bully} uniform --limit 20"),
    ];
    for run in runs {
        let words: Vec<&str> = ["run"].into_iter().chain(run.split(' ')).chain(["--trace", &name]).collect();
        let recorded = output(&words).status.code().unwrap();
        let trace = fs::read_to_string(&file).unwrap();
        let (code, text) = tampered(&trace, |_| {});
        assert_eq!(code, recorded, "{run}: {text}");
        let last = trace.lines().count() - 1;
        for line in 1..last {
            type Change = fn(&mut Vec<String>, usize);
            let changes: [Change; 3] = [
                |lines, at| drop(lines.remove(at)),
                |lines, at| lines.insert(at, lines[at].clone()),
                |lines, at| lines.swap(at, at + 1),
            ];
            for (kind, change) in changes.into_iter().enumerate() {
                let (code, text) = tampered(&trace, |lines| change(lines, line));
                if code == 2 {
                    assert!(text.contains("something follows after the ending"), "{text}");
                    continue;
                }
                assert_eq!(code, 1, "{run}: line {line}, change {kind}: {text}");
                // A repeated line is found at its second place.
                let found = line + 1 + usize::from(kind == 1);
                let same = trace.lines().nth(line) == trace.lines().nth(line + 1);
                assert!(same || text.contains(&format!("line {found}:")), "{run}: {line}, {kind}: {text}");
            }
        }
        let (code, text) =
            tampered(&trace, |lines| lines[last] = lines[last].replacen("\"messages\":", "\"messages\":9", 1));
        assert!(code == 1 && text.contains(&format!("line {}: the run ends with", last + 1)), "{text}");
        let (code, _) = tampered(&trace, |lines| lines[0] = lines[0].replacen("\"seed\":1", "\"seed\":2", 1));
        let chance = ["itai-rodeh", "chang-roberts", "uniform"].iter().any(|word| run.contains(word));
        assert_eq!(code, if chance { 1 } else { recorded }, "{run}");
    }
}

/// The sentence of a step does not tell its rules and variables, nor the ports and numbers of its messages.
#[test]
fn a_changed_rule_variable_port_or_number_is_named_with_both_values() {
    let folder = TempDir::new().unwrap();
    let (file, name) = path(&folder, "run.ndjson");
    stdout(&["run", "peterson", "--topology", "ring:3", "--ids", "3,2,1", "--trace", &name], 0);
    let trace = fs::read_to_string(file).unwrap();
    for (from, to, what) in [
        (r#""rules":["2d"]"#, r#""rules":["2e"]"#, "node 1 follows rule 2d, and the trace says rule 2e"),
        (r#""ntid":"1""#, r#""ntid":"7""#, "variable ntid of node 0 is now 1, and the trace says that it is now 7"),
        (r#""ntid":"1""#, r#""ntid":null"#, "variable ntid of node 0 is now 1, and the trace says that it is gone"),
        (
            r#""ntid":"1""#,
            r#""ntid":"1","x":2"#,
            "variable x of node 0 does not change, and the trace says that it is now 2",
        ),
        (r#""n":0,"from":2"#, r#""n":5,"from":2"#, "message 0 of node 2 arrives, and the trace says message 5"),
        (r#""port":0"#, r#""port":1"#, "by port 0 as message 0, but the trace says"),
        (r#""kind":"start""#, r#""kind":"start","timer":"x""#, "such an event has no 'timer'"),
    ] {
        let (code, text) = tampered(&trace, |lines| {
            let line = lines.iter_mut().skip(1).find(|line| line.contains(from)).unwrap_or_else(|| panic!("{from}"));
            *line = line.replacen(from, to, 1);
        });
        assert!(code == 1 && text.contains(what), "{to}: {code} {text}");
    }
}

/// A replay follows the trace of a live run: the events must be possible, and the processes must do the same.
#[test]
fn a_changed_trace_of_a_live_run_diverges_and_the_line_is_named() {
    let folder = TempDir::new().unwrap();
    let (file, name) = path(&folder, "live.ndjson");
    stdout(&["live", "itai-rodeh", "--topology", "ring:3", "--set", "k=2", "--trace", &name], 0);
    let trace = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = trace.lines().collect();
    let at = |wanted: &str| lines.iter().position(|line| line.contains(wanted)).unwrap();
    let (drawn, received, decided, last) = (at("\"draws\":[1]"), at("receive"), at("decide"), lines.len() - 1);

    type Change<'a> = Box<dyn Fn(&mut Vec<String>) + 'a>;
    let swap = |line: usize, from: &'static str, to: &'static str| -> Change<'_> {
        Box::new(move |lines| {
            assert!(lines[line].contains(from), "{} has no {from}", lines[line]);
            lines[line] = lines[line].replacen(from, to, 1);
        })
    };
    let cases: Vec<(Change<'_>, usize, &str)> = vec![
        (Box::new(|_| {}), 0, ""),
        (swap(drawn, "\"draws\":[1]", "\"draws\":[0]"), drawn + 1, "the seed says 1"),
        (swap(drawn, "\"draws\":[1]", "\"draws\":[7]"), drawn + 1, "drew 7"),
        (swap(drawn, "\"draws\":[1],", ""), drawn + 1, "draws one value more"),
        (swap(drawn, "\"draws\":[1]", "\"draws\":[1,1]"), drawn + 1, "draws fewer values"),
        (swap(received, "\"n\":", "\"n\":9"), received + 1, "no message 9"),
        (swap(received, "\"from\":", "\"from\":7"), received + 1, "is not behind port"),
        (swap(decided, "\"t\":", "\"t\":1"), decided + 1, "decides something else"),
        (swap(received, "\"node\":", "\"node\":7"), received + 1, "there is no node 7"),
        (swap(decided, "\"decision\"", "\"role\":\"emperor\",\"decision\""), decided + 1, "has no 'role'"),
        (swap(drawn, "\"active\"", "\"passive\""), drawn + 1, "is now active, and the trace says \"passive\""),
        (swap(received, "\"receive\"", "\"start\""), received + 1, "starts twice"),
        (swap(received, "\"receive\"", "\"timeout\""), received + 1, "does not belong"),
        (swap(received, "\"receive\"", "\"crash\""), received + 1, "is planned here"),
        (swap(0, "\"elections\":1", "\"elections\":2,\"forced\":true"), last + 1, "2 elections were planned"),
        (swap(0, "\"limit\":", "\"limit\":9,\"forced\":true,\"max_delay\":"), last + 1, "stopped after 9 events"),
        (swap(decided, "leader", "undecided"), decided + 1, "decides something else"),
        (Box::new(|lines| drop(lines.remove(decided))), decided + 1, "decides here"),
        (Box::new(|lines| drop(lines.remove(1))), 0, "has not started"),
        (Box::new(|lines| lines.swap(1, last - 1)), 2, "should have started before"),
        (swap(last, "elected", "no-leader"), last + 1, "ends differently"),
        (Box::new(|lines| drop(lines.drain(decided + 1..last))), decided + 2, "under way"),
    ];
    for (index, (change, line, what)) in cases.into_iter().enumerate() {
        let (code, text) = tampered(&trace, change);
        if index == 0 {
            assert_eq!(code, 0, "{text}");
            continue;
        }
        assert_eq!(code, 1, "{what}: {text}");
        let named = line == 0 || text.contains(&format!("line {line}:")) && text.contains(what);
        assert!(named, "{what} in line {line}: {text}");
    }
}

#[test]
fn a_damaged_trace_is_refused_with_the_line() {
    let folder = TempDir::new().unwrap();
    let (file, name) = path(&folder, "run.ndjson");
    stdout(&["run", "peterson", "--topology", "ring:3", "--trace", &name], 0);
    let trace = fs::read_to_string(file).unwrap();
    let refused = |what: &str, change: &dyn Fn(&mut Vec<String>)| {
        let (code, text) = tampered(&trace, change);
        assert!(code == 2 && text.contains(what), "{what}: {code} {text}");
    };
    refused("breaks off", &|lines| drop(lines.pop()));
    let (broken_off, name) = path(&folder, "broken off.ndjson");
    fs::write(broken_off, trace.lines().next().unwrap()).unwrap();
    assert_eq!(stdout(&["replay", &name], 2), "");
    refused("line 3, column", &|lines| lines[2] = lines[2][..20].into());
    refused("line 3, column", &|lines| lines[2] = "null".into());
    refused("unknown field", &|lines| *lines.last_mut().unwrap() = r#"{"end":"elected","extra":1}"#.into());
    refused("unknown field", &|lines| lines[2] = lines[2].replace("\"t\"", "\"when\""));
    refused("follows after the ending", &|lines| lines.push(lines[1].clone()));
    refused("2 ids for 3 nodes", &|lines| lines[0] = lines[0].replacen("\"ids\":[3,", "\"ids\":[", 1));
    refused("no node 3 to start", &|lines| lines[0] = lines[0].replacen("\"all\"", "[[0,1],[3,1]]", 1));
    refused("in round 0", &|lines| lines[0] = lines[0].replacen("\"all\"", "[[0,0]]", 1));
    refused("not --wake", &|lines| lines[0] = lines[0].replacen("\"all\"", "[[0,2]]", 1));
    refused("needs different ids", &|lines| lines[0] = lines[0].replacen("[3,2,1]", "[3,3,1]", 1));
    refused("at least one election", &|lines| lines[0] = lines[0].replacen("\"elections\":1", "\"elections\":0", 1));
    refused("no algorithm", &|lines| lines[0] = lines[0].replacen("peterson", "petersen", 1));
    refused("has no parameter", &|lines| {
        lines[0] = lines[0].replacen("\"elections\"", "\"settings\":{\"k\":1},\"elections\"", 1);
    });
    refused("3 ids for 4294967295 nodes", &|lines| lines[0] = lines[0].replacen("ring:3", "ring:4294967295", 1));
}

#[test]
fn a_failed_run_leaves_no_file_and_spoils_none() {
    let folder = TempDir::new().unwrap();
    let (draws, draws_path) = path(&folder, "draws.json");
    let (trace, trace_path) = path(&folder, "run.ndjson");
    fs::write(&draws, "[[5]]").unwrap();
    let run = ["run", "itai-rodeh", "--topology", "ring:2", "--draws", &draws_path, "--trace", &trace_path];
    assert_eq!(stdout(&run, 2), "", "nor anything on standard output");
    assert!(!trace.exists());
    fs::write(&trace, "precious").unwrap();
    stdout(&run, 2);
    assert_eq!(fs::read_to_string(&trace).unwrap(), "precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn scripted_draws_decide_an_anonymous_election() {
    let folder = TempDir::new().unwrap();
    let (file, draws) = path(&folder, "draws.json");
    for script in ["[[1],[1],[0]]", r#"{"0":[1],"1":[1],"2":[0]}"#] {
        fs::write(&file, script).unwrap();
        let report = json(&["run", "itai-rodeh", "--topology", "ring:3", "--draws", &draws, "--json"], 0);
        assert_eq!(report["leaders"][0]["node"], 2);
        // Tokens: 1 hop from node 1, 2 from node 0, 3 from the winner.
        assert_eq!(report["messages"]["by_kind"]["token"], 6);
    }
    fs::write(&file, r#"{"0":[1],"0":[2]}"#).unwrap();
    let refused = output(&["run", "itai-rodeh", "--topology", "ring:3", "--draws", &draws]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("draws.json: node 0 has two lists"));
}

#[test]
fn a_closed_pipe_is_silent() {
    for args in [&["run", "le-lann", "--topology", "ring:300", "--events"][..], &["list"], &["explain", "franklin"]] {
        let mut child = bellwether(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        assert!(status.success() && stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    }
}

/// The verdict stays the same even if its output is not read.
#[test]
fn a_closed_pipe_does_not_change_the_verdict() {
    for args in [
        &["check", "chang-roberts", "--topology", "ring:3", "--loss", "1"][..],
        &["check", "chang-roberts", "--topology", "ring:3", "--loss", "1", "--json"],
        &["run", "franklin", "--ids", "same", "--force"],
        &["run", "franklin", "--ids", "same", "--force", "--json"],
    ] {
        let mut child = bellwether(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        assert!(status.code() == Some(1) && stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    }
}

/// The memory of processes, beside the counted states, is measured from outside.
#[test]
fn memory_is_kept_within_its_budget_whatever_takes_it() {
    let verdict = json(
        &["check", "traversal-path", "--topology", "complete:4", "--links", "duplicate:2", "--memory", "60M", "--json"],
        3,
    );
    assert_eq!(verdict["stopped"], "the states take more than 60M; --memory SIZE allows more");
}

/// However many may start, fewer may be woken up first.
#[test]
fn bounds_count_those_who_really_start() {
    json(&["check", "tree-waves", "--topology", "star:12", "--ids", "descending", "--json"], 0);
    json(&["check", "peterson", "--topology", "ring:11", "--ids", "descending", "--json"], 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_memory_refuses_what_is_too_large_and_stops_what_grows_too_large() {
    let within = |kilobytes: u64, line: &str| {
        let script = format!("ulimit -v {kilobytes} && exec \"$0\" {line}");
        let Output { status, stdout, stderr } =
            Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_bellwether")]).output().unwrap();
        (status.code(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
    };
    let (code, told) = within(400_000, "run chang-roberts --topology ring:20000000");
    assert!(code == Some(2) && told.contains("the run would need 0.6 GB of memory"), "{code:?}: {told}");
    let (code, told) = within(400_000, "run chang-roberts --topology ring:9000 --ids descending");
    assert!(code == Some(0) && told.contains("known to all 9,000 nodes"), "{code:?}: {told}");
    let (code, told) = within(400_000, "run broadcast-max --topology complete:300");
    assert!(code == Some(2) && told.contains("the run would need 0.4 GB of memory"), "{code:?}: {told}");
    // A size is named that is feasible, also in rounds.
    for timing in ["unit", "rounds"] {
        let (code, told) = within(4_000_000, &format!("run broadcast-max --topology complete:1000 --timing {timing}"));
        let nodes = told.trim_end().split_once("take fewer nodes, some ").expect(&told).1;
        assert!(code == Some(2) && (200..800).contains(&nodes.parse::<u32>().unwrap()), "{code:?}: {told}");
    }
    let (code, told) = within(400_000, "run broadcast-max --topology complete:300 --timing uniform");
    assert!(code == Some(3) && told.contains("the run takes all the memory that there is"), "{code:?}: {told}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_may_be_closed_too() {
    let folder = TempDir::new().unwrap();
    let (pipe, name) = path(&folder, "pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for option in ["--trace", "--shiviz"] {
        let mut run = bellwether(&["run", "le-lann", "--topology", "ring:300", option, &name]);
        let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        fs::File::open(&pipe).unwrap().read_exact(&mut [0; 10]).unwrap();
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        assert!(status.success() && stderr.is_empty(), "{option}: {}", String::from_utf8_lossy(&stderr));
    }
}

#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_and_termination_stop_a_run_cleanly() {
    for name in ["INT", "TERM"] {
        let args = [
            "run",
            "itai-rodeh",
            "--topology",
            "ring:30",
            "--set",
            "k=1",
            "--force",
            "--limit",
            "1000000000000",
            "--events",
        ];
        let mut child = bellwether(&args).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut title = String::new();
        out.read_line(&mut title).unwrap();
        assert!(title.starts_with("itai-rodeh"));
        signal(&child, name);
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(3));
        assert!(rest.contains("not known: the run was stopped"));
    }
}

/// A busy run on threads that is recorded stops at once. Its trace replays.
#[cfg(unix)]
#[test]
fn ctrl_c_stops_a_recorded_run_on_threads() {
    let folder = TempDir::new().unwrap();
    let (trace, name) = path(&folder, "run.ndjson");
    let line = "live itai-rodeh --topology ring:20 --set k=1 --force --limit 1000000000000 --events --trace";
    let args: Vec<&str> = line.split(' ').chain([&name[..]]).collect();
    let mut child = bellwether(&args).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    // Far more events than wait to be written.
    (0..20_000).for_each(|_| assert!(out.read_line(&mut String::new()).unwrap() > 0));
    signal(&child, "INT");
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(rest.contains("not known: the run was stopped") && trace.is_file());
    assert!(stdout(&["replay", &name, "--json"], 3).contains("\"outcome\":\"limit\""));
}

/// The memory of a run does not depend on the form of its report. It is not told of a run that is recorded.
#[test]
fn there_is_one_answer_about_memory() {
    let recorded = ["run", "peterson", "--topology", "ring:8", "--stats"];
    assert!(!stdout(&recorded, 0).contains("bytes a node"));
    for line in ["peterson --topology ring:800", "franklin --topology ring:800", "floodmax --topology grid:30x30"] {
        let args: Vec<&str> = ["run"].into_iter().chain(line.split(' ')).chain(["--stats"]).collect();
        let bytes = json(&[&args[..], &["--json"]].concat(), 0)["bytes"].clone();
        let told = format!("{} bytes a node, {} a message under way", bytes["node"], bytes["message"]);
        let human = stdout(&args, 0);
        assert!(human.contains(&told), "{told}: {human}");
    }
}

/// Those who survive a crash know no more than others do.
#[test]
fn survivors_know_as_much_as_the_algorithm_promises() {
    let args = ["run", "random-candidacy", "--topology", "complete:3", "--fault", "crash=0@1"];
    let human = stdout(&args, 0);
    assert!(human.contains("and all 2 living nodes know that somebody leads"), "{human}");
}

/// A told diameter beyond all diameters does not take the limit away.
#[test]
fn a_run_that_is_proved_to_take_hours_is_refused_unless_it_is_limited() {
    let args = ["run", "floodmax", "--topology", "ring:8", "--set", "diameter=1000000000000000000", "--json"];
    let refused = output(&args);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && told.contains("which would take hours"), "{told}");
    let limited = [&args[..], &["--limit", "1000"]].concat();
    assert_eq!(json(&limited, 3)["stopped"], "after 1,000 events; --limit N allows more");
    let too_many = output(&["check", "peterson", "--topology", "ring:30", "--ids", "all"]);
    assert_eq!(too_many.status.code(), Some(2));
}

/// A pipe without a reader blocks the program before its first step, after it has begun its trace.
#[cfg(unix)]
#[test]
fn a_second_ctrl_c_leaves_no_temporary_file() {
    let folder = TempDir::new().unwrap();
    let ((_, trace), (_, pipe)) = (path(&folder, "run.ndjson"), path(&folder, "pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let mut child = bellwether(&["run", "peterson", "--trace", &trace, "--shiviz", &pipe]).spawn().unwrap();
    while files() < 2 {
        assert_eq!(child.try_wait().unwrap(), None);
    }
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => signal(&child, "INT"),
        }
    };
    assert_eq!((status.code(), files()), (Some(130), 1));
}

/// A pipe without a writer blocks the program while it builds the network.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_building_of_a_network() {
    let folder = TempDir::new().unwrap();
    let (_, pipe) = path(&folder, "pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let network = format!("file:{pipe}");
    for args in [
        &["topology", &network][..],
        &["run", "echo-election", "--topology", &network],
        &["check", "echo-election", "--topology", &network],
    ] {
        // It reads once a writer has opened the pipe: the handler is set by then.
        let mut child = bellwether(args).stderr(Stdio::piped()).spawn().unwrap();
        let writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        signal(&child, "INT");
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(3), "{args:?}");
        assert!(errors.contains("stopped: interrupted"), "{errors}");
        drop(writer);
    }
}

/// A pipe without a reader blocks a run before its first step, where it does not notice Ctrl-C.
#[cfg(unix)]
#[test]
fn one_ctrl_c_ends_a_run_that_does_not_see_it() {
    let folder = TempDir::new().unwrap();
    let ((_, trace), (_, pipe)) = (path(&folder, "run.ndjson"), path(&folder, "pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let mut child = bellwether(&["run", "peterson", "--trace", &trace, "--shiviz", &pipe]).spawn().unwrap();
    while files() < 2 {
        assert_eq!(child.try_wait().unwrap(), None);
    }
    signal(&child, "INT");
    assert_eq!((child.wait().unwrap().code(), files()), (Some(3), 1));
}

#[test]
fn the_cheapest_and_the_dearest_order_cost_what_exact_says() {
    for topology in ["ring:5", "all-graphs:4"] {
        let algorithm = if topology == "ring:5" { "peterson" } else { "echo-election" };
        let args = ["exact", algorithm, "--topology", topology, "--schedules", "unit", "--json"];
        let found = json(&args, 0);
        assert_eq!(found, {
            let mut again = json(&args, 0);
            again["seconds"] = found["seconds"].clone();
            again
        });
        for end in ["min", "max"] {
            let line = found["messages"][format!("{end}_run")].as_str().unwrap().replace('\'', "") + " --json";
            let run = json(&line.split(' ').skip(1).collect::<Vec<_>>(), 0);
            assert_eq!(run["ids"], found["messages"][format!("{end}_ids")], "{line}");
            let by_kind = run["messages"]["by_kind"].as_object().unwrap();
            let election: u64 =
                by_kind.iter().filter(|(kind, _)| *kind != "announce").filter_map(|(_, n)| n.as_u64()).sum();
            assert_eq!(Some(election), found["messages"][end].as_u64(), "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_is_written_where_a_link_leads_and_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let (target, _) = path(&folder, "target.ndjson");
    let (link, trace) = path(&folder, "link");
    symlink("target.ndjson", &link).unwrap();
    let run = |umask: &str| {
        let line = format!("umask {umask}; exec '{}' run peterson --trace '{trace}'", env!("CARGO_BIN_EXE_bellwether"));
        assert!(Command::new("sh").args(["-c", &line]).stdout(Stdio::null()).status().unwrap().success());
        assert!(link.is_symlink());
        assert!(fs::read_to_string(&target).unwrap().starts_with("{\"format\""));
        fs::metadata(&target).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(run("027"), 0o640, "a new file is as open as the umask allows");
    fs::set_permissions(&target, PermissionsExt::from_mode(0o604)).unwrap();
    assert_eq!(run("027"), 0o604, "an old one as before");
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_noticed() {
    let folder = TempDir::new().unwrap();
    let (there, there_path) = path(&folder, "there");
    fs::write(&there, "precious").unwrap();
    let (hard, hard_path) = path(&folder, "hard");
    fs::hard_link(&there, hard).unwrap();
    let (soft, soft_path) = path(&folder, "soft");
    std::os::unix::fs::symlink("new", soft).unwrap();
    let (_, new_path) = path(&folder, "new");
    let (_, roundabout) = path(&folder, "./new");
    for [trace, shiviz] in
        [[&there_path, &hard_path], [&soft_path, &new_path], [&new_path, &roundabout], [&roundabout, &soft_path]]
    {
        let refused = output(&["run", "peterson", "--trace", trace, "--shiviz", shiviz]);
        assert_eq!(refused.status.code(), Some(2), "{trace} {shiviz}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("name the same file"));
    }
    assert_eq!(fs::read_to_string(there).unwrap(), "precious");
    stdout(&["run", "peterson", "--trace", &there_path, "--shiviz", &new_path], 0);
}

#[cfg(unix)]
#[test]
fn a_trace_to_standard_error_goes_there_even_if_that_is_a_file() {
    let folder = TempDir::new().unwrap();
    let (file, _) = path(&folder, "errors.txt");
    let errors = fs::File::create(&file).unwrap();
    let args = ["run", "peterson", "--trace", "/dev/stderr"];
    assert!(bellwether(&args).stdout(Stdio::null()).stderr(errors).status().unwrap().success());
    assert!(fs::read_to_string(&file).unwrap().starts_with("{\"format\""));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn help_has_every_option_under_its_heading() {
    let help = stdout(&["run", "--help"], 0);
    let headings = ["Scenario", "Chance", "Faults", "Output", "Pictures", "Machine"];
    let section = |heading: &str| {
        let rest = help.split_once(&format!("\n{heading}:\n")).unwrap_or_else(|| panic!("{heading}: {help}")).1;
        rest.split("\n\n").take_while(|part| part.starts_with("      --")).collect::<Vec<_>>().join("\n")
    };
    for (option, own) in
        [("wake", "Scenario"), ("draws", "Chance"), ("detect", "Faults"), ("trace", "Output"), ("limit", "Machine")]
    {
        let has_it = |heading: &&str| section(heading).contains(&format!("--{option} "));
        assert_eq!(headings.into_iter().filter(|heading| has_it(heading)).collect::<Vec<_>>(), [own], "{option}");
    }
    assert!(section("Pictures").starts_with("      --svg "));
    // The short help has the first ten and says that there are more.
    let short = stdout(&["run", "-h"], 0);
    assert!(short.contains("--html ") && !short.contains("--detect ") && short.contains("see more with '--help'"));
}

#[test]
fn colour_is_for_terminals_unless_forced() {
    assert!(!stdout(&["list"], 0).contains('\x1b'));
    let forced = bellwether(&["list"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8(forced.stdout).unwrap().contains('\x1b'));
}

/// The requirements of ShiViz. The expression in the first line parses the log. Every event increments its own host's
/// clock. A clock contains exactly the events that happened before, as the trace has them.
#[test]
fn a_shiviz_log_has_right_vector_clocks() {
    let folder = TempDir::new().unwrap();
    for example in examples() {
        for timing in ["rounds", "uniform", "reorder"] {
            let (trace, trace_path) = path(&folder, "run.ndjson");
            let (log, log_path) = path(&folder, "run.log");
            let files = ["--trace", &trace_path, "--shiviz", &log_path];
            output_of(&timed(&example, timing), &[&["--force"], &files[..]].concat());
            assert_clocks(&fs::read_to_string(trace).unwrap(), &log);
        }
    }
}

type Clock = BTreeMap<String, u64>;

fn assert_clocks(trace: &str, log: &Path) {
    let log = fs::read_to_string(log).unwrap();
    let mut lines = log.lines();
    assert_eq!(lines.next(), Some(r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"));
    assert_eq!(lines.next(), Some(""), "one execution");
    let mut clocks: BTreeMap<String, Clock> = BTreeMap::new();
    let mut sent: BTreeMap<(u64, u64), Clock> = BTreeMap::new();
    let number = |value: &Value| value.as_u64().unwrap();
    let events = trace.lines().skip(1).filter(|line| !line.contains("\"end\":"));
    for event in events {
        let event: Value = serde_json::from_str(event).unwrap();
        let text = lines.next().unwrap();
        assert!(!text.is_empty());
        let (host, clock) = lines.next().unwrap().split_once(' ').unwrap();
        let clock: Clock = serde_json::from_str(clock).unwrap();
        let node = host.strip_prefix("node").or(host.split_once('#').map(|(_, node)| node));
        assert_eq!(node, Some(event["node"].to_string().as_str()));

        let expected = clocks.entry(host.into()).or_default();
        *expected.entry(host.into()).or_default() += 1;
        for received in event["received"].as_array().into_iter().flatten() {
            for (other, time) in &sent[&(number(&received["from"]), number(&received["n"]))] {
                let known = expected.entry(other.clone()).or_default();
                *known = (*known).max(*time);
            }
        }
        assert_eq!(clock, *expected);
        for message in event["sent"].as_array().into_iter().flatten() {
            sent.insert((number(&event["node"]), number(&message["n"])), clock.clone());
        }
    }
    assert_eq!(lines.next(), None);
}

/// A ring in a file is run as a ring, and its trace does not need the file.
#[test]
fn a_ring_from_a_file_is_elected_on_and_replayed_without_it() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (file, trace) = (at("ring.dot"), at("run.ndjson"));
    fs::write(&file, "graph { ann -- bob -- cid -- dan -- ann }").unwrap();
    let topology = format!("file:{file}");
    let run = json(&["run", "peterson", "--topology", &topology, "--trace", &trace, "--json"], 0);
    assert_eq!((&run["topology"], &run["nodes"], &run["links"]), (&topology.into(), &4.into(), &4.into()));
    fs::remove_file(&file).unwrap();
    assert_eq!(json(&["replay", &trace, "--json"], 0)["replay"], "same");
    let swapped = fs::read_to_string(&trace).unwrap().replace(",\"oriented\":true", "");
    fs::write(&trace, swapped).unwrap();
    assert!(String::from_utf8_lossy(&output(&["replay", &trace]).stderr).contains("are not those of a ring"));
}

#[test]
fn a_network_goes_through_every_format_and_stays_the_same() {
    let folder = TempDir::new().unwrap();
    let expected = json(&["topology", "ws:30:4:0.3", "--seed", "5", "--json"], 0);
    for format in ["edge-list", "adjacency-list", "dot", "graphml", "graph6", "node-link"] {
        let path = folder.path().join(format).display().to_string();
        stdout(&["topology", "ws:30:4:0.3", "--seed", "5", "--to", format, "--out", &path], 0);
        let read = json(&["topology", &format!("file:{path}"), "--json"], 0);
        for key in ["nodes", "links", "degree", "diameter", "bipartite"] {
            assert_eq!(read[key], expected[key], "{key} by way of {format}");
        }
        let printed = stdout(&["topology", &format!("file:{path}"), "--to", format], 0);
        let body = |text: &str| text.split_once('\n').unwrap().1.to_string();
        assert_eq!(body(&printed), body(&fs::read_to_string(&path).unwrap()), "{format}");
    }
}

#[test]
fn the_largest_part_of_a_file_is_taken_and_the_rest_is_counted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("parts.col").display().to_string();
    fs::write(&path, "p edge 9 4\ne 2 4\ne 4 5\ne 5 2\ne 1 3\n").unwrap();
    let file = format!("file:{path}");
    let error = String::from_utf8(output(&["run", "echo-election", "--topology", &file]).stderr).unwrap();
    assert!(error.contains("not connected: no way leads from '1' to '2'"), "{error}");
    let options = ["--topology", &file, "--largest-component", "--json"];
    let of = |json: &serde_json::Value| (json["nodes"].clone(), json["links"].clone(), json["left_out"].clone());
    let expected = (3.into(), 3.into(), 6.into());
    let facts = json(&["topology", &file, "--largest-component", "--json"], 0);
    assert_eq!((of(&facts), &facts["names"]), (expected.clone(), &serde_json::json!(["2", "4", "5"])));
    let run = json(&[&["run", "echo-election"][..], &options].concat(), 0);
    assert_eq!(of(&run), expected);
    assert!(run["repeat"].as_str().unwrap().contains("--largest-component"));
    let compared = json(&[&["compare", "echo-election", "floodmax"][..], &options].concat(), 0);
    assert_eq!(of(&compared), expected);
    assert!(compared["repeat"].as_str().unwrap().contains("--largest-component"));
    let text = stdout(&["run", "echo-election", "--topology", &file, "--largest-component"], 0);
    assert!(text.contains("left out   6 nodes, which no way leads to"), "{text}");
}

#[test]
fn numbers_may_be_short() {
    let run = json(&["run", "peterson", "--topology", "ring:0.1k", "--seed", "1e3", "--limit", "2M", "--json"], 0);
    assert_eq!((&run["topology"], &run["seed"]), (&"ring:100".into(), &1000.into()));
    let options = ["--nodes", "1e1..1e2x10", "--runs", "1e0", "--json"];
    let sweep = stdout(&[&["sweep", "peterson", "--topology", "ring"][..], &options].concat(), 0);
    assert!(sweep.contains("--nodes 1e1..1e2x10"), "{sweep}");
    for (option, number) in [("--limit", "1.5"), ("--seed", "1e20"), ("--seed", "1e-1"), ("--limit", "k")] {
        assert_eq!(output(&["run", "peterson", option, number]).status.code(), Some(2), "{option} {number}");
    }
}

/// Every command of the stories runs with the exit code that the story tells. It is 0 if all is well, 1 if the judge
/// objects, and 3 if it would never end.
#[test]
fn the_commands_of_the_stories_do_what_the_stories_say() {
    let told = |story: &str| {
        let text = stdout(&["explain", story], 0);
        let commands = text.lines().filter_map(|line| line.trim().strip_prefix("bellwether ")).map(|command| {
            let words: Vec<String> = command.split(' ').map(|word| word.trim_matches('\'').into()).collect();
            output(&words.iter().map(String::as_str).collect::<Vec<_>>()).status.code().unwrap()
        });
        commands.collect::<Vec<_>>()
    };
    assert_eq!(told("impossibility"), [1, 1, 1, 1, 1, 0, 0, 0, 3, 0, 1, 0, 1, 1, 1, 1, 0]);
    assert_eq!(told("faults"), [0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0]);
    assert_eq!(told("uses"), [0; 7]);
    assert_eq!(told("practice"), [1, 1, 1, 1, 1, 1, 1]);
}

/// An erratum is recorded, replayed and told, but stands in no list of algorithms.
#[test]
fn an_erratum_is_an_algorithm_of_its_own() {
    let folder = TempDir::new().unwrap();
    let (_, trace) = path(&folder, "printed.ndjson");
    let options = ["peterson", "--as-printed", "strictly-larger", "--topology", "ring:3"];
    let run = json(&[&["run"], &options[..], &["--json", "--trace", &trace]].concat(), 1);
    assert_eq!(run["algorithm"], "peterson/strictly-larger");
    assert_eq!(run["repeat"], "bellwether run peterson --as-printed strictly-larger --topology ring:3 --seed 1");
    assert_eq!(json(&["replay", &trace, "--json"], 1)["replay"], "same");
    let check = json(&[&["check"], &options[..], &["--json"]].concat(), 1);
    assert_eq!(check["repeat"], "bellwether check peterson --as-printed strictly-larger --topology ring:3");
    assert!(!stdout(&["list"], 0).contains("strictly-larger"));
    let errata = json(&["explain", "errata", "--json"], 0);
    assert_eq!(errata.as_array().unwrap().len(), 25);
    for erratum in errata.as_array().unwrap() {
        let name = format!("{}/{}", erratum["algorithm"].as_str().unwrap(), erratum["name"].as_str().unwrap());
        assert_eq!(json(&["explain", &name, "--json"], 0), *erratum);
        assert!(stdout(&["explain", &name], 0).contains("Exam question"), "{name}");
    }
}
