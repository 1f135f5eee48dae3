//! Checks the assumptions of an algorithm against a scenario, before it is played.

use bellwether_core::{Endless, Id, Info, Knowledge, LinkOrder, Meaning, Model, Span, Starts, TopologyKind};

use crate::ids::duplicate;
use crate::{Drift, Fault, Scenario, Time, Timing};
use bellwether_net::{Network, Wiring};

/// An assumption of an algorithm that a scenario breaks: the reason, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Broken {
    /// The reason, as a sentence.
    pub reason: String,
    /// Whether the run can be made all the same.
    pub forcible: bool,
}

/// The network with the ports that the algorithm needs: the ports of a ring, if it is a ring.
#[must_use]
pub fn oriented(network: Network, info: &Info) -> Network {
    match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => network.as_ring().unwrap_or(network),
        TopologyKind::Tree | TopologyKind::Connected | TopologyKind::Complete => network,
    }
}

/// Every assumption of the algorithm that the scenario breaks.
#[must_use]
pub fn broken(scenario: &Scenario, info: &Info) -> Vec<Broken> {
    let info = info.under(&scenario.settings);
    let name = info.name;
    let mut broken = Vec::new();
    let mut note = |forcible: bool, reason: String| broken.push(Broken { reason, forcible });

    let network = &scenario.topology;
    if let Some(Broken { reason, forcible }) = unfit(network, info) {
        note(forcible, reason);
    }
    if let (false, Some(duplicate)) = (info.is_anonymous(), duplicate(&scenario.ids)) {
        note(true, format!("{name} needs different ids, and {}", duplicate.among(network)));
    }
    if info.links == LinkOrder::Fifo && !scenario.timing.is_fifo() {
        let advice = if scenario.timing == Timing::Reorder { ": take another timing than reorder" } else { "" };
        note(true, format!("{name} needs links that keep the order of messages{advice}"));
    }
    let (nodes, told) = (network.nodes(), scenario.told_size(info));
    if told != u64::from(nodes) {
        note(true, format!("{name} needs the number of nodes, which is {nodes}, and is told {told}"));
    }
    if let (Some(told), true) =
        (info.value(Meaning::Diameter, &scenario.settings), info.knows.contains(&Knowledge::Diameter))
        && !network.has_diameter_within(told)
    {
        let diameter = network.diameter();
        note(true, format!("{name} needs a bound on the diameter, which is {diameter}, and is told {told}"));
    }
    if info.perpetual && scenario.timing == Timing::Rounds {
        note(false, format!("{name} counts time by clocks, and rounds have none: take --timing unit or uniform"));
    }
    for (name, value) in &scenario.settings {
        match info.settings.iter().find(|setting| setting.name == name).map(|setting| setting.meaning) {
            Some(Meaning::Count) if *value > u64::from(nodes) => {
                note(false, format!("{name}={value} is too many: {network} has {nodes} nodes"));
            }
            Some(Meaning::Someone) if !scenario.ids.contains(&Id(*value)) => {
                note(false, format!("{name}={value} is nobody: no node of this run has the id {value}"));
            }
            _ => {}
        }
    }
    let is_led = matches!(scenario.timing, Timing::Live(_) | Timing::Chosen(_));
    let has_clocks = !is_led && scenario.timing != Timing::Rounds;
    for fault in &scenario.faults {
        match fault {
            Fault::Pause(..) | Fault::Drift(..) | Fault::Disk(..) | Fault::CrashLeader(_) if !has_clocks => {
                note(false, format!("{} needs the time of a simulated run of events", fault.among(network)));
            }
            Fault::Start(..) if info.perpetual => {
                let fault = fault.among(network);
                note(
                    false,
                    format!("in {name} everybody starts, so {fault} starts nobody: crash=NODE@T and recover=NODE@T do"),
                );
            }
            Fault::Start(..) if is_led => {
                let fault = fault.among(network);
                note(false, format!("{fault} is for simulated runs: on threads all initiators start together"));
            }
            _ => {}
        }
    }
    for fault in &scenario.faults {
        if let Some(needed) = forbids(info, scenario, fault) {
            note(true, format!("{name} needs {needed}, and {} breaks that", fault.among(network)));
        }
    }
    if let Timing::Chosen(freedom) = scenario.timing {
        let mut note = |broken: bool, needed: &str, breaks: &str| {
            if broken {
                note(true, format!("{name} needs {needed}, and {breaks} breaks that"));
            }
        };
        let lossy = !info.perpetual && (freedom.losses > 0 || freedom.unreliable);
        note(lossy, "reliable links", "a message that may be lost");
        let repeats = !info.perpetual && (freedom.copies > 0 || freedom.unreliable);
        note(repeats, "reliable links", "a message that may come twice");
        let restarts = (freedom.restarts > 0 || freedom.wipes > 0) && !info.perpetual;
        note(restarts, "processes that never come back without their memory", "a process that may start again");
        let waits = info.survives_crashes && info.model == Model::Synchronous;
        let own_model = info.model == Model::Asynchronous || freedom.keeps_rounds(info);
        let crashes = freedom.crashes > 0 && !(info.survives_crashes && own_model);
        let needed =
            if waits { "rounds, since a synchronizer waits for everybody" } else { "processes that do not crash" };
        note(crashes, needed, "a process that may crash");
        let hasty = !freedom.is_patient() && info.knows.contains(&Knowledge::MaxDelay);
        note(hasty, "messages that arrive within the known delay", "a timer that may go off earlier");
        if let Some(told) = info.drift(&scenario.settings) {
            note(
                freedom.drift.is_none(),
                "timers that go off in the order of clocks",
                "a timer that keeps to no clock",
            );
            if let Some(drift) = freedom.drift.filter(|drift| *drift > Drift::percent(told)) {
                note(true, &format!("clocks within {told} %"), &format!("a clock that may differ by {drift}"));
            }
        }
    }
    if info.knows.contains(&Knowledge::MaxDelay) && scenario.max_delay < longest_delay(scenario) {
        let (told, longest) = (Time::after(scenario.max_delay), Time::after(longest_delay(scenario)));
        note(
            true,
            format!(
                "{name} is told that messages take at most {told}, but they may take {longest}: tell it with \
                 --max-delay {longest}"
            ),
        );
    }
    if info.starts == Starts::One && scenario.initiator_count() != 1 {
        note(false, format!("in {name} exactly one node starts: use --initiators one, or the number of a node"));
    }
    if info.starts == Starts::All && !scenario.all_start() {
        let when = if info.model == Model::Synchronous { " in round 1" } else { "" };
        note(true, format!("in {name} everybody starts{when}: use --initiators all"));
    }
    if !scenario.start_together() && info.starts != Starts::AnyRound {
        note(false, format!("in {name} all initiators start together: use --initiators, not --wake"));
    }
    if !scenario.start_together() && (info.model, scenario.timing) != (Model::Synchronous, Timing::Rounds) {
        note(false, "a wake-up in a given round needs --timing rounds".into());
    }
    if scenario.elections > 1 && !info.repeatable {
        note(true, format!("{name} holds one election: only an algorithm that ends in its first state can repeat it"));
    }
    if scenario.number {
        if info.model == Model::Synchronous {
            note(
                false,
                format!("the wave that numbers the nodes is asynchronous, and {name} is not: leave --number out"),
            );
        } else if scenario.timing == Timing::Rounds {
            note(false, "the wave that numbers the nodes is asynchronous: take another timing than rounds".into());
        }
        if scenario.elections > 1 {
            note(false, "nodes are numbered after one election: leave --elections or --number out".into());
        }
        let crash = |fault: &&Fault| matches!(fault, Fault::Crash(..)) && forbids(info, scenario, fault).is_none();
        if let Some(crash) = scenario.faults.iter().find(crash) {
            let crash = crash.among(network);
            let needed = "the wave that numbers the nodes needs processes that do not crash";
            note(true, format!("{needed}, and {crash} breaks that"));
        }
    }
    if broken.iter().all(|broken| broken.forcible)
        && let Err(endless) = (info.admits)(&scenario.electorate())
    {
        let (forcible, reason) = match endless {
            Endless::Busy(reason) | Endless::Silent(reason) => (true, reason),
            Endless::Waiting(reason) => (false, reason),
        };
        broken.push(Broken { reason: format!("{name} would not end: {reason}"), forcible });
    }
    broken
}

/// The error for a network that is not of the kind that the algorithm needs.
#[must_use]
pub fn unfit(network: &Network, info: &Info) -> Option<Broken> {
    let (fits, example) = match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => (network.is_ring(), "ring:8"),
        TopologyKind::Tree => (network.is_tree(), "tree:8"),
        TopologyKind::Connected => (true, "gnp:8:0.5"),
        TopologyKind::Complete => (network.is_complete(), "complete:8"),
    };
    // An algorithm for rings sends by ports that other networks do not have.
    let forcible = matches!(info.topology, TopologyKind::Tree | TopologyKind::Complete);
    let reason = format!("{} needs a {}, as in {example}, and {network} is none", info.name, info.topology);
    (!fits).then_some(Broken { reason, forcible })
}

/// What the algorithm needs and a fault takes away.
fn forbids(info: &Info, scenario: &Scenario, fault: &Fault) -> Option<&'static str> {
    let in_rounds = info.model == Model::Synchronous && scenario.timing == Timing::Rounds;
    match fault {
        Fault::Drift(_, rate) if is_beyond(*rate, info.drift(&scenario.settings)) => {
            Some("clocks within the drift that --set drift tells it")
        }
        // It is made for all of this.
        _ if info.perpetual => None,
        Fault::Loss(_) | Fault::Duplicate(_) | Fault::Cut(..) | Fault::OneWay(..) => Some("reliable links"),
        Fault::Lose(..) | Fault::Repeat(..) => Some("reliable links"),
        Fault::Crash(..) | Fault::CrashLeader(_) if !info.survives_crashes => Some("processes that do not crash"),
        Fault::Crash(..) if info.model == Model::Synchronous && !in_rounds => Some(
            "'bellwether run --timing rounds' or processes that do not crash, since a synchronizer waits for everybody",
        ),
        Fault::Recover(..) | Fault::Wipe(..) => Some("processes that never come back without their memory"),
        Fault::Reorder(_) | Fault::Slow(..) | Fault::Hold(..) if in_rounds => Some("messages that take one round"),
        Fault::Reorder(_) | Fault::Hold(..) if info.links == LinkOrder::Fifo => {
            Some("links that keep the order of messages")
        }
        Fault::Start(..) if !matches!(info.starts, Starts::Any | Starts::AnyRound) => {
            Some("initiators that start together")
        }
        Fault::Pause(..) | Fault::Drift(..) if info.knows.contains(&Knowledge::MaxDelay) => Some("exact timers"),
        Fault::CrashLeader(_) | Fault::Disk(..) => None,
        Fault::Crash(..) | Fault::Reorder(_) | Fault::Slow(..) | Fault::Hold(..) | Fault::Start(..) => None,
        Fault::Pause(..) | Fault::Drift(..) => None,
    }
}

/// Whether a clock of this rate differs from true time by more than this number of percent.
fn is_beyond(rate: Span, told: Option<u64>) -> bool {
    let unit = Span::UNIT.0;
    told.is_some_and(|told| 100 * rate.0.abs_diff(unit) > told * unit)
}

/// The longest time that a message may take. On threads, only artificial delays count.
fn longest_delay(scenario: &Scenario) -> Span {
    let slowest = |fault: &Fault| if let Fault::Slow(_, factor) = fault { u64::from(*factor) } else { 1 };
    let late = scenario.faults.iter().any(|fault| matches!(fault, Fault::Reorder(_)));
    let usual = match scenario.timing {
        Timing::Live(clock) => clock.longest_latency(),
        _ => Span::UNIT,
    };
    let slowest = scenario.faults.iter().map(slowest).max().unwrap_or(1);
    let held = |fault: &Fault| if let Fault::Hold(.., takes) = fault { *takes } else { Span(0) };
    let longest = Span(usual.0.saturating_mul(slowest).saturating_add(Span::units(late.into()).0));
    scenario.faults.iter().map(held).max().unwrap_or(Span(0)).max(longest)
}
