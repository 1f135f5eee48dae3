//! What is asked is plain data: it survives JSON, and the line that it writes says all of it.

use std::path::Path;

use bellwether_ask::{Circumstances, Election, Environment, Host, Refusal, Sweep, line};
use bellwether_net::Wiring;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

/// A front end without files.
struct NoFiles;

impl Environment for NoFiles {
    fn read(&self, path: &Path, _: Option<u64>) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::file(path, "there are no files here"))
    }
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn circumstances() -> impl Strategy<Value = Circumstances> {
    let initiators = of(select(vec!["all", "one", "random:2", "0", "0,2"]).prop_map(parsed));
    let timing = of(select(vec!["unit", "uniform", "rounds"]).prop_map(parsed));
    let set = select(vec![vec![], vec!["k=3"], vec!["announce=flood", "diameter=9"]]);
    let fault = select(vec![vec![], vec!["crash=2@3"], vec!["loss=0.5", "oneway=0>1@2..", "cut=a b-c'd@1..2"]]);
    let texts = |list: Vec<&str>| list.into_iter().map(String::from).collect::<Vec<_>>();
    (initiators, timing, set, fault, any::<u64>(), of(1..u64::MAX), any::<bool>()).prop_map(
        move |(initiators, timing, set, fault, seed, limit, force)| Circumstances {
            initiators,
            timing,
            set: texts(set),
            fault: texts(fault),
            seed,
            limit,
            force,
        },
    )
}

proptest! {
    #[test]
    fn a_sweep_is_read_back_from_its_line(
        circumstances in circumstances(),
        algorithms in select(vec![vec!["peterson"], vec!["le-lann", "franklin"]]),
        topology in select(vec![vec!["ring"], vec!["gnp:0.1"], vec!["file:a b'c", "file:\"d\",e/", "graph6:DhC"]]),
        nodes in of(select(vec!["8", "8,16", "16..4096", "10..1000x10"])),
        largest_component in any::<bool>(),
        ids in select(vec![vec![], vec!["random"], vec!["3"], vec!["random", "descending"], vec!["3,1,4", "7"]]),
        runs in 1..1000u32,
        budget in of(any::<u64>()),
        phases in any::<bool>(),
    ) {
        let algorithms = algorithms.into_iter().map(String::from).collect();
        let (topology, ids) = (topology.into_iter().map(parsed).collect(), ids.into_iter().map(parsed).collect());
        let nodes = nodes.map(parsed);
        let sweep = Sweep { algorithms, topology, nodes, largest_component, runs, budget, ids, phases, circumstances };
        prop_assert_eq!(Sweep::read(&sweep.line()), Some(sweep.clone()), "{}", sweep.line());
        let json = serde_json::to_string(&sweep).unwrap();
        prop_assert_eq!(serde_json::from_str::<Sweep>(&json).unwrap(), sweep);
    }

    #[test]
    fn an_election_survives_json(
        circumstances in circumstances(),
        ids in of(select(vec!["random", "ascending", "same", "3", "3,1,4", "7,7"]).prop_map(parsed)),
        live in any::<bool>(),
    ) {
        let info = bellwether_ask::algorithm("chang-roberts").unwrap();
        let election = Election {
            host: if live { Host::Threads } else { Host::Simulator },
            latency: live.then(|| parsed("1..5ms")),
            wake: vec![parsed("2@5")],
            detect: Some(parsed("1.5")),
            ..circumstances.election(info, &parsed("ring:8"), ids.as_ref(), 7)
        };
        let json = serde_json::to_string(&election).unwrap();
        prop_assert_eq!(serde_json::from_str::<Election>(&json).unwrap(), election, "{}", json);
    }
}

#[test]
fn the_least_that_can_be_asked_is_an_algorithm() {
    let election: Election = serde_json::from_str(r#"{"algorithm":"bully"}"#).unwrap();
    assert_eq!(election, Election::new("bully"));
    assert_eq!(serde_json::to_string(&election).unwrap(), r#"{"algorithm":"bully","seed":1}"#);
    let prepared = election.prepare(&NoFiles).unwrap();
    assert_eq!(prepared.scenario.topology.nodes(), 5);
    assert_eq!(prepared.repeat(), "bellwether run bully --topology complete:5 --seed 1");
    let unknown = serde_json::from_str::<Election>(r#"{"algorithm":"bully","nodes":3}"#).unwrap_err();
    assert!(unknown.to_string().starts_with("unknown field `nodes`"));
}

#[test]
fn the_line_says_everything_that_determines_the_run() {
    let json = r#"{"algorithm":"Chang-Roberts","topology":"ring:4","ids":"3,1,4,2","fault":["loss=0.1","crash=2@3"],
        "force":true,"max-delay":"2","elections":2,"host":"threads","latency":"1ms..5ms"}"#;
    let election: Election = serde_json::from_str(json).unwrap();
    assert_eq!(
        election.clone().prepare(&NoFiles).unwrap_err().to_string(),
        "chang-roberts does not know how long messages take: leave --max-delay out"
    );
    let election = Election { max_delay: None, ..election };
    assert_eq!(
        election.prepare(&NoFiles).unwrap().repeat(),
        "bellwether live chang-roberts --topology ring:4 --ids 3,1,4,2 --latency 1ms..5ms --unit 100ms \
         --fault loss=0.1 --fault crash=2@3 --elections 2 --seed 1 --force"
    );
}

/// A scenario tells the election that makes it, whatever is unusual about it.
#[test]
fn a_scenario_leads_back_to_its_election() {
    for asked in [
        r#"{"algorithm":"chang-roberts"}"#,
        r#"{"algorithm":"echo-election","topology":"gnp:6:0.5","seed":7,"number":true,"timing":"uniform"}"#,
        r#"{"algorithm":"lease","topology":"complete:3","until":"7.5","set":["close-is-release=yes"]}"#,
        r#"{"algorithm":"bully","fault":["crash=4@3"],"detect":"2","max-delay":"3","elections":2,"initiators":"0,2"}"#,
        r#"{"algorithm":"variable-speeds","topology":"ring:4","ids":"3,1,4,2","wake":["0@1","2@2"]}"#,
        r#"{"algorithm":"clockwise-async","as-printed":"adopts-any","topology":"ring:3"}"#,
        r#"{"algorithm":"chang-roberts","fault":["loss=0.1"],"force":true,"limit":99}"#,
    ] {
        let election: Election = serde_json::from_str(asked).unwrap();
        let prepared = election.prepare(&NoFiles).unwrap_or_else(|refusal| panic!("{asked}: {refusal}"));
        let again = Election::of(&prepared.scenario, prepared.info).unwrap_or_else(|| panic!("{asked}: no election"));
        let line = again.line();
        assert_eq!(again.prepare(&NoFiles).unwrap().scenario, prepared.scenario, "{asked}: {line}");
    }
}

/// On how many threads a live run is held is settled here, for all front ends.
#[test]
fn a_live_run_has_a_thread_for_each_node_unless_there_are_too_many() {
    let threads = |asked: &str| {
        let election: Election = serde_json::from_str(asked).unwrap();
        election.prepare(&NoFiles).unwrap().threads()
    };
    assert_eq!(threads(r#"{"algorithm":"franklin","topology":"ring:12"}"#), None);
    assert_eq!(threads(r#"{"algorithm":"franklin","topology":"ring:12","host":"threads"}"#), Some(12));
    assert_eq!(threads(r#"{"algorithm":"franklin","topology":"ring:12","host":"threads","threads":5}"#), Some(5));
    assert_eq!(threads(r#"{"algorithm":"franklin","topology":"ring:12","host":"threads","threads":50}"#), Some(12));
    assert!(threads(r#"{"algorithm":"franklin","topology":"ring:2001","host":"threads"}"#).unwrap() < 2001);
}

#[test]
fn faults_are_known_by_what_they_are() {
    let refusal = |asked: &str| {
        let election: Election = serde_json::from_str(asked).unwrap();
        election.prepare(&NoFiles).unwrap_err().to_string()
    };
    let start = refusal(r#"{"algorithm":"bully","host":"threads","fault":["start=0@1"]}"#);
    assert_eq!(start, "start=0@1 is for simulated runs: on threads all initiators start together");
    let slow = refusal(r#"{"algorithm":"franklin","host":"threads","fault":["slow=0:2"]}"#);
    assert!(slow.contains("add --latency"), "{slow}");
    let detect = refusal(r#"{"algorithm":"franklin","detect":"2","fault":["loss=0.1"]}"#);
    assert!(detect.contains("--detect is about crashes"), "{detect}");
}

#[test]
fn what_needs_a_file_is_refused_where_there_are_none() {
    let election: Election = serde_json::from_str(r#"{"algorithm":"echo-election","topology":"file:a.dot"}"#).unwrap();
    let refusal = election.prepare(&NoFiles).unwrap_err();
    assert_eq!(refusal.to_string(), "a.dot: there are no files here");
}

#[test]
fn a_line_that_is_no_sweep_is_not_read() {
    for wrong in [
        "",
        "bellwether",
        "bellwether run peterson --topology ring --nodes 8 --runs 1",
        "bellwether sweep peterson --nodes 8 --runs 1",
        "bellwether sweep peterson --topology ring --nodes 8 --runs 1 --runs 2",
        "bellwether sweep peterson --topology ring --nodes eight --runs 1",
        "bellwether sweep 'peterson",
    ] {
        assert_eq!(line::read::<Sweep>("sweep", wrong), None, "{wrong}");
    }
}
