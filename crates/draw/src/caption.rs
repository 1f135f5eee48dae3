//! The words around a picture.

use std::fmt;

use bellwether_net::{Network, Wiring};
use bellwether_world::trace::ANNOUNCE;
use bellwether_world::{Fault, Messages, Scenario, Time, Timing};
use serde_json::Value;

use crate::diagram::moment;
use crate::diagram_builder::kind;
use crate::remarks::Stop;
use crate::states::States;

/// The largest number of faults in a title.
const MOST_FAULTS: usize = 4;

/// The run in a line, without the faults that befall it.
pub fn run(scenario: &Scenario) -> String {
    let timing = timing(scenario);
    format!("{} on {} · {timing} · seed {}", scenario.algorithm, scenario.topology, scenario.seed)
}

/// The run in a line.
pub fn title(scenario: &Scenario) -> String {
    let mut title = run(scenario);
    for fault in scenario.faults.iter().take(MOST_FAULTS) {
        title += &format!(" · {}", fault.among(&scenario.topology));
    }
    match scenario.faults.len().saturating_sub(MOST_FAULTS) {
        0 => title,
        1 => format!("{title} · 1 more fault"),
        more => format!("{title} · {more} more faults"),
    }
}

/// A cut link: the fault as it is typed, with an explanation if that is needed.
pub fn cut(fault: &Fault, network: &Network) -> String {
    let typed = fault.among(network);
    let Fault::OneWay(from, to, _) = fault else { return typed };
    let (from, to) = (network.printed_name(*from), network.printed_name(*to));
    format!("{typed}: what node {from} sends to node {to} is lost")
}

/// The size of a network, in words.
pub fn size(network: &Network) -> String {
    let counted = |count: u64, what: &str| format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" });
    format!("{}, {}", counted(network.nodes().into(), "node"), counted(network.links(), "link"))
}

/// The timing, in a few words.
pub fn timing(scenario: &Scenario) -> String {
    match scenario.timing {
        Timing::Rounds => "in rounds".into(),
        Timing::Live(_) => "live".into(),
        Timing::Chosen(_) => "one schedule of all".into(),
        timing => format!("{timing} delays"),
    }
}

/// The number of messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sends {
    /// The algorithm's own, and the pulses of a synchronizer.
    pub messages: Messages,
    /// Those that give numbers to the nodes.
    pub numbering: u64,
}

impl Sends {
    /// Counts a message.
    pub fn count(&mut self, msg: &Value) {
        let Self { messages: Messages { election, announce, overhead }, numbering } = self;
        let carried = msg.get("carry").and_then(|carry| carry.get(2));
        *match &kind(carried.unwrap_or(msg))[..] {
            "pulse" => overhead,
            "number" => numbering,
            ANNOUNCE => announce,
            _ => election,
        } += 1;
    }

    /// The number of all messages.
    pub fn total(self) -> u64 {
        self.messages.total() + self.messages.overhead + self.numbering
    }
}

impl fmt::Display for Sends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages: messages @ Messages { overhead, .. }, numbering } = self;
        write!(f, "messages: {messages}")?;
        match overhead {
            0 => {}
            1 => write!(f, ", and 1 pulse of the synchronizer")?,
            pulses => write!(f, ", and {} pulses of the synchronizer", grouped(*pulses))?,
        }
        match numbering {
            0 => Ok(()),
            count => write!(f, ", and {} to number the nodes", grouped(*count)),
        }
    }
}

/// The outcome in a line. It is unknown if the run was stopped.
pub fn outcome(scenario: &Scenario, anonymous: bool, states: &States, sends: Sends, stopped: Option<Stop>) -> String {
    const SHOWN: usize = 4;
    let leaders: Vec<_> = states.leaders().collect();
    let name = |node: &u32| {
        let name = scenario.topology.printed_name(*node);
        match scenario.ids.get(*node as usize) {
            Some(id) if !anonymous => format!("{name} (id {id})"),
            _ => name.into_owned(),
        }
    };
    let names = leaders.iter().take(SHOWN).map(name).collect::<Vec<_>>().join(", ");
    let names = if leaders.len() > SHOWN { format!("{names}, …") } else { names };
    let who = match (leaders.len(), stopped) {
        (0, None) => "nobody leads".into(),
        (1, None) => format!("node {names} leads"),
        (count, None) if count > SHOWN => format!("{count} nodes lead: {names}"),
        (_, None) => format!("nodes {names} lead"),
        (0, Some(stop)) => format!("not known: {stop}"),
        (1, Some(stop)) => format!("not known: {stop} while node {names} led"),
        (_, Some(stop)) => format!("not known: {stop} while nodes {names} led"),
    };
    let decided = |time: Time| format!(" · last decision at {}", moment(scenario.timing, time).replace("t=", ""));
    format!("{who}{} · {sends}", states.decided().map_or(String::new(), decided))
}

/// A number with its digits in groups.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_caption_counts_as_a_report_does() {
        let mut sends = Sends::default();
        for msg in [json!({"elect": 3}), json!({"carry": [1, 0, {"announce": 3}]}), json!({"pulse": [1, 1]})] {
            sends.count(&msg);
        }
        assert_eq!(sends.to_string(), "messages: 2 = 1 to elect + 1 to announce, and 1 pulse of the synchronizer");
        assert_eq!(sends.total(), 3);
    }
}
