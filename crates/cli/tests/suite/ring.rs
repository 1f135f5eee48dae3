//! `bellwether ring` as a process: options, files, logs, signals, exit codes.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Options for the fastest elections.
const FAST: [&str; 4] = ["--sleep", "0", "--worker-sleep", "0"];

fn ring(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.arg("ring").args(args);
    command
}

/// Standard output and standard error of a run that must end with this exit code.
fn run(args: &[&str], code: i32) -> (String, String) {
    let Output { status, stdout, stderr } = ring(args).output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(status.code(), Some(code), "ring {}: {stdout}{stderr}", args.join(" "));
    (stdout, stderr)
}

/// The elections of a fast run, as JSON.
fn elections(args: &[&str]) -> Vec<Value> {
    let args: Vec<_> = args.iter().copied().chain(FAST).chain(["--json"]).collect();
    run(&args, 0).0.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn refused(args: &[&str], reason: &str) {
    let (stdout, stderr) = run(args, 2);
    assert!(stdout.is_empty() && stderr.contains(reason), "ring {}: {stderr}", args.join(" "));
}

/// A file in its own folder.
fn file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.toml");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_string();
    (folder, path)
}

#[test]
fn an_election_is_an_object_with_these_keys() {
    let mut held = elections(&["5", "-n", "2", "--initiators", "one", "--seed", "1"]);
    for (index, election) in held.iter_mut().enumerate() {
        assert!(election["milliseconds"].take().is_u64());
        let expected: Value = serde_json::from_str(
            r#"{"election":0,"number":0,"attempts":1,"leader":{"position":2,"id":5},"initiators":[0],"living":5,
            "messages":{"elect":7,"announce":5},"skipped":0,"retired":0,"milliseconds":null,"seed":1,
            "ids":[3,1,5,4,2]}"#,
        )
        .unwrap();
        election["election"] = (election["election"].as_u64().unwrap() - 1 - index as u64).into();
        election["number"] = (election["number"].as_u64().unwrap() - 1 - index as u64).into();
        assert_eq!(*election, expected);
    }
    assert_eq!(held.len(), 2);
}

#[test]
fn people_get_a_line_for_each_election_and_one_that_repeats_the_run() {
    let args = ["3", "-n", "2", "--seed", "4", "--initiators", "all"];
    let args: Vec<_> = args.iter().copied().chain(FAST).collect();
    let (stdout, stderr) = run(&args, 0);
    let lines: Vec<_> = stdout.lines().collect();
    assert_eq!((lines.len(), stderr.as_str()), (5, ""), "{stdout}");
    assert!(lines[0].starts_with("a ring of 3 workers with the ids "));
    assert!(lines[1].starts_with("  election 1  worker ") && lines[2].starts_with("  election 2  worker "));
    assert_eq!(lines[3], "  2 elections held");
    let (_, repeat) = lines[4].split_once("bellwether ring ").unwrap();
    assert_eq!(repeat, "3 --number-of-elections 2 --sleep 0 --worker-sleep 0 --initiators all --seed 4");
    let again = run(&repeat.split(' ').collect::<Vec<_>>(), 0).0;
    let without_times =
        |text: &str| text.lines().map(|line| line.split(';').next().unwrap().into()).collect::<Vec<String>>();
    assert_eq!(without_times(&again), without_times(&stdout));
}

/// Without a seed every run has its own, which the repeat line tells. Forty ids agree by chance in no two runs.
#[test]
fn ids_are_random_unless_a_seed_is_given() {
    let ids = || elections(&["40", "-n", "1"])[0]["ids"].take();
    assert_ne!(ids(), ids());
    let args: Vec<_> = ["40", "-n", "1"].into_iter().chain(FAST).collect();
    let first = run(&args, 0).0;
    let (_, repeat) = first.trim_end().rsplit_once("bellwether ring ").unwrap();
    assert!(repeat.contains(" --seed "), "{repeat}");
    assert_eq!(run(&repeat.split(' ').collect::<Vec<_>>(), 0).0.lines().next(), first.lines().next());
}

/// The log tells that the leader steps down, and how a message lies in the one place that its sender has.
#[test]
fn the_log_shows_who_steps_down_and_where_messages_lie() {
    let args = ["3", "-n", "2", "--seed", "1", "--log", "--log-level", "0"];
    let (_, log) = run(&args.into_iter().chain(FAST).collect::<Vec<_>>(), 0);
    let leader = log.split("is over, as number 1: worker ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(log.contains(&format!("worker {leader} led until now, and steps down")), "{log}");
    assert_eq!(log.matches("led until now, and steps down").count(), 1, "{log}");
    let [put, taken] = ["into its one place on the desk of", "and its place there is free"];
    assert_eq!(log.matches(put).count(), log.matches(taken).count(), "{log}");
}

#[test]
fn stops_pauses_and_restarts_happen_as_planned() {
    let plan = ["--stop", "2@2", "--restart", "2@4", "--pause", "3@3:200", "--wait", "50"];
    let held = elections(&["5", "-n", "4", "--seed", "1"].iter().copied().chain(plan).collect::<Vec<_>>());
    let leaders: Vec<_> = held.iter().map(|election| election["leader"]["id"].as_u64().unwrap()).collect();
    let living: Vec<_> = held.iter().map(|election| election["living"].as_u64().unwrap()).collect();
    assert_eq!((leaders, living), (vec![5, 4, 4, 5], vec![5, 4, 4, 5]));
    assert!(held[1]["skipped"].as_u64() > Some(0));
}

#[test]
fn initiators_are_drawn_from_the_seed() {
    let initiators = |seed: &str| -> Vec<Value> {
        let held = elections(&["20", "-n", "3", "--initiators", "random:2", "--seed", seed]);
        held.into_iter().map(|mut election| election["initiators"].take()).collect()
    };
    let first = initiators("1");
    assert!(first.iter().all(|drawn| drawn.as_array().unwrap().len() == 2), "{first:?}");
    assert_ne!(first[0], first[1]);
    assert_eq!(first, initiators("1"));
    assert_ne!(first, initiators("2"));
    assert_eq!(elections(&["4", "-n", "1", "--initiators", "all"])[0]["initiators"], serde_json::json!([0, 1, 2, 3]));
    let listed = elections(&["5", "-n", "2", "--initiators", "3,1", "--stop", "3@2", "--wait", "50"]);
    assert_eq!(
        (&listed[0]["initiators"], &listed[1]["initiators"]),
        (&serde_json::json!([1, 3]), &serde_json::json!([1]))
    );
}

#[test]
fn a_file_has_the_same_options_and_the_command_line_wins() {
    let (_folder, path) = file(
        "size = 4\nnumber-of-elections = 2\nsleep = 0\nworker-sleep = 0\nwait = 50\ninitiators = \"all\"\nseed = 3\n\
         stop = [\"1@2\"]\npause = [\"0@1:5\"]\nrestart = []\nplain = true\njson = true\nlog = false\nlog-date = true\n\
         log-level = 3\nno-config-log = true\n",
    );
    let count = |args: &[&str]| run(args, 0).0.lines().filter(|line| line.starts_with("{\"election\"")).count();
    assert_eq!(count(&["--config", &path]), 2);
    assert_eq!(count(&["-c", &path, "-n", "3"]), 3);
    assert_eq!(count(&["-c", &path, "--json=false"]), 0);
    let (stdout, _) = run(&["6", "-c", &path, "--json=false", "--stop", "2@1"], 0);
    assert!(stdout.contains("a ring of 6 workers"), "{stdout}");
    assert!(stdout.contains("--wait 50 --initiators all --stop 2@1 --pause 0@1:5 --seed 3\n"), "{stdout}");
}

#[test]
fn a_wrong_file_is_refused_with_the_line() {
    for (text, line, reason) in [
        ("size = 4\nslep = 5\n", "line 2", "there is no option slep: did you mean sleep?"),
        ("size = 4\nconfig = \"x\"\n", "line 2", "there is no option config"),
        ("size = 4\nworker_sleep = 5\n", "line 2", "there is no option worker_sleep: did you mean worker-sleep?"),
        ("size = 4\nn = 5\n", "line 2", "there is no option n: did you mean number-of-elections?"),
        ("size = 4\nsleep = \"x\"\n", "line 2", "sleep: a whole number is wanted, 0 or more"),
        ("size = 4\njson = 1\n", "line 2", "json: true or false is wanted"),
        ("size = 4\nstop = 3\n", "line 2", "stop: a text is wanted, or a list of texts"),
        ("size = \"four\"\n", "line 1", "size: a whole number is wanted"),
        ("sleep = 1\nsize = 0\n", "line 2", "a ring has 1 to 10,000 workers"),
        ("size = 4\nlog-level = 6\n", "line 2", "a log level is 0 (TRACE) to 5 (CRITICAL)"),
        ("size = 4\n\nstop = [\"1\"]\n", "line 3", "WORKER@ELECTION"),
        ("size = 4\npause = [\"1@2\"]\n", "line 2", "WORKER@ELECTION:MS"),
        ("size = 4\ninitiators = \"random:x\"\n", "line 2", "random:K takes a number"),
        ("size = 4\nsleep = -1\n", "line 2", "a whole number is wanted, 0 or more"),
        ("size = 4\ninitiators = 3\n", "line 2", "initiators: a text is wanted"),
        ("size = \n", "line 1", ""),
    ] {
        let (_folder, path) = file(text);
        refused(&["-c", &path], line);
        refused(&["-c", &path], reason);
        refused(&["-c", &path], &path);
    }
    refused(&["-c", "/nowhere/ring.toml"], "/nowhere/ring.toml: No such file");
}

#[test]
fn a_text_in_a_file_is_as_good_as_a_list_of_one_and_a_level_has_a_name() {
    let (_folder, path) = file("size = 3\nnumber-of-elections = 1\nlog-level = \"warn\"\npause = \"1@1:5\"\n");
    let args: Vec<_> = ["-c", &path, "--log"].into_iter().chain(FAST).collect();
    let (stdout, stderr) = run(&args, 0);
    assert!(stdout.contains("--pause 1@1:5") && !stderr.contains("INFO"), "{stdout}{stderr}");
    let args: Vec<_> = ["-c", &path, "--log", "--log-level", "info"].into_iter().chain(FAST).collect();
    let (_, log) = run(&args, 0);
    assert!(log.contains("INFO     worker 1 pauses for 5 ms") && log.contains("INFO     1 election held"), "{log}");
    refused(&["1", "-c", &path], &format!("they are numbered 0 to 0 (with the options in {path})"));
}

#[test]
fn what_makes_no_sense_is_refused_beforehand() {
    refused(&[], "how many workers?");
    for size in ["0", "five", "10001", "20000"] {
        refused(&[size], "a ring has 1 to 10,000 workers, for each is a thread");
    }
    refused(&["5", "--log-level", "1"], "--log-level without a log: add --log or --log-file FILE");
    refused(&["5", "--log-level", "6"], "a log level is 0 (TRACE) to 5 (CRITICAL)");
    refused(&["5", "--wait", "0"], "at least 1 ms");
    refused(&["5", "--initiators", "random:6"], "random:6 of 5 workers: take 1 to 5 of them");
    refused(&["5", "--initiators", "0,5"], "no worker 5, they are numbered 0 to 4");
    refused(&["5", "--stop", "5@1"], "no such worker: they are numbered 0 to 4");
    refused(&["5", "--stop", "1@0"], "elections from 1");
    refused(&["5", "--stop", "1@1", "--stop", "1@3"], "stop worker 1 in election 3: it is stopped already");
    refused(&["5", "--restart", "1@2"], "restart worker 1 in election 2: it runs");
    refused(
        &["5", "--stop", "1@2", "--restart", "1@2"],
        "it runs, and is stopped in the same one: restart it in a later one",
    );
    refused(&["5", "--stop", "1@1", "--pause", "1@2:5"], "pause worker 1 in election 2: it is stopped");
    refused(&["2", "--stop", "0@1", "--stop", "1@1"], "nobody would be left");
    refused(&["5", "-n", "2", "--stop", "0@3"], "only 2 are held");
    refused(&["5", "--pause", "0@3"], "WORKER@ELECTION:MS");
    refused(&["5", "-n", "1", "--log-file", "/nowhere/ring.log"], "/nowhere/ring.log: there is no folder /nowhere");
}

#[test]
fn a_log_file_is_created_and_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.log");
    let log = ["3", "-n", "1", "--log-file", path.to_str().unwrap()];
    let args: Vec<_> = log.iter().copied().chain(FAST).collect();
    assert_eq!(run(&args, 0).1, "", "nothing on standard error");
    let once = fs::read_to_string(&path).unwrap();
    run(&args.iter().copied().chain(["--log-date"]).collect::<Vec<_>>(), 0);
    let twice = fs::read_to_string(&path).unwrap();
    assert!(twice.starts_with(&once) && once.lines().count() == 3 && twice.lines().count() == 6, "{twice}");
    let clock = |line: &str| line.split(' ').next().unwrap().matches(':').count();
    assert_eq!(twice.lines().map(clock).collect::<Vec<_>>(), [2, 2, 2, 0, 0, 0], "dates from the second run on");
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_that_cannot_be_written_is_no_secret() {
    let args: Vec<_> = ["3", "-n", "1", "--log-file", "/dev/full"].into_iter().chain(FAST).collect();
    let (stdout, stderr) = run(&args, 2);
    assert!(stdout.contains("1 election held") && stderr.contains("/dev/full: the log is incomplete"), "{stderr}");
}

#[test]
fn every_level_shows_itself_and_what_is_more_important() {
    let logged = |level: &str| {
        let args = ["4", "-n", "2", "--stop", "2@2", "--wait", "50", "--log", "--log-level", level];
        run(&args.iter().copied().chain(FAST).collect::<Vec<_>>(), 0).1
    };
    let levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "CRITICAL"];
    for (number, _) in levels.iter().enumerate() {
        let log = logged(&number.to_string());
        for (other, name) in levels.iter().enumerate().take(4) {
            let shown = log.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
            assert_eq!(shown, other >= number, "{name} at level {number}:\n{log}");
        }
    }
    let warnings = logged("warn");
    assert!(
        warnings.contains("number 2: worker 1 suspects worker 2") && !warnings.contains("passes over"),
        "{warnings}"
    );
    assert!(logged("INFO").contains("worker 2 has stopped"));
    assert!(logged("1").contains("configuration: size 4, number-of-elections 2, sleep 0, worker-sleep 0, wait 50"));
    let quiet = ["4", "-n", "1", "--log", "--log-level", "1", "--no-config-log"];
    assert!(!run(&quiet.iter().copied().chain(FAST).collect::<Vec<_>>(), 0).1.contains("configuration"));
}

/// A running ring, after its first election.
#[cfg(unix)]
fn begun(args: &[&str]) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = ring(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("election") {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended before the first election");
    }
    (child, out)
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let killed = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

#[cfg(unix)]
#[test]
fn a_request_to_stop_ends_it_with_the_number_of_elections() {
    // Between elections, during an election of slow workers, and during fast elections.
    for (name, args) in [
        ("INT", ["100", "--worker-sleep", "0", "--sleep", "1000000"]),
        ("TERM", ["3", "--worker-sleep", "10", "--sleep", "0"]),
        ("INT", ["50", "--worker-sleep", "0", "--sleep", "0"]),
    ] {
        let (mut child, mut out) = begun(&args);
        signal(&child, name);
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
        assert!(rest.contains(" held\n") && rest.contains("bellwether ring "), "{rest}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_it() {
    let (mut child, out) = begun(&["3", "--worker-sleep", "0", "--sleep", "0"]);
    drop(out);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
