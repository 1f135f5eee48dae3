//! All that there is to choose from.

use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};
use bellwether_ask::usual_topology;
use bellwether_catalogue::errata::ERRATA;
use bellwether_core::{Info, Informs, LinkOrder, Model, Rulebook, Setting, Starts, Values};
use bellwether_net::{FORMS, Form};
use bellwether_tell::{Object, STORIES, winner};
use serde_json::{Value, json};

use crate::fine;

/// The catalogue: algorithms, kinds of networks, stories.
pub fn catalogue() -> Object {
    let mut object = fine();
    object.put("version", &env!("CARGO_PKG_VERSION"));
    object.put("algorithms", &CATALOGUE.iter().chain(PERPETUAL).copied().map(algorithm).collect::<Vec<_>>());
    object.put("topologies", &FORMS.iter().map(topology).collect::<Vec<_>>());
    let stories = STORIES.iter().map(|(name, text)| json!({"name": name, "text": text}));
    object.put("stories", &stories.collect::<Vec<_>>());
    object
}

/// A kind of network.
fn topology(form: &Form) -> Value {
    json!({
        "kind": form.family,
        "form": form.example,
        "given": form.given,
        "help": form.help,
    })
}

fn algorithm(info: &Info) -> Value {
    let errata = ERRATA.iter().filter(|erratum| erratum.algorithm == info.name);
    let errata = errata.map(|erratum| json!({"name": erratum.name, "title": erratum.title(), "text": erratum.text}));
    json!({
        "name": info.name,
        "summary": info.summary,
        "network": info.topology.to_string(),
        "model": match info.model { Model::Asynchronous => "events", Model::Synchronous => "rounds" },
        "knows": info.knows.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "anonymous": info.is_anonymous(),
        "winner": winner(info),
        "informs": match info.informs {
            Informs::Leader => "leader",
            Informs::End => "end",
            Informs::Provisionally => "provisionally",
            Informs::Nobody => "nobody",
        },
        "randomised": info.randomised,
        "starts": match info.starts {
            Starts::All => "all",
            Starts::Any => "any",
            Starts::AnyRound => "any-round",
            Starts::One => "one",
        },
        "links": match info.links { LinkOrder::Fifo => "fifo", LinkOrder::Any => "any" },
        "survives-crashes": info.survives_crashes,
        "repeatable": info.repeatable,
        "perpetual": info.perpetual,
        "settings": info.settings.iter().map(setting).collect::<Vec<_>>(),
        "phases": info.phases.map(|phases| phases.name),
        "usual-topology": usual_topology(info).to_string(),
        "rulebook": Rulebook::of(info).lines,
        "explanation": info.explanation(),
        "errata": errata.collect::<Vec<_>>(),
    })
}

fn setting(setting: &Setting) -> Value {
    let (values, least) = match setting.values {
        Values::AtLeast(least) | Values::Between(least, _) => (None, Some(least)),
        Values::OneOf(words) => (Some(words), None),
    };
    json!({"name": setting.name, "help": setting.help, "values": values, "least": least})
}
