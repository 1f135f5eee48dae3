//! The entry of an algorithm, in words.

use bellwether_core::{Info, Informs, Knowledge, LinkOrder, Model, Starts, Values, Winner};

/// The assumptions and promises of an algorithm, as a list.
#[must_use]
pub fn terms(info: &Info) -> Vec<(&'static str, String)> {
    let knows = if info.knows.is_empty() {
        "nodes know nothing".into()
    } else {
        format!("every node knows {}", info.knows.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    };
    vec![
        ("network", format!("{}{}", info.topology, if info.is_anonymous() { ", anonymous" } else { "" })),
        (
            "timing",
            match info.model {
                Model::Asynchronous if info.knows.contains(&Knowledge::MaxDelay) => {
                    "asynchronous, but no message takes longer than a known time".into()
                }
                Model::Asynchronous => "asynchronous: messages take any time".into(),
                Model::Synchronous => "synchronous rounds".into(),
            },
        ),
        (
            "links",
            match info.links {
                _ if info.perpetual => "messages may be lost, repeated and overtaken".into(),
                LinkOrder::Fifo => "reliable, first in first out".into(),
                LinkOrder::Any => "reliable, in any order".into(),
            },
        ),
        ("knows", knows),
        (
            "starts",
            match info.starts {
                Starts::All if info.perpetual => "everybody".into(),
                Starts::All => "everybody in round 1".into(),
                Starts::Any => "any set of nodes at once".into(),
                Starts::AnyRound => "any set of nodes, each in a round of its own".into(),
                Starts::One => "one node".into(),
            },
        ),
        ("winner", info.winner.to_string()),
        (
            "informs",
            match info.informs {
                Informs::Leader => "everybody learns who leads".into(),
                Informs::End => "everybody learns that somebody leads".into(),
                Informs::Provisionally => {
                    "everybody holds the leader's id when all is quiet, and never knows it".into()
                }
                Informs::Nobody => "only the leader knows that it leads".into(),
            },
        ),
        (
            "faults",
            if info.perpetual {
                "survives crashes and restarts at any moment, with its disk or without"
            } else if info.survives_crashes {
                "survives crashes at any moment"
            } else {
                "none: nothing is lost, nobody crashes"
            }
            .into(),
        ),
        ("chance", if info.randomised { "random choices" } else { "deterministic" }.into()),
        (
            "again",
            match info.repeatable {
                _ if info.perpetual => "never ends: one leadership follows the other, each with a larger number",
                true => "elections can be repeated without a reset",
                false => "one election",
            }
            .into(),
        ),
    ]
}

/// The winner in a few letters, for tables.
#[must_use]
pub fn winner(info: &Info) -> &'static str {
    match info.winner {
        Winner::MaxOfAll => "max of all",
        Winner::MaxOfInitiators => "max of initiators",
        Winner::MinOfAll => "min of all",
        Winner::MinOfWakers => "min of wakers",
        Winner::Random => "random",
        Winner::Any => "any",
    }
}

/// The values that a parameter takes, in words.
#[must_use]
pub fn values(values: &Values) -> String {
    match values {
        Values::AtLeast(least) => format!("a number from {least}"),
        Values::Between(least, most) => format!("a number from {least} to {most}"),
        Values::OneOf(words) => words.join(" | "),
    }
}
