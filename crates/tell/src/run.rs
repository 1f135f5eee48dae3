//! The report of a run, as JSON.

use bellwether_core::{Info, Phases, Round};
use bellwether_net::Wiring;
use bellwether_world::numbers::{grouped, plain};
use bellwether_world::{Leader, Messages, PhaseSeen, Property, Proved, Report, Scenario, Time, Timing};
use serde_json::{Value, json};

use crate::Object;

/// The amount of statistics in a JSON report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing.
    None,
    /// Totals, and the nodes that sent most.
    Stats,
    /// Also the messages of every node.
    ByNode,
}

/// A report as JSON; the keys are part of the interface.
#[must_use]
pub fn json(info: &Info, scenario: &Scenario, report: &Report, detail: Detail, repeat: &str) -> Object {
    let mut object = Object::default();
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    let counts = |overhead: bool| {
        let kinds = report.kinds.iter().filter(|kind| kind.overhead == overhead);
        Value::Object(kinds.map(|kind| (kind.name.to_string(), json!(kind.count))).collect())
    };
    put("algorithm", json!(scenario.algorithm));
    put("topology", json!(scenario.topology.name));
    put("nodes", json!(scenario.topology.nodes()));
    put("links", json!(scenario.topology.links()));
    put("timing", json!(scenario.timing.to_string()));
    put("seed", json!(scenario.seed));
    if report.decided.is_some() {
        put("initiators", scenario.electorate().initiators().map(|(node, _)| node).collect());
        if !scenario.start_together() {
            let wake = |(node, Round(round)): (u32, Round)| json!([node, u64::try_from(round).unwrap_or(u64::MAX)]);
            put("wake", scenario.electorate().initiators().map(wake).collect());
        }
        if !info.is_anonymous() {
            put("ids", json!(scenario.ids));
        }
        if !scenario.topology.names.is_empty() {
            put("names", json!(scenario.topology.names));
        }
    }
    if !scenario.settings.is_empty() {
        put("settings", json!(scenario.settings));
    }
    put("outcome", json!(report.outcome));
    put("leaders", report.leaders.iter().map(|leader| named(scenario, leader)).collect());
    if let Some(decided) = &report.decided {
        put("decided", json!(decided));
    }
    if let Some(numbers) = &report.numbers {
        put("numbers", json!(numbers));
    }
    if !scenario.faults.is_empty() {
        put("faults", scenario.faults.iter().map(|fault| fault.among(&scenario.topology)).collect());
        put("crashed", json!(report.crashed));
        put("lost", json!(report.lost));
        put("repeated", json!(report.repeated));
    }
    report.symmetry.iter().for_each(|symmetry| object.put("symmetry", symmetry));
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    let Messages { election, announce, .. } = report.purposes();
    let total = report.messages();
    let by_kind = counts(false);
    put("messages", json!({"total": total, "election": election, "announce": announce, "by_kind": by_kind}));
    if report.kinds.iter().any(|kind| kind.overhead) {
        put("overhead", counts(true));
    }
    if let (Some(Phases { first, .. }), Some(seen)) = (&info.phases, &report.phases) {
        let numbered = |(number, phase): (u64, &PhaseSeen)| {
            let PhaseSeen { racing, messages, nodes, .. } = phase;
            let mut object = json!({"phase": number, "racing": racing, "messages": messages});
            if nodes.len() as u64 == *racing {
                object["nodes"] = json!(nodes);
            }
            object
        };
        put("phases", (*first..).zip(&seen.each).map(numbered).collect());
    }
    if info.perpetual {
        // Times may be too precise for a JSON value.
        object.put("terms", &report.terms);
        object.put("failover", &report.failovers().max().map(Time::after));
    }
    if !report.reasons.is_empty() {
        let reasons: Vec<_> = report.reasons.iter().map(|(node, why)| json!({"node": node, "why": why})).collect();
        object.put("reasons", &reasons);
    }
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    put("bits", json!(report.bits));
    // A round number may be too large for a JSON value.
    object.put("time", &report.time);
    if let (Timing::Live(clock), Some(time)) = (scenario.timing, report.time) {
        object.put("milliseconds", &clock.milliseconds(time));
    }
    let mut put = |key: &'static str, value: Value| object.put(key, &value);
    let proved = Proved::new(info, scenario);
    put("bounds", {
        let given = |pairs: &[(&str, Option<f64>)]| {
            let given = pairs.iter().filter_map(|(name, value)| Some((name.to_string(), plain((*value)?))));
            Value::Object(given.collect())
        };
        let needed = info.bounds.needed.filter(|_| detail != Detail::None && scenario.all_start());
        let needed = needed.and_then(|needed| needed.value(scenario.size(info)));
        let three = |of: &Proved| given(&[("best", of.best), ("mean", of.mean), ("worst", of.worst)]);
        let mut bounds = json!({
            "messages": three(&proved.with_announcement()),
            "election": three(&proved),
            "time": given(&[("worst", proved.time)]),
        });
        if let Some(announce) = proved.announce {
            bounds["announce"] = plain(announce);
        }
        if let Some(needed) = needed {
            bounds["needed_to_elect"] = plain(needed);
        }
        if let Some(failover) = proved.failover {
            bounds["failover"] = plain(failover);
        }
        if report.phases.is_some() {
            let each = ("messages", proved.phase_messages);
            bounds["phases"] = given(&[("mean", proved.mean_phases), ("worst", proved.phases), each]);
        }
        bounds
    });
    put("ok", json!(report.is_right()));
    put("violations", json!(report.violations));
    let why =
        |(property, why): &(Property, &str)| json!({"name": property.to_string(), "key": property.key(), "why": why});
    put("not_judged", report.not_judged.iter().map(why).collect());
    put("elections", json!(scenario.elections));
    if detail != Detail::None {
        let run = &report.stats;
        let mut sends = busiest(&run.sends).map(|(node, most)| json!({"most": most, "node": node}));
        if let (Detail::ByNode, Some(sends)) = (detail, &mut sends) {
            sends["by_node"] = json!(run.sends);
        }
        put("stats", json!({"events": run.events, "peak_in_flight": run.peak_in_flight, "sends": sends}));
    }
    put("repeat", json!(repeat));
    object
}

/// A leader, with its name if nodes have names.
fn named(scenario: &Scenario, leader: &Leader) -> Value {
    let mut object = json!(leader);
    if let Some(name) = scenario.topology.names.get(leader.node as usize) {
        object["name"] = json!(name);
    }
    object
}

/// The node that sent most, and how much that is.
#[must_use]
pub fn busiest(sends: &[u32]) -> Option<(usize, u32)> {
    sends.iter().copied().enumerate().rev().max_by_key(|&(_, count)| count)
}

/// Why a run was stopped at its limit.
#[must_use]
pub fn stopped(scenario: &Scenario) -> String {
    let events = if scenario.limit == 1 { "event" } else { "events" };
    format!("after {} {events}; --limit N allows more", grouped(scenario.limit))
}
