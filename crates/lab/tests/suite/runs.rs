//! Elections: the same runs as the program's, and forks of them.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_ask::{Election, Environment, Refusal};
use bellwether_core::Model;
use bellwether_tell::{Detail, Lemmas, lemmas};
use bellwether_world::host::{PhaseCount, Watcher, Wishes};
use bellwether_world::trace::{Ending, Event, Header};
use serde_json::{Value, json};

use crate::{asked, fine, refused};

/// No files.
struct Nothing;

impl Environment for Nothing {
    fn read(&self, path: &std::path::Path, _: Option<u64>) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::file(path, "not there"))
    }
}

/// The trace and the report of an election that is held without the lab.
fn directly(election: Election) -> (String, Value) {
    let prepared = election.prepare(&Nothing).unwrap();
    let (info, scenario) = (prepared.info, &prepared.scenario);
    let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm).unwrap();
    let (mut events, mut watch) = (vec![], Watcher);
    let mut record = |event: Event| events.push(event);
    let phases = PhaseCount::is_wanted(scenario, false);
    let wishes = Wishes { record: Some(&mut record), phases, ..Wishes::none(&mut watch) };
    let report = bellwether_sim::play(algorithm, scenario, wishes).unwrap();
    let mut counted = Lemmas::new(scenario);
    events.iter().for_each(|event| counted.event(event));
    let mut told = bellwether_tell::json(info, scenario, &report, Detail::None, &prepared.repeat());
    lemmas::put(&counted.counted(info, scenario, &report), &mut told);
    let mut out = vec![];
    Header::new(scenario.clone()).write(&mut out).unwrap();
    events.iter().for_each(|event| event.write(&mut out).unwrap());
    Ending::new(scenario, &report).write(&mut out).unwrap();
    (String::from_utf8(out).unwrap(), serde_json::from_str(&told.to_string()).unwrap())
}

#[test]
fn every_algorithm_runs_as_it_does_without_the_lab() {
    for info in CATALOGUE {
        let timings: &[&str] = if info.model == Model::Synchronous { &["rounds"] } else { &["unit", "uniform"] };
        for (seed, timing) in [1, 7].iter().flat_map(|seed| timings.iter().map(move |timing| (seed, timing))) {
            let election = json!({"algorithm": info.name, "timing": timing, "seed": seed});
            let (trace, report) = directly(serde_json::from_value(election.clone()).unwrap());
            let ran = fine(&json!({"ask": "run", "election": election}));
            assert_eq!(ran["report"], report, "{election}");
            assert_eq!(
                (&ran["report"]["ok"], &ran["repeat"], &ran["dropped"]),
                (&json!(true), &report["repeat"], &json!([]))
            );
            assert_eq!(fine(&json!({"ask": "picture", "election": election, "form": "trace"}))["text"], trace);
            // The settled election is the same election.
            assert_eq!(fine(&json!({"ask": "run", "election": ran["election"]})), ran, "{election}");
            // Every event of the trace is on the reel.
            let events = ran["reel"]["events"]["node"].as_array().unwrap().len();
            assert_eq!(events + 2, trace.lines().count(), "{election}");
        }
    }
}

/// The lines of a trace between its header and its ending, each with its time.
fn events(election: &Value) -> Vec<(f64, String)> {
    let trace = fine(&json!({"ask": "picture", "election": election, "form": "trace"}));
    let lines: Vec<&str> = trace["text"].as_str().unwrap().lines().collect();
    let time = |line: &str| serde_json::from_str::<Value>(line).unwrap()["t"].as_f64().unwrap();
    lines[1..lines.len() - 1].iter().map(|line| (time(line), (*line).to_string())).collect()
}

/// What happens before a moment is the same in both, and after it there is a difference.
fn parts_at(moment: f64, before: &Value, after: &Value) {
    let (before, after) = (events(before), events(after));
    let until =
        |events: &[(f64, String)]| events.iter().take_while(|(time, _)| *time < moment).cloned().collect::<Vec<_>>();
    assert_eq!(until(&before), until(&after));
    assert!(!until(&before).is_empty());
    assert_ne!(before, after);
}

#[test]
fn an_intervention_leaves_the_past_as_it_was() {
    let base = json!({"algorithm": "chang-roberts", "topology": "ring:6", "ids": "3,1,6,2,5,4"});
    let with = |fault: &str| {
        let mut election = base.clone();
        election["fault"] = json!([fault]);
        election["force"] = json!(true);
        election
    };
    // Messages number 1 are those that are passed on at time 1.
    for (fault, moment) in
        [("lose=2#1", 3.0), ("hold=2#1:5", 3.0), ("repeat=2#1", 3.0), ("crash=2@3", 3.0), ("cut=2-3@3..9", 3.0)]
    {
        let sent = events(&base).iter().find_map(|(time, line)| {
            let event: Value = serde_json::from_str(line).unwrap();
            let sent = event["sent"].as_array()?.iter().any(|sent| sent["n"] == 1);
            (event["node"] == 2 && sent).then_some(*time)
        });
        let moment = if fault.contains('#') { sent.unwrap() } else { moment };
        parts_at(moment, &base, &with(fault));
    }
    let ran = fine(&json!({"ask": "run", "election": with("crash=2@3")}));
    assert!(ran["dropped"][0].as_str().unwrap().contains("processes that do not crash"), "{}", ran["dropped"]);
    assert!(ran["repeat"].as_str().unwrap().contains("--fault crash=2@3 --seed 1 --force"), "{}", ran["repeat"]);
    // Another initiator, later.
    let few = json!({"algorithm": "chang-roberts", "topology": "ring:6", "ids": "3,1,6,2,5,4", "initiators": "0"});
    let mut more = few.clone();
    more["fault"] = json!(["start=2@2"]);
    more["force"] = json!(true);
    parts_at(2.0, &few, &more);
    // Without force the reason is told, and what to do.
    let mut refusal = with("crash=2@3");
    refusal["force"] = json!(false);
    let (kind, what) = refused(&json!({"ask": "run", "election": refusal}));
    assert!(kind == "refused" && what.contains("needs processes that do not crash"), "{what}");
}

#[test]
fn a_graph_of_the_request_is_a_network() {
    let request = |topology: &str| {
        json!({"ask": "run", "election": {"algorithm": "echo-election", "topology": topology, "seed": 3},
            "files": {"net.txt": "0 1\n1 2\n2 0\n2 3\n"}})
    };
    let ran = fine(&request("file:net.txt"));
    assert_eq!((&ran["report"]["nodes"], &ran["report"]["links"]), (&json!(4), &json!(4)));
    let (_, what) = refused(&request("file:/etc/passwd"));
    assert!(what.contains("this file is not in the request") && what.contains("net.txt"), "{what}");
}

#[test]
fn a_run_without_end_is_shown_as_far_as_it_goes() {
    // With everybody's id the same, ids are forwarded for ever.
    let election = json!({"algorithm": "itai-rodeh", "topology": "ring:4", "set": ["n=9"], "force": true});
    let ran = fine(&json!({"ask": "run", "election": election}));
    assert_eq!(ran["report"]["outcome"], "limit", "{}", ran["report"]);
    assert_eq!(ran["election"]["limit"], 20_000);
    assert!(ran["repeat"].as_str().unwrap().contains("--limit 20000"));
    // A limit of one's own is kept.
    let ran = fine(&json!({"ask": "run", "election": {"algorithm": "peterson", "limit": 5}}));
    assert_eq!((&ran["report"]["outcome"], &ran["election"]["limit"]), (&json!("limit"), &json!(5)));
    assert_eq!(ran["report"]["stopped"], "after 5 events; --limit N allows more");
}

#[test]
fn a_trace_opens_as_the_run_that_it_is() {
    for info in CATALOGUE {
        let election = json!({"algorithm": info.name, "seed": 5});
        let trace = fine(&json!({"ask": "picture", "election": election, "form": "trace"}));
        let opened = fine(&json!({"ask": "open", "trace": trace["text"]}));
        let ran = fine(&json!({"ask": "run", "election": election}));
        for key in ["ids", "leaders", "messages", "time", "ok", "bounds"] {
            assert_eq!(opened["report"][key], ran["report"][key], "{}: {key}", info.name);
        }
        // What was opened can be held again, and is the same run.
        let again = fine(&json!({"ask": "picture", "election": opened["election"], "form": "trace"}));
        assert_eq!(again["text"], trace["text"], "{}: {}", info.name, opened["election"]);
    }
    // One with faults, parameters and wake-ups.
    for election in [
        json!({"algorithm": "chang-roberts", "fault": ["crash=2@3", "lose=1#0"], "force": true, "initiators": "0,3"}),
        json!({"algorithm": "itai-rodeh", "set": ["k=2"], "timing": "uniform", "topology": "ring:5"}),
        json!({"algorithm": "variable-speeds", "topology": "ring:4", "ids": "3,1,4,2", "wake": ["0@1", "2@2"]}),
        json!({"algorithm": "chang-roberts", "set": ["announce=none"], "seed": 9}),
    ] {
        let trace = fine(&json!({"ask": "picture", "election": election, "form": "trace"}));
        let opened = fine(&json!({"ask": "open", "trace": trace["text"]}));
        let again = fine(&json!({"ask": "picture", "election": opened["election"], "form": "trace"}));
        assert_eq!(again["text"], trace["text"], "{election}: {}", opened["election"]);
    }
}

#[test]
fn a_trace_that_was_changed_is_refused() {
    let trace = fine(&json!({"ask": "picture", "election": {"algorithm": "peterson"}, "form": "trace"}));
    let trace = trace["text"].as_str().unwrap();
    let mut lines: Vec<&str> = trace.lines().collect();
    lines.swap(9, 10);
    let (kind, what) = refused(&json!({"ask": "open", "trace": lines.join("\n") + "\n"}));
    assert!(kind == "refused" && what.contains("diverges from its trace at line"), "{what}");
    let (kind, what) = refused(&json!({"ask": "open", "trace": "hello"}));
    assert!(kind == "unreadable" && what.contains("not the header of a trace"), "{what}");
    let cut = lines[..5].join("\n");
    assert_eq!(asked(&json!({"ask": "open", "trace": cut}))["ok"], false);
}

#[test]
fn counterexamples_open_as_traces_without_an_election() {
    let request = json!({"ask": "check", "check": {"algorithm": "chang-roberts", "topology": "ring:3", "loss": 1}});
    let lines = fine(&request)["report"]["counterexample"].as_array().unwrap().clone();
    let trace: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let opened = fine(&json!({"ask": "open", "trace": trace}));
    assert_eq!((&opened["election"], &opened["repeat"]), (&json!(null), &json!("bellwether replay trace.ndjson")));
    assert!(opened["reel"]["events"]["node"].as_array().unwrap().len() + 2 == lines.len());
}
