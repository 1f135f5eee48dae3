//! Every schedule, the worst case, and points of a curve.

use bellwether_ask::Check;
use serde_json::{Value, json};

use crate::{fine, refused};

#[test]
fn a_right_algorithm_holds_and_a_wrong_world_shows_how_it_breaks() {
    let check = |check: Value| fine(&json!({"ask": "check", "check": check}));
    let holds = check(json!({"algorithm": "chang-roberts", "topology": "ring:4", "ids": "all"}));
    assert_eq!((&holds["report"]["verdict"], &holds["report"]["configurations"]), (&json!("holds"), &json!(6)));
    assert_eq!((&holds["reel"], &holds["property"], &holds["story"]), (&json!(null), &json!(null), &json!([])));
    assert_eq!(holds["repeat"], "bellwether check chang-roberts --topology ring:4 --ids all");
    let broken = check(json!({"algorithm": "chang-roberts", "topology": "ring:3", "loss": 1}));
    assert_eq!((&broken["report"]["verdict"], &broken["report"]["broken"]), (&json!("broken"), &json!("a-leader")));
    assert!(!broken["reel"].is_null() && broken["report"]["dropped"][0].as_str().unwrap().contains("reliable links"));
    let story = broken["story"].as_array().unwrap();
    assert!(story.iter().any(|line| line.as_str().unwrap().contains("is lost")), "{story:?}");
    // The same world without what is needed for two leaders: an order of messages, and unique ids.
    let same = check(json!({"algorithm": "chang-roberts", "topology": "ring:3", "ids": "same"}));
    assert_eq!(same["report"]["broken"], "one-leader");
}

#[test]
fn a_search_that_is_too_large_says_so() {
    let (kind, what) = refused(&json!({"ask": "check", "check": {"algorithm": "peterson", "topology": "ring:1000"}}));
    assert!(kind == "too-large" && what.contains("at most 64"), "{what}");
    let all = json!({"ask": "check", "check": {"algorithm": "peterson", "topology": "ring:14", "ids": "all"}});
    let (kind, what) = refused(&all);
    assert!(kind == "too-large" && what.contains("6,227,020,800 configurations"), "{what}");
    // This one is not known to be too large before: it stops, and says at how many states.
    let limits = bellwether_lab::Limits { states: 20_000, ..bellwether_lab::Limits::NATIVE };
    let request = json!({"ask": "check", "check": {"algorithm": "bully", "topology": "complete:5", "timers": "any"}});
    let answer: Value = serde_json::from_str(&bellwether_lab::answer(&request.to_string(), &limits)).unwrap();
    let report = &answer["report"];
    assert_eq!((&answer["ok"], &report["complete"]), (&json!(true), &json!(false)), "{report}");
    assert!(report["stopped"].as_str().unwrap().starts_with("the lab follows at most 20,000 states"), "{report}");
    assert!(report["states"].as_u64().unwrap() < 200_000, "{report}");
}

#[test]
fn every_field_of_a_search_is_known_and_no_other() {
    let all = json!({
        "algorithm": "bully", "topology": "complete:3", "ids": "all", "initiators": "all-sets",
        "seed": 2, "links": "reorder", "loss": 1, "crashes": 1, "timers": "any", "starts": "first",
        "reduction": "off", "memory": "1M", "fingerprints": true, "all": true,
    });
    let check: Check = serde_json::from_value(all.clone()).unwrap();
    assert_eq!(serde_json::to_value(&check).unwrap(), all);
    fine(&json!({"ask": "check", "check": all}));
    let (kind, what) = refused(&json!({"ask": "check", "check": {"algorithm": "bully", "nodes": 3}}));
    assert!(kind == "unreadable" && what.contains("a check has no field 'nodes'"), "{what}");
    let (_, what) = refused(&json!({"ask": "check", "check": {"algorithm": "bully", "time": "5s"}}));
    assert!(what.contains("leave time out"), "{what}");
}

fn can_happen(check: &Value, what: &str, messages: Option<u64>) -> Value {
    fine(&json!({"ask": "can-happen", "check": check, "what": what, "messages": messages}))
}

#[test]
fn what_can_happen_is_shown_and_what_cannot_is_said() {
    let right = json!({"algorithm": "chang-roberts", "topology": "ring:4", "ids": "all"});
    assert_eq!(can_happen(&right, "two-leaders", None)["never"], true);
    assert_eq!(can_happen(&right, "nobody-informed", None)["never"], true);
    let same = json!({"algorithm": "chang-roberts", "topology": "ring:3", "ids": "same"});
    let two = can_happen(&same, "two-leaders", None);
    assert_eq!((&two["never"], two["reel"].is_null()), (&json!(false), false));
    let bully = json!({"algorithm": "bully", "topology": "complete:3", "timers": "any"});
    assert_eq!(can_happen(&bully, "two-leaders", None)["never"], false);
}

/// With ids 4,3,2,1 clockwise, Chang-Roberts takes 4 + 3 + 2 + 1 messages on the dearest schedule.
#[test]
fn more_messages_than_the_worst_never_happen() {
    let check = json!({"algorithm": "chang-roberts", "topology": "ring:4", "ids": "4,3,2,1", "starts": "first"});
    let more = can_happen(&check, "more-than", Some(9));
    assert_eq!(more["never"], false);
    let sent = more["reel"]["events"]["sends"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap());
    assert_eq!(sent.sum::<u64>(), 10);
    assert_eq!(can_happen(&check, "more-than", Some(10))["never"], true);
    // A shortest schedule: three starts send three messages.
    let three = can_happen(&check, "more-than", Some(2));
    assert_eq!(three["reel"]["events"]["node"].as_array().unwrap().len(), 3);
    let (_, what) = refused(&json!({"ask": "can-happen", "check": check, "what": "more-than"}));
    assert!(what.contains("'messages' is missing"), "{what}");
    // Without an end of messages, any number is exceeded.
    let endless = json!({"algorithm": "itai-rodeh", "topology": "ring:3", "set": ["k=2"]});
    assert_eq!(can_happen(&endless, "more-than", Some(60))["never"], false);
}

#[test]
fn the_worst_ids_of_chang_roberts_descend() {
    for nodes in 2..=7u64 {
        let election = json!({"algorithm": "chang-roberts", "topology": format!("ring:{nodes}")});
        let worst = fine(&json!({"ask": "worst", "election": election, "of": "ids", "quantity": "messages"}));
        assert_eq!(worst["value"], nodes * (nodes + 1) / 2, "{worst}");
        assert_eq!(worst["proved"], worst["value"]);
        // On average n H_n.
        let mean = nodes as f64 * (1..=nodes).map(|k| 1.0 / k as f64).sum::<f64>();
        assert!((worst["average"].as_f64().unwrap() - mean).abs() < 1e-9, "{worst}");
        let held = fine(&json!({"ask": "run", "election": worst["election"]}));
        assert_eq!(held["report"]["messages"]["election"], worst["value"]);
        assert_eq!(held["repeat"], worst["repeat"]);
    }
}

#[test]
fn the_worst_schedule_is_shown() {
    let request = |election: Value, of: &str| json!({"ask": "worst", "election": election, "of": of});
    let worst = fine(&request(json!({"algorithm": "echo-election", "topology": "ring:3", "ids": "1,2,3"}), "schedule"));
    let sent = worst["reel"]["events"]["sends"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap());
    assert!(
        sent.sum::<u64>() >= worst["value"].as_u64().unwrap() && worst["value"].as_u64() >= worst["least"].as_u64(),
        "{worst}"
    );
    assert!(worst["how"].as_str().unwrap().starts_with("every schedule of"), "{worst}");
    let (_, what) = refused(&request(json!({"algorithm": "clockwise"}), "schedule"));
    assert!(what.contains("only one schedule"), "{what}");
    let (kind, what) = refused(&request(json!({"algorithm": "peterson", "topology": "ring:12"}), "ids"));
    assert!(kind == "too-large" && what.contains("9 nodes are feasible"), "{what}");
    let (_, what) = refused(&request(json!({"algorithm": "itai-rodeh"}), "ids"));
    assert!(what.contains("without ids"), "{what}");
    let (kind, _) = refused(&request(json!({"algorithm": "echo-election", "topology": "grid:9x9"}), "schedule"));
    assert_eq!(kind, "too-large");
}

#[test]
fn a_point_is_measured_beside_what_is_proved() {
    let point = |algorithm: &str, quantity: &str| {
        json!({"ask": "point", "election": {"algorithm": algorithm}, "kind": "ring", "nodes": 16, "runs": 20,
            "quantity": quantity})
    };
    let exact = fine(&point("le-lann", "messages"));
    for key in ["mean", "least", "most"] {
        assert_eq!(exact[key], 256, "{exact}");
    }
    assert_eq!(exact["proved"], json!({"best": 256, "mean": 256, "worst": 256}));
    let some = fine(&point("chang-roberts", "messages"));
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(number(&some["least"]) <= number(&some["mean"]) && number(&some["mean"]) <= number(&some["most"]));
    assert!((number(&some["proved"]["mean"]) - 16.0 * (1..=16).map(|k| 1.0 / f64::from(k)).sum::<f64>()).abs() < 1e-9);
    assert_eq!((&some["n"], &some["wrong"]), (&json!(16), &json!(0)));
    fine(&point("franklin", "time"));
    fine(&point("franklin", "bits"));
    let mut large = point("le-lann", "messages");
    large["nodes"] = json!(10_000);
    let (kind, what) = refused(&large);
    assert!(kind == "too-large" && what.contains("fewer nodes"), "{what}");
}
