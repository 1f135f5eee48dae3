//! Requests that are malformed, huge or hostile. Each is refused with a sentence, soon and without a panic.

use bellwether_lab::{Limits, answer};
use serde_json::{Value, json};

use crate::refused;

fn of(request: &str) -> (String, String) {
    let answer: Value = serde_json::from_str(&answer(request, &Limits::BROWSER)).unwrap();
    assert_eq!(answer["ok"], false, "{}", request.chars().take(80).collect::<String>());
    let text = |key: &str| answer["error"][key].as_str().unwrap().to_string();
    assert!(text("what").len() < 1_000, "{}", text("what"));
    (text("kind"), text("what"))
}

#[test]
fn what_is_no_request_is_unreadable() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let deeper = format!("{{\"ask\":\"run\",\"election\":{}", "{\"a\":".repeat(200_000));
    let long = format!("{{\"ask\":\"{}\"}}", "x".repeat(5_000_000));
    let wrong = [
        "",
        "null",
        "42",
        "[]",
        "{}",
        "{\"ask\"",
        "{\"ask\":null}",
        "{\"ask\":\"dance\"}",
        "{\"ask\":\"run\"}",
        "{\"ask\":\"catalogue\",\"more\":1}",
        "{\"ask\":\"run\",\"election\":{\"algorithm\":\"peterson\",\"colour\":1}}",
        "{\"ask\":\"run\",\"election\":{\"algorithm\":\"peterson\"},\"colour\":1}",
        "{\"ask\":\"run\",\"election\":{\"algorithm\":\"peterson\",\"seed\":-1}}",
        "{\"ask\":\"run\",\"election\":{\"algorithm\":\"peterson\",\"seed\":1e99}}",
        "{\"ask\":\"run\",\"election\":{\"algorithm\":\"peterson\",\"topology\":\"ring:0\"}}",
        "{\"ask\":\"run\",\"election\":{\"algorithm\":\"peterson\",\"topology\":\"ring:99999999999999999999\"}}",
        "{\"ask\":\"fits\",\"topology\":7}",
        "\u{feff}{\"ask\":\"catalogue\"}",
        &deep,
        &deeper,
        &long,
    ];
    for request in wrong {
        let (kind, what) = of(request);
        assert_eq!(kind, "unreadable", "{what}");
    }
}

/// A tenth of the run tells it, so nobody waits for the whole.
#[test]
fn what_goes_on_for_too_long_is_too_large() {
    for (algorithm, topology, until) in [("lease", "complete:3", "1000000"), ("member", "complete:40", "1000")] {
        let election = json!({"algorithm": algorithm, "topology": topology, "until": until});
        let (kind, what) = of(&json!({"ask": "run", "election": election}).to_string());
        assert_eq!(kind, "too-large", "{algorithm}: {what}");
    }
}

#[test]
fn what_is_huge_is_too_large_before_it_is_built() {
    for topology in [
        "ring:1000000000",
        "complete:100000",
        "grid:30000x30000",
        "hypercube:31",
        "gnp:10000:1",
        "star:4294967295",
        "regular:10000:5000",
        "ba:10000:4000",
        "ws:10000:8000:0.5",
        "tree:4000000000",
        "torus:65535x65535",
    ] {
        for request in [
            json!({"ask": "fits", "topology": topology}),
            json!({"ask": "run", "election": {"algorithm": "echo-election", "topology": topology, "initiators": "0"}}),
            json!({"ask": "picture", "election": {"algorithm": "echo-election", "topology": topology}, "form": "svg"}),
            json!({"ask": "worst", "election": {"algorithm": "echo-election", "topology": topology}, "of": "ids"}),
            json!({"ask": "check", "check": {"algorithm": "echo-election", "topology": topology}}),
        ] {
            let (kind, what) = of(&request.to_string());
            assert_eq!(kind, "too-large", "{request}: {what}");
        }
    }
    // More messages than can be shown.
    let (kind, what) = refused(&json!({"ask": "run", "election": {"algorithm": "le-lann", "topology": "ring:5000"}}));
    assert!(kind == "too-large" && what.contains("about 25,000,000 messages"), "{what}");
    let election = json!({"algorithm": "chang-roberts", "topology": "ring:2000", "ids": "descending"});
    let (kind, what) = refused(&json!({"ask": "run", "election": election}));
    assert!(kind == "too-large" && what.contains("more events than that"), "{what}");
    // A node in the middle tells the set of all its neighbours after each event.
    let election = json!({"algorithm": "echo-election", "topology": "star:4000", "initiators": "0"});
    let (kind, what) = refused(&json!({"ask": "run", "election": election}));
    assert!(kind == "too-large" && what.contains("the variables of this run take more than"), "{what}");
    // Many values take much more memory than their text.
    let many = format!("{{\"ask\":\"check\",\"check\":{{\"topology\":[{}0]}}}}", "0,".repeat(1_000_000));
    let (kind, what) = of(&many);
    assert!(kind == "too-large" && what.contains("a request has at most 200,000 values"), "{what}");
    let point = json!({"ask": "point", "election": {"algorithm": "peterson"}, "kind": "ring", "nodes": 1_000_000_000,
        "runs": 1, "quantity": "messages"});
    assert_eq!(of(&point.to_string()).0, "too-large");
}

#[test]
fn what_cannot_be_is_refused() {
    let run = |election: Value| refused(&json!({"ask": "run", "election": election}));
    for (election, said) in [
        (json!({"algorithm": "x".repeat(100_000)}), "there is no algorithm"),
        (json!({"algorithm": "peterson", "host": "threads"}), "the lab simulates"),
        (json!({"algorithm": "peterson", "fault": ["crash=99@1"], "force": true}), "99"),
        (json!({"algorithm": "peterson", "fault": ["explode"]}), "explode"),
        (json!({"algorithm": "peterson", "ids": "1,1,1"}), "--ids"),
        (json!({"algorithm": "peterson", "ids": "file:/etc/passwd"}), "not in the request"),
        (json!({"algorithm": "itai-rodeh", "draws": "../../etc/shadow"}), "not in the request"),
        (json!({"algorithm": "peterson", "topology": "file:../secret"}), "not in the request"),
        (json!({"algorithm": "peterson", "set": ["n=0"]}), "no parameter 'n'"),
    ] {
        let (kind, what) = run(election);
        assert!(kind == "refused" && what.contains(said), "{what}");
    }
    // So many elections, or so long a wait, still end.
    let many = json!({"algorithm": "peterson", "topology": "ring:4", "elections": 4_000_000_000u32, "force": true});
    let answer: Value =
        serde_json::from_str(&answer(&json!({"ask": "run", "election": many}).to_string(), &Limits::BROWSER)).unwrap();
    assert!(answer["ok"] == true || answer["error"]["kind"] == "too-large", "{}", answer["error"]);
}

#[test]
fn a_file_that_is_no_network_is_refused() {
    for content in ["", "0 1 2 3 4 5 x", "graph {", "<graphml>", "{\"nodes\":"] {
        let request = json!({"ask": "fits", "topology": "file:a", "files": {"a": content}});
        let (kind, what) = of(&request.to_string());
        assert!(["refused", "too-large"].contains(&&kind[..]) && what.starts_with("a:"), "{content:?}: {kind} {what}");
    }
}
