//! The report of a run, as text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bellwether_console::style::{BAD, BOLD, DIM, GOOD};
use bellwether_console::table::align;
use bellwether_core::{Info, Informs, Phases};
use bellwether_net::{Diameter, Node, Wiring};
use bellwether_tell::busiest;
use bellwether_world::host::PhaseCount;
use bellwether_world::numbers::{grouped, number};
use bellwether_world::{
    Leader, Outcome, PhaseSeen, PhasesSeen, Property, Proved, Report, Scenario, Symmetry, Term, Time, Timing,
};

/// A diameter, or its range.
pub fn between(diameter: Diameter) -> String {
    let [least, most] = [diameter.at_least, diameter.at_most].map(grouped);
    if least == most { least } else { format!("{least} to {most}") }
}

/// How many nodes of a file are not in its largest connected part; nothing if all are.
pub fn left_out(nodes: u32) -> Option<(&'static str, String)> {
    let text = match nodes {
        0 => return None,
        1 => "1 node, which no way leads to".into(),
        nodes => format!("{} nodes, which no way leads to", grouped(nodes)),
    };
    Some(("left out", text))
}

/// A diameter for which the nodes were only told a bound.
pub fn told_bound(diameter: Diameter) -> String {
    format!("{}: everybody was told {}, a bound", between(diameter), grouped(diameter.at_most))
}

/// Writes a report as text.
pub fn human(
    out: &mut dyn Write,
    info: &Info,
    scenario: &Scenario,
    report: &Report,
    stats: bool,
    closing: &[(&str, String)],
) -> io::Result<()> {
    // Of all names only that of phases may be longer.
    let width = info.phases.map_or(10, |phases| phases.name.len().max(10));
    let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<width$}{DIM:#} {text}");
    line("leader", leader(info, scenario, report))?;
    for violation in &report.violations {
        line("", format!("{BAD}{violation}{BAD:#}"))?;
    }
    for (index, text) in not_judged(report).into_iter().enumerate() {
        line(if index == 0 { "not judged" } else { "" }, format!("{DIM}{text}{DIM:#}"))?;
    }
    for (index, text) in reasons(scenario, report).into_iter().enumerate() {
        line(if index == 0 { "undecided" } else { "" }, text)?;
    }
    if !report.crashed.is_empty() {
        line("crashed", nodes(scenario, &report.crashed))?;
    }
    if let Some(symmetry) = report.symmetry {
        line("states", alike(scenario, symmetry))?;
    }
    if let Some(numbers) = &report.numbers {
        line("numbers", numbered(scenario, numbers))?;
    }
    let proved = Proved::new(info, scenario);
    let (ours, overhead): (Vec<_>, Vec<_>) = report.kinds.iter().partition(|kind| !kind.overhead);
    let listed = |kinds: &[&bellwether_world::Kind]| {
        kinds.iter().map(|kind| format!("{} {}", kind.name, grouped(kind.count))).collect::<Vec<_>>().join(", ")
    };
    // With one kind of messages to elect, the kinds tell nothing new.
    let kinds = ours.iter().filter(|kind| !kind.announce).count();
    let kinds = if kinds > 1 { format!("  ({})", listed(&ours)) } else { String::new() };
    line("messages", format!("{BOLD}{}{BOLD:#}{kinds}", report.purposes()))?;
    let bounds = proved.in_words();
    if !bounds.is_empty() {
        line("", format!("{DIM}proved: {bounds}{DIM:#}"))?;
    }
    for (name, text) in phases(info, scenario, report, &proved) {
        line(name, text)?;
    }
    if info.perpetual {
        for (name, text) in terms(scenario, report, &proved) {
            line(name, text)?;
        }
    }
    let needed = info.bounds.needed.filter(|_| stats && scenario.all_start());
    if let Some((needed, value)) = needed.and_then(|needed| Some((needed, needed.value(scenario.size(info))?))) {
        let (formula, of) = (needed.messages.text, needed.of);
        line("", format!("{DIM}any such algorithm needs {formula} = {} to elect: {of}{DIM:#}", number(value)))?;
    }
    if report.lost + report.repeated > 0 {
        let messages = if report.lost == 1 { "message" } else { "messages" };
        line("faults", format!("{} {messages} lost, {} repeated", grouped(report.lost), grouped(report.repeated)))?;
    }
    if !overhead.is_empty() {
        let whose = if scenario.number { "wave that numbers the nodes" } else { "synchronizer" };
        line("overhead", format!("{} of the {whose}", listed(&overhead)))?;
    }
    let unit = scenario.timing.unit();
    let unit = if report.time == Some(Time::units(1)) { unit.trim_end_matches('s') } else { unit };
    match (report.time, proved.time) {
        (None, _) if info.perpetual => {} // nobody but the leader decides
        (None, _) => {
            let nodes = grouped(scenario.topology.nodes());
            line(
                "decided",
                match report.deciders {
                    Some(decided) => format!("{} of {nodes} nodes", grouped(decided)),
                    None => "not known: some nodes were far ahead of others".into(),
                },
            )?;
        }
        (Some(time), None) => line("time", lasted(scenario, time, unit))?,
        (Some(time), Some(bound)) => {
            line("time", format!("{} {unit}  {DIM}proved: at most {}{DIM:#}", moment(time), number(bound)))?;
        }
    }
    line("bits", grouped(report.bits))?;
    if stats {
        let stats = &report.stats;
        line("events", grouped(stats.events))?;
        if let Some(peak) = stats.peak_in_flight {
            line("in flight", format!("at most {} messages at once", grouped(peak)))?;
        }
        if let Some((busiest, most)) = busiest(&stats.sends) {
            let sum: u64 = stats.sends.iter().copied().map(u64::from).sum();
            let mean = sum as f64 / stats.sends.len() as f64;
            let busiest = scenario.topology.printed_name(busiest as Node);
            line("sends", format!("{mean:.2} a node on average, at most {} (node {busiest})", grouped(most)))?;
        }
    }
    for (name, text) in closing {
        line(name, text.clone())?;
    }
    Ok(())
}

/// The phases as a table, beside what is proved.
fn phases(info: &Info, scenario: &Scenario, report: &Report, proved: &Proved) -> Vec<(&'static str, String)> {
    const SHOWN: usize = 12;
    let Some(Phases { name, first, race, .. }) = info.phases else { return vec![] };
    let Some(PhasesSeen { count, each }) = &report.phases else {
        let why = match scenario.timing {
            Timing::Live(_) | Timing::Chosen(_) => return vec![],
            timing if !PhaseCount::applies(info, timing) => "not counted: an adaptor plays the algorithm".into(),
            _ => format!("not counted above {} nodes; --full counts them", grouped(PhaseCount::AFFORDABLE)),
        };
        return vec![(name, format!("{DIM}{why}{DIM:#}"))];
    };
    let number_of = [("at most", proved.phases), ("on average", proved.mean_phases)];
    let mut bounds: Vec<String> =
        number_of.iter().filter_map(|(word, bound)| Some(format!("{word} {}", number((*bound)?)))).collect();
    if let Some(messages) = proved.phase_messages {
        let messages = number(messages);
        bounds.push(format!("in each at most {messages} messages, and at most {} in the race", race.text));
    }
    let bounds = if bounds.is_empty() { String::new() } else { format!("  {DIM}proved: {}{DIM:#}", bounds.join("; ")) };
    let mut lines = vec![(name, format!("{BOLD}{}{BOLD:#}{bounds}", grouped(*count)))];
    let heads = ["", "in the race", "messages", ""].map(String::from).to_vec();
    let row = |(index, phase): (u64, &PhaseSeen)| {
        let who = if phase.nodes.is_empty() { String::new() } else { nodes(scenario, &phase.nodes) };
        vec![grouped(first + index), grouped(phase.racing), grouped(phase.messages), who]
    };
    let rows: Vec<_> = [heads].into_iter().chain((0..).zip(each).take(SHOWN).map(row)).collect();
    lines.extend(align(&rows, &[0, 1, 2]).into_iter().map(|row| ("", row)));
    match count.saturating_sub(SHOWN as u64) {
        0 => {}
        more => lines.push(("", format!("{DIM}and {} more; --json has them{DIM:#}", grouped(more)))),
    }
    lines
}

/// The leaderships one after the other, and the time without a leader.
fn terms(scenario: &Scenario, report: &Report, proved: &Proved) -> Vec<(&'static str, String)> {
    const SHOWN: usize = 12;
    let heads = ["node", "token", "from", "to", "nobody before"].map(String::from).to_vec();
    let ends = std::iter::once(Some(Time::ZERO)).chain(report.terms.iter().map(|term| term.until));
    let row = |(before, term): (Option<Time>, &Term)| {
        let gap = before.and_then(|before| before.until(term.since));
        vec![
            scenario.topology.printed_name(term.node).to_string(),
            term.token.map_or(String::new(), grouped),
            moment(term.since),
            term.until.map_or("the end".into(), moment),
            gap.map_or(String::new(), |gap| format!("for {}", moment(Time::after(gap)))),
        ]
    };
    let rows: Vec<_> = [heads].into_iter().chain(ends.zip(&report.terms).take(SHOWN).map(row)).collect();
    let count = report.terms.len();
    let mut lines = vec![("terms", format!("{BOLD}{}{BOLD:#}", grouped(count as u64)))];
    if count > 0 {
        lines.extend(align(&rows, &[0, 1, 2, 3]).into_iter().map(|row| ("", row)));
    }
    if count > SHOWN {
        lines.push(("", format!("{DIM}and {} more; --json has them{DIM:#}", grouped((count - SHOWN) as u64))));
    }
    if let Some(since) = report.terms.last().and_then(|term| term.until) {
        lines.push(("", format!("nobody leads from {} to the end", moment(since))));
    }
    if let Some(longest) = report.failovers().max() {
        let bound = proved.failover.map(|bound| format!("  {DIM}proved: at most {}{DIM:#}", number(bound)));
        let longest = moment(Time::after(longest));
        lines.push(("failover", format!("at most {longest} without a leader{}", bound.unwrap_or_default())));
    }
    lines
}

/// The properties that were not judged, in one sentence per reason.
pub fn not_judged(report: &Report) -> Vec<String> {
    let all = &report.not_judged;
    let is_first =
        |&(index, (_, why)): &(usize, &(Property, &str))| !all[..index].iter().any(|(_, other)| other == why);
    let reasons = all.iter().enumerate().filter(is_first).map(|(_, (_, why))| why);
    let sentence = |why: &&str| {
        let same = all.iter().filter(|(_, other)| other == why).map(|(property, _)| property.to_string());
        format!("{}: {why}", same.collect::<Vec<_>>().join(", "))
    };
    reasons.map(sentence).collect()
}

/// Why nodes know no leader at the end, in one sentence per reason.
fn reasons(scenario: &Scenario, report: &Report) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, Vec<Node>> = BTreeMap::new();
    report.reasons.iter().for_each(|(node, why)| by_reason.entry(why).or_default().push(*node));
    by_reason.into_iter().map(|(why, them)| format!("{}: {why}", nodes(scenario, &them))).collect()
}

/// The duration of a run; real time for a live run.
fn lasted(scenario: &Scenario, time: Time, unit: &str) -> String {
    match scenario.timing {
        Timing::Live(clock) => format!("{:.3} ms", clock.milliseconds(time)),
        _ => format!("{} {unit}", moment(time)),
    }
}

/// The moment of an event, as a label: a round, a time in units, or the real time of a live run.
pub fn label(timing: Timing, time: Time) -> String {
    match timing {
        Timing::Rounds => format!("round {time}"),
        Timing::Live(clock) => format!("{:.3} ms", clock.milliseconds(time)),
        _ => format!("t={time}"),
    }
}

/// A time with its digits in groups.
fn moment(time: Time) -> String {
    time.whole().map_or(time.to_string(), grouped)
}

/// Some nodes by name.
fn nodes(scenario: &Scenario, nodes: &[Node]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = nodes.iter().take(SHOWN).map(|&node| scenario.topology.printed_name(node)).collect();
    let more = nodes.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("node{} {}{more}", if nodes.len() == 1 { "" } else { "s" }, shown.join(", "))
}

/// The numbers that the leader gave, by node.
fn numbered(scenario: &Scenario, numbers: &[Option<u64>]) -> String {
    const SHOWN: usize = 16;
    let number = |(node, number): (Node, &Option<u64>)| {
        let number = number.map_or("none".into(), grouped);
        format!("{}: {number}", scenario.topology.printed_name(node))
    };
    let shown: Vec<_> = (0..).zip(numbers).take(SHOWN).map(number).collect();
    let more = if numbers.len() > SHOWN { ", …; --json has them all" } else { "" };
    shown.join(", ") + more
}

/// Whether equal processes stayed equal, in words.
fn alike(scenario: &Scenario, symmetry: Symmetry) -> String {
    let instant = if scenario.timing == Timing::Rounds { "round" } else { "instant" };
    match symmetry {
        Symmetry::Kept(1) => format!("all nodes in the same state after the only {instant}"),
        Symmetry::Kept(count) => format!("all nodes in the same state after each of {} {instant}s", grouped(count)),
        Symmetry::Broken(time) => format!("all the same until {}", scenario.timing.moment(time)),
    }
}

fn leader(info: &Info, scenario: &Scenario, report: &Report) -> String {
    let nodes = scenario.topology.nodes();
    let living = u64::from(nodes) - report.crashed.len() as u64;
    let shown = |leader: &Leader| match leader.id {
        Some(id) => format!("node {} (id {id})", scenario.topology.printed_name(leader.node)),
        None => format!("node {}", scenario.topology.printed_name(leader.node)),
    };
    let some: Vec<_> = report.leaders.iter().take(8).map(shown).collect();
    let more = report.leaders.len().saturating_sub(some.len());
    let leaders = some.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() };
    let mark = if report.is_right() { GOOD } else { BAD };
    let informs = info.under(&scenario.settings).informs;
    match report.outcome {
        Outcome::Elected if report.leaders.is_empty() => {
            format!("{mark}nobody at the end{mark:#}, but somebody before")
        }
        Outcome::Elected if nodes == 1 => format!("{mark}{leaders}{mark:#}, alone"),
        Outcome::Elected if informs == Informs::Nobody => {
            format!("{mark}{leaders}{mark:#}, and nobody else is told")
        }
        // Who holds whose id differs from moment to moment.
        Outcome::Elected if info.perpetual => format!("{mark}{leaders}{mark:#} at the end"),
        Outcome::Elected if informs == Informs::Provisionally => {
            let all = grouped(living);
            format!("{mark}{leaders}{mark:#}: all {all} nodes hold its id, but only it knows that it has won")
        }
        Outcome::Elected => {
            let all =
                format!("all {}{} nodes", grouped(living), if report.crashed.is_empty() { "" } else { " living" });
            let is_nameless = report.leaders.iter().all(|leader| leader.id.is_none());
            let known =
                if is_nameless { format!("and {all} know that somebody leads") } else { format!("known to {all}") };
            format!("{mark}{leaders}{mark:#}, {known}")
        }
        Outcome::NoLeader => format!("{mark}nobody{mark:#}"),
        Outcome::SeveralLeaders => format!("{mark}{leaders}{mark:#}: {} of them", report.leaders.len()),
        Outcome::Disagreement => format!("{mark}{leaders}{mark:#}, but not everybody follows"),
        Outcome::Limit if report.leaders.is_empty() => format!("{mark}not known{mark:#}: the run was stopped"),
        Outcome::Limit => format!("{mark}not known{mark:#}: the run was stopped while {leaders} led"),
    }
}
