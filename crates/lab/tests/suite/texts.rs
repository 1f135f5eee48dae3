//! The catalogue, networks and who runs on them, pictures, explanations.

use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};
use bellwether_lab::files::files;
use serde_json::{Value, json};

use crate::{fine, refused};

#[test]
fn the_catalogue_has_all_that_a_menu_needs() {
    let catalogue = fine(&json!({"ask": "catalogue"}));
    let algorithms = catalogue["algorithms"].as_array().unwrap();
    assert_eq!(algorithms.len(), CATALOGUE.len() + PERPETUAL.len());
    for entry in algorithms {
        assert!(entry["rulebook"].as_array().is_some_and(|lines| lines.len() > 1), "{}", entry["name"]);
        assert!(entry["explanation"].as_str().unwrap().contains("## Rules"), "{}", entry["name"]);
        fine(&json!({"ask": "run", "election": {"algorithm": entry["name"], "topology": entry["usual-topology"]}}));
        for erratum in entry["errata"].as_array().unwrap() {
            let name = format!("{}/{}", entry["name"].as_str().unwrap(), erratum["name"].as_str().unwrap());
            assert_eq!(fine(&json!({"ask": "explain", "what": name}))["text"], erratum["text"]);
        }
    }
    for topology in catalogue["topologies"].as_array().unwrap().iter().filter(|it| it["kind"] != "file") {
        fine(&json!({"ask": "fits", "topology": topology["form"]}));
    }
    for story in catalogue["stories"].as_array().unwrap() {
        assert_eq!(fine(&json!({"ask": "explain", "what": story["name"]}))["text"], story["text"]);
    }
    assert!(fine(&json!({"ask": "explain", "what": "LCR"}))["text"].as_str().unwrap().contains("## Rules"));
    let (_, what) = refused(&json!({"ask": "explain", "what": "petersen"}));
    assert!(what.contains("did you mean peterson?"), "{what}");
}

#[test]
fn who_does_not_fit_is_told_why() {
    let fits = fine(&json!({"ask": "fits", "topology": "grid:3x3"}));
    assert_eq!((&fits["nodes"], &fits["links"]), (&json!(9), &json!(12)));
    for key in ["x", "y"] {
        assert_eq!(fits[key].as_array().unwrap().len(), 9);
    }
    assert_eq!(fits["from"].as_array().unwrap().len(), 12);
    let entry = |name: &str| fits["algorithms"].as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap();
    assert_eq!((&entry("echo-election")["fits"], &entry("echo-election")["reason"]), (&json!(true), &json!(null)));
    for (name, needed) in [("peterson", "one-way ring"), ("tree-waves", "tree"), ("bully", "complete")] {
        let entry = entry(name);
        assert_eq!(entry["fits"], false, "{entry}");
        let reason = entry["reason"].as_str().unwrap();
        assert!(reason.contains(needed) && reason.contains("grid:3x3 is none"), "{reason}");
        // A run says the same.
        let (_, what) = refused(&json!({"ask": "run", "election": {"algorithm": name, "topology": "grid:3x3"}}));
        assert!(what.contains(reason), "{what}");
    }
    let named = json!({"ask": "fits", "topology": "file:a.dot", "files": {"a.dot": "graph { a -- b; b -- c; }"}});
    assert_eq!(fine(&named)["names"], json!(["a", "b", "c"]));
}

#[test]
fn an_election_is_drawn_in_every_form() {
    let picture = |form: &str| {
        let election = json!({"algorithm": "franklin", "topology": "ring:5"});
        fine(&json!({"ask": "picture", "election": election, "form": form}))["text"].as_str().unwrap().to_string()
    };
    assert!(picture("svg").starts_with("<svg") && picture("network").starts_with("<svg"));
    assert_ne!(picture("svg"), picture("network"));
    assert!(picture("html").starts_with("<!doctype html>") || picture("html").starts_with("<!DOCTYPE html>"));
    assert!(picture("text").lines().count() > 5);
    let (kind, what) = refused(&json!({"ask": "picture", "election": {"algorithm": "franklin"}, "form": "gif"}));
    assert!(kind == "unreadable" && what.contains("unknown variant `gif`"), "{what}");
    // The page's data is the reel of a run.
    let ran: Value = fine(&json!({"ask": "run", "election": {"algorithm": "franklin", "topology": "ring:5"}}));
    let data = serde_json::to_string(&ran["reel"]).unwrap().replace('<', "\\u003c");
    assert!(picture("html").contains(&data));
}

#[test]
fn the_player_is_among_the_files_and_every_path_is_plain() {
    let files = files();
    assert!(files.iter().any(|file| file.path == "player/player.js"));
    assert!(files.iter().any(|file| file.path == "player/style.css" && file.media_type().starts_with("text/css")));
    for file in &files {
        assert!(!file.path.starts_with(['/', '.']) && !file.path.contains(".."), "{}", file.path);
        assert!(!file.path.contains('\\') && !file.content.is_empty(), "{}", file.path);
    }
}
