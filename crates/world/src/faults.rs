//! The faults of a network.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Time;
use crate::host::Incident;
use bellwether_core::Span;
use bellwether_net::{Network, Node, Wiring};

/// A planned fault, as it is typed: `loss=0.1`, `crash=3@5`, `cut=0-1@2..7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Fault {
    /// Every message is lost with this probability.
    Loss(Chance),
    /// Every message arrives twice with this probability.
    Duplicate(Chance),
    /// Every message takes one unit longer with this probability. Others may overtake it.
    Reorder(Chance),
    /// A process stops at this moment, before everything else of this moment.
    Crash(Node, Time),
    /// Whoever leads at this moment stops for good.
    CrashLeader(Time),
    /// A crashed process starts again, with what is on its disk.
    Recover(Node, Time),
    /// The disk of a crashed process is lost.
    Wipe(Node, Time),
    /// A process does nothing within this time: what would reach it waits.
    Pause(Node, Window),
    /// What a process saves takes this time to be on its disk. Until then its messages wait, and it leads nobody.
    Disk(Node, Span),
    /// The clock of a process runs this many times as fast as time.
    Drift(Node, Span),
    /// All messages on a link, in both directions, are lost if they are sent within this time.
    Cut(Node, Node, Window),
    /// All messages from one node to its neighbour are lost if they are sent within this time.
    OneWay(Node, Node, Window),
    /// All messages of a node take this many times as long.
    Slow(Node, u32),
    /// The message of a node with this number is lost.
    Lose(Node, u64),
    /// The message of a node with this number arrives twice.
    Repeat(Node, u64),
    /// The message of a node with this number takes this time. Others may overtake it, and it may overtake others.
    Hold(Node, u64, Span),
    /// A process starts at this moment, although it is no initiator or has started before.
    Start(Node, Time),
}

/// A probability, in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chance(pub u32);

impl Chance {
    /// Probability 1.
    pub const ONE: Self = Self(1_000_000_000);
}

/// A span of time, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// When it begins.
    pub since: Time,
    /// When it is over, if ever.
    pub until: Option<Time>,
}

impl Window {
    /// Whether this moment is within the span.
    #[must_use]
    pub fn contains(&self, time: Time) -> bool {
        self.since <= time && self.until.is_none_or(|until| time < until)
    }
}

impl Fault {
    fn slows_the_same(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Slow(a, _), Self::Slow(b, _)) if a == b)
            || matches!((self, other), (Self::Drift(a, _), Self::Drift(b, _)) if a == b)
            || matches!((self, other), (Self::Disk(a, _), Self::Disk(b, _)) if a == b)
    }

    /// What happens to a process at a planned moment, if this fault is of that kind.
    #[must_use]
    pub fn incident(&self) -> Option<(Time, Incident)> {
        match *self {
            Self::Crash(node, at) => Some((at, Incident::Crash(node))),
            Self::CrashLeader(at) => Some((at, Incident::CrashLeader)),
            Self::Recover(node, at) => Some((at, Incident::Recover(node))),
            Self::Start(node, at) => Some((at, Incident::Start(node))),
            // It shows when the process recovers.
            Self::Wipe(..) => None,
            Self::Pause(..) | Self::Drift(..) | Self::Disk(..) => None,
            Self::Loss(_) | Self::Duplicate(_) | Self::Reorder(_) | Self::Cut(..) | Self::OneWay(..) => None,
            Self::Slow(..) | Self::Lose(..) | Self::Repeat(..) | Self::Hold(..) => None,
        }
    }

    /// The moments in this fault.
    fn moments(&self) -> Vec<Time> {
        match self {
            Self::Loss(_) | Self::Duplicate(_) | Self::Reorder(_) | Self::Slow(..) => vec![],
            Self::Lose(..) | Self::Repeat(..) | Self::Drift(..) => vec![],
            Self::Hold(.., takes) | Self::Disk(_, takes) => vec![Time::after(*takes)],
            Self::CrashLeader(at) => vec![*at],
            Self::Crash(_, at) | Self::Recover(_, at) | Self::Wipe(_, at) | Self::Start(_, at) => vec![*at],
            Self::Cut(.., window) | Self::OneWay(.., window) | Self::Pause(.., window) => {
                std::iter::once(window.since).chain(window.until).collect()
            }
        }
    }

    /// Checks whether this fault is possible in this network.
    fn check(&self, network: &Network, in_rounds: bool) -> Result<(), String> {
        let last = network.nodes() - 1;
        let known = |node: Node| {
            if node <= last {
                Ok(())
            } else {
                Err(format!("there is no node {node}: the nodes are numbered 0 to {last}"))
            }
        };
        match *self {
            Self::Loss(_) | Self::Duplicate(_) | Self::Reorder(_) | Self::CrashLeader(_) => {}
            Self::Crash(node, _) | Self::Recover(node, _) | Self::Slow(node, _) | Self::Start(node, _) => known(node)?,
            Self::Wipe(node, _) | Self::Drift(node, _) | Self::Disk(node, _) => known(node)?,
            Self::Pause(node, window) => {
                known(node)?;
                if window.until.is_none() {
                    return Err("a pause ends: give T1..T2, or crash=NODE@T".into());
                }
            }
            Self::Lose(node, _) | Self::Repeat(node, _) | Self::Hold(node, ..) => known(node)?,
            Self::Cut(a, b, _) | Self::OneWay(a, b, _) => {
                known(a)?;
                known(b)?;
                if !network.neighbours(a).any(|far| far == b) {
                    let (a, b) = (network.printed_name(a), network.printed_name(b));
                    return Err(format!("there is no link between nodes {a} and {b}"));
                }
            }
        }
        if self.moments().into_iter().any(|moment| moment > Time::units(LATEST)) {
            return Err(format!("a moment is at most {LATEST}"));
        }
        if in_rounds
            && matches!(self, Self::Crash(_, Time::ZERO) | Self::Recover(_, Time::ZERO) | Self::Start(_, Time::ZERO))
        {
            return Err("rounds are counted from 1".into());
        }
        if in_rounds && matches!(self, Self::Hold(.., Span(0))) {
            return Err("a message takes one round at least".into());
        }
        if let Some(moment) = self.moments().into_iter().find(|moment| in_rounds && moment.whole().is_none()) {
            return Err(format!("under --timing rounds a moment is the number of a round, not {moment}"));
        }
        Ok(())
    }
}

/// Checks whether these faults are possible together in this network.
///
/// # Errors
/// If one is not; the error says which, and why.
pub fn check(faults: &[Fault], network: &Network, in_rounds: bool) -> Result<(), String> {
    let mut lives: BTreeMap<Node, Vec<(Time, bool, &Fault)>> = BTreeMap::new();
    for fault in faults {
        fault.check(network, in_rounds).map_err(|reason| format!("{}: {reason}", fault.among(network)))?;
        match *fault {
            Fault::Crash(node, at) => lives.entry(node).or_default().push((at, true, fault)),
            Fault::Recover(node, at) => lives.entry(node).or_default().push((at, false, fault)),
            _ => {}
        }
    }
    for fault in faults {
        if let Fault::Wipe(node, at) = *fault
            && !is_down(faults, node, at)
        {
            let (fault, node) = (fault.among(network), network.printed_name(node));
            return Err(format!("{fault}: node {node} is up then; a disk is lost between crash={node}@T and recover"));
        }
    }
    for (node, mut life) in lives {
        life.sort_by_key(|&(at, crashes, _)| (at, crashes));
        let (mut up, mut since) = (true, None);
        let node = network.printed_name(node);
        for (at, crashes, fault) in life {
            let fault = fault.among(network);
            match (up, crashes) {
                (true, false) => {
                    return Err(format!("{fault}: node {node} has not crashed before; add crash={node}@T"));
                }
                (false, true) => return Err(format!("{fault}: node {node} is down already")),
                _ if since == Some(at) => return Err(format!("{fault}: something else happens to node {node} then")),
                _ => (up, since) = (!crashes, Some(at)),
            }
        }
    }
    let twice = |(index, fault): (usize, &Fault)| {
        faults[..index].iter().any(|earlier| std::mem::discriminant(earlier) == std::mem::discriminant(fault))
            && matches!(fault, Fault::Loss(_) | Fault::Duplicate(_) | Fault::Reorder(_))
            || faults[..index].iter().any(|earlier| earlier == fault || earlier.slows_the_same(fault))
    };
    match faults.iter().enumerate().find(|&entry| twice(entry)) {
        Some((_, fault)) => Err(format!("{} comes on top of another of its kind: give it once", fault.among(network))),
        None => Ok(()),
    }
}

/// Whether a node is down at this moment.
fn is_down(faults: &[Fault], node: Node, now: Time) -> bool {
    let lives = faults.iter().filter_map(|fault| match *fault {
        Fault::Crash(it, at) if it == node => Some((at, false, true)),
        // At the moment of its recovery, a node is still down.
        Fault::Recover(it, at) if it == node => Some((at, true, false)),
        _ => None,
    });
    let last = lives.filter(|&(at, rises, _)| at < now || at == now && !rises).max();
    last.is_some_and(|(.., is_down)| is_down)
}

/// Whether a node that recovers now has its disk: it was not lost since the crash.
#[must_use]
pub fn has_disk(faults: &[Fault], node: Node, now: Time) -> bool {
    let crashes = faults.iter().filter_map(|fault| match *fault {
        Fault::Crash(it, at) if it == node && at <= now => Some(at),
        _ => None,
    });
    let since = crashes.max();
    let is_lost = |at: Time| at <= now && since.is_none_or(|since| since <= at);
    !faults.iter().any(|fault| matches!(*fault, Fault::Wipe(it, at) if it == node && is_lost(at)))
}

/// How long a timer really takes by a clock of this rate.
#[must_use]
pub fn by_clock(rate: Span, span: Span) -> Span {
    let scaled = u128::from(span.0) * u128::from(Span::UNIT.0) / u128::from(rate.0);
    Span(scaled.try_into().unwrap_or(u64::MAX))
}

/// The latest time of a fault.
const LATEST: u128 = 1_000_000_000_000;

/// All kinds of faults: how each is typed, and what it does. [`Chaos`](crate::Chaos) reads the last one.
pub const FORMS: [(&str, &str); 18] = [
    ("loss=P", "each message is lost with this probability"),
    ("duplicate=P", "each message arrives twice with this probability"),
    ("reorder=P", "each message takes a unit (a round) longer with this probability, and may be overtaken"),
    ("crash=NODE@T", "the node stops at time T, before all else that happens then; what reaches it is lost"),
    ("crash=leader@T", "whoever leads at time T stops"),
    ("recover=NODE@T", "it starts again with an empty memory, and with what is on its disk, if it has one"),
    ("wipe=NODE@T", "the disk of a node that is down is lost"),
    ("start=NODE@T", "the node starts at time T, although it is no initiator or has started before"),
    ("pause=NODE@T1..T2", "the node does nothing from T1 on and before T2, and catches up then"),
    ("cut=A-B@T1..T2", "what is sent between two neighbours in this time is lost; T1.., or no span, is for ever"),
    ("oneway=A>B@T1..T2", "the same in one direction; quote it for your shell"),
    ("slow=NODE:FACTOR", "what the node sends takes FACTOR times as long"),
    ("drift=NODE:FACTOR", "the node's clock runs FACTOR times as fast, from 0.5 to 2"),
    ("disk=NODE:T", "what the node saves takes time T to be on its disk; its messages wait for that"),
    ("lose=NODE#N", "message N of the node is lost; a node's messages are numbered from 0"),
    ("repeat=NODE#N", "message N of the node arrives twice"),
    ("hold=NODE#N:T", "message N of the node takes time T; it may be overtaken, or overtake others"),
    ("random", "faults of these kinds that the seed draws; random:harsh draws many and long ones"),
];

/// All forms, one after the other.
fn forms() -> String {
    FORMS.map(|(form, _)| form).join(", ")
}

/// What stands for the node that leads.
const LEADER: &str = "leader";

/// Other common names of faults.
const NICKNAMES: [(&str, &str); 12] = [
    ("drop", "loss"),
    ("lost", "loss"),
    ("omit", "loss"),
    ("dup", "duplicate"),
    ("kill", "crash"),
    ("stop", "crash"),
    ("fail", "crash"),
    ("restart", "recover"),
    ("partition", "cut"),
    ("link", "cut"),
    ("one-way", "oneway"),
    ("delay", "slow"),
];

impl Fault {
    /// Reads a fault for a network, whose nodes may have names.
    ///
    /// # Errors
    /// If it is not a fault, or there is no such node.
    pub fn parse(text: &str, network: &Network) -> Result<Self, String> {
        read(text, &|node| network.find(node))
    }

    /// The fault as it is typed for this network, whose nodes may have names.
    #[must_use]
    pub fn among(&self, network: &Network) -> String {
        self.spelled(&|node| network.node_name(node).into_owned())
    }

    fn spelled(&self, name: &dyn Fn(Node) -> String) -> String {
        match *self {
            Self::Loss(chance) => format!("loss={chance}"),
            Self::Duplicate(chance) => format!("duplicate={chance}"),
            Self::Reorder(chance) => format!("reorder={chance}"),
            Self::Crash(node, at) => format!("crash={}@{at}", name(node)),
            Self::CrashLeader(at) => format!("crash={LEADER}@{at}"),
            Self::Recover(node, at) => format!("recover={}@{at}", name(node)),
            Self::Wipe(node, at) => format!("wipe={}@{at}", name(node)),
            Self::Pause(node, window) => format!("pause={}@{window}", name(node)),
            Self::Drift(node, rate) => format!("drift={}:{}", name(node), Time::after(rate)),
            Self::Disk(node, takes) => format!("disk={}:{}", name(node), Time::after(takes)),
            Self::Cut(a, b, window) => format!("cut={}-{}@{window}", name(a), name(b)),
            Self::OneWay(a, b, window) => format!("oneway={}>{}@{window}", name(a), name(b)),
            Self::Slow(node, factor) => format!("slow={}:{factor}", name(node)),
            Self::Lose(node, n) => format!("lose={}#{n}", name(node)),
            Self::Repeat(node, n) => format!("repeat={}#{n}", name(node)),
            Self::Hold(node, n, takes) => format!("hold={}#{n}:{}", name(node), Time::after(takes)),
            Self::Start(node, at) => format!("start={}@{at}", name(node)),
        }
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        read(text, &|node| node.parse().map_err(|_| format!("'{node}' is not the number of a node")))
    }
}

/// Reads a fault. The function finds a node by its name or number.
fn read(text: &str, find: &dyn Fn(&str) -> Result<Node, String>) -> Result<Fault, String> {
    let (kind, what) = text.split_once('=').ok_or_else(|| format!("'{text}' is no fault: take {}", forms()))?;
    let wrong = |form: &str| format!("'{text}' is not of the form {form}");
    let node = |node: &str| find(node).map_err(|reason| format!("{text}: {reason}"));
    let at = |form: &str| {
        let (who, time) = what.rsplit_once('@').ok_or_else(|| wrong(form))?;
        let time = time.parse::<Time>().map_err(|reason| format!("{}: {reason}", wrong(form)))?;
        Ok::<_, String>((node(who)?, time))
    };
    let between = |arrow: &str, form: &str| {
        let (nodes, window) = what.rsplit_once('@').unwrap_or((what, "0.."));
        let window = window.parse::<Window>().map_err(|reason| wrong(form) + &reason)?;
        // A name may contain the arrow.
        let mut splits = nodes.match_indices(arrow).map(|(place, _)| (&nodes[..place], &nodes[place + arrow.len()..]));
        let first = splits.clone().next().ok_or_else(|| wrong(form))?;
        let (a, b) = splits.find(|(a, b)| find(a).is_ok() && find(b).is_ok()).unwrap_or(first);
        Ok::<_, String>((node(a)?, node(b)?, window))
    };
    // A message of a node, by its number among those that the node sends.
    let message = |what: &str, form: &str| {
        let (who, number) = what.rsplit_once('#').ok_or_else(|| match what.parse::<Chance>() {
            Ok(chance) => format!("{}; for all messages take {}={chance}", wrong(form), usual(kind)),
            Err(_) => wrong(form),
        })?;
        let number = number.parse::<u64>().map_err(|_| wrong(form))?;
        Ok::<_, String>((node(who)?, number))
    };
    match kind {
        "lose" => message(what, "lose=NODE#N, as in lose=3#0 for the first message of node 3")
            .map(|(node, n)| Fault::Lose(node, n)),
        "repeat" => message(what, "repeat=NODE#N, as in repeat=3#0 for the first message of node 3")
            .map(|(node, n)| Fault::Repeat(node, n)),
        "hold" => {
            let form = "hold=NODE#N:T, as in hold=3#0:2.5 for the first message of node 3";
            let (what, takes) = what.rsplit_once(':').ok_or_else(|| wrong(form))?;
            let takes: Time = takes.parse().map_err(|reason| format!("{}: {reason}", wrong(form)))?;
            let (node, n) = message(what, form)?;
            Ok(Fault::Hold(node, n, takes.as_span().ok_or_else(|| wrong(form))?))
        }
        "start" => at("start=NODE@T").map(|(node, time)| Fault::Start(node, time)),
        "loss" => what.parse().map(Fault::Loss),
        "duplicate" => what.parse().map(Fault::Duplicate),
        "reorder" => what.parse().map(Fault::Reorder),
        // A node may have this name.
        "crash" if what.starts_with("leader@") && find(LEADER).is_err() => {
            let form = "crash=leader@T";
            let (_, time) = what.split_once('@').ok_or_else(|| wrong(form))?;
            time.parse().map(Fault::CrashLeader).map_err(|reason| format!("{}: {reason}", wrong(form)))
        }
        "crash" => at("crash=NODE@T").map(|(node, time)| Fault::Crash(node, time)),
        "recover" => at("recover=NODE@T").map(|(node, time)| Fault::Recover(node, time)),
        "wipe" => at("wipe=NODE@T").map(|(node, time)| Fault::Wipe(node, time)),
        "pause" => {
            let form = "pause=NODE@T1..T2";
            let (who, window) = what.split_once('@').ok_or_else(|| wrong(form))?;
            let window: Window = window.parse().map_err(|reason: String| wrong(form) + &reason)?;
            Ok(Fault::Pause(node(who)?, window))
        }
        "disk" => {
            let form = "disk=NODE:T, as in disk=3:1.5";
            let (who, takes) = what.rsplit_once(':').ok_or_else(|| wrong(form))?;
            let takes = takes.parse::<Time>().ok().and_then(Time::as_span).filter(|takes| takes.0 > 0);
            Ok(Fault::Disk(node(who)?, takes.ok_or_else(|| wrong(form))?))
        }
        "drift" => {
            let form = "drift=NODE:FACTOR, with a factor from 0.5 to 2, as in drift=3:1.01";
            let (who, rate) = what.rsplit_once(':').ok_or_else(|| wrong(form))?;
            let rate = rate.parse::<Time>().ok().and_then(Time::as_span);
            let rate = rate.filter(|rate| (Span::UNIT.0 / 2..=2 * Span::UNIT.0).contains(&rate.0));
            Ok(Fault::Drift(node(who)?, rate.ok_or_else(|| wrong(form))?))
        }
        "cut" => between("-", "cut=A-B@T1..T2").map(|(a, b, window)| Fault::Cut(a, b, window)),
        // A shell treats a bare > as a redirection, and many people write an arrow.
        "oneway" => between(if what.contains("->") { "->" } else { ">" }, "oneway=A>B@T1..T2")
            .map(|(a, b, window)| Fault::OneWay(a, b, window)),
        "slow" => {
            let form = "slow=NODE:FACTOR, with a whole factor from 2 to 1000000";
            let (who, factor) = what.rsplit_once(':').ok_or_else(|| wrong(form))?;
            let factor = factor.parse().ok().filter(|factor| (2..=1_000_000).contains(factor));
            Ok(Fault::Slow(node(who)?, factor.ok_or_else(|| wrong(form))?))
        }
        _ => {
            let meant = NICKNAMES.iter().find(|(nickname, _)| kind.eq_ignore_ascii_case(nickname));
            let meant = meant.map_or(String::new(), |(_, meant)| format!("did you mean {meant}? "));
            Err(format!("'{kind}' is no fault: {meant}take {}", forms()))
        }
    }
}

/// The fault that befalls all messages as this one befalls one.
fn usual(kind: &str) -> &'static str {
    match kind {
        "lose" => "loss",
        "repeat" => "duplicate",
        _ => "reorder",
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled(&|node| node.to_string()))
    }
}

impl TryFrom<String> for Fault {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.to_string()
    }
}

impl FromStr for Chance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let billionths = || {
            let whole: u32 = whole.parse().ok().filter(|_| digits(whole))?;
            let part = part.parse::<u32>().ok().filter(|_| digits(part) && part.len() <= 9)?;
            let part = part * 10u32.pow(9 - text.split_once('.').map_or(1, |(_, part)| part.len() as u32));
            whole.checked_mul(Self::ONE.0)?.checked_add(part).filter(|sum| *sum <= Self::ONE.0)
        };
        billionths()
            .map(Self)
            .ok_or_else(|| format!("'{text}' is no probability: take a number from 0 to 1, as in 0.05"))
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:09}", self.0 / Self::ONE.0, self.0 % Self::ONE.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (since, until) = text.split_once("..").ok_or(": a span of time is T1..T2, or T1.. for ever")?;
        let since: Time = since.parse().map_err(|reason| format!(": {reason}"))?;
        let until: Option<Time> = match until {
            "" => None,
            until => Some(until.parse().map_err(|reason| format!(": {reason}"))?),
        };
        if until.is_some_and(|until| until <= since) {
            return Err(": the end must come after the beginning".into());
        }
        Ok(Self { since, until })
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..", self.since)?;
        self.until.map_or(Ok(()), |until| until.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_net::Ring;

    /// The compiler asks for a place here when there is a new kind, and the test for its line in the table.
    #[test]
    fn every_kind_of_fault_is_in_the_table() {
        let place = |fault: Fault| match fault {
            Fault::Loss(_) => 0,
            Fault::Duplicate(_) => 1,
            Fault::Reorder(_) => 2,
            Fault::Crash(..) => 3,
            Fault::CrashLeader(_) => 4,
            Fault::Recover(..) => 5,
            Fault::Wipe(..) => 6,
            Fault::Start(..) => 7,
            Fault::Pause(..) => 8,
            Fault::Cut(..) => 9,
            Fault::OneWay(..) => 10,
            Fault::Slow(..) => 11,
            Fault::Drift(..) => 12,
            Fault::Disk(..) => 13,
            Fault::Lose(..) => 14,
            Fault::Repeat(..) => 15,
            Fault::Hold(..) => 16,
        };
        let values = [("NODE", "0"), ("A-B", "0-1"), ("A>B", "0>1"), ("FACTOR", "2"), ("T1..T2", "1..2")];
        let letters = [("=P", "=0.5"), ("#N", "#0"), ("@T", "@3"), (":T", ":3")];
        let fill =
            |form: &str| values.iter().chain(&letters).fold(form.to_string(), |it, (from, to)| it.replace(from, to));
        let places = FORMS.iter().filter_map(|(form, _)| fill(form).parse::<Fault>().ok()).map(place);
        assert_eq!(places.collect::<Vec<_>>(), (0..17).collect::<Vec<_>>());
        assert_eq!(FORMS.len(), 17 + 1, "and random");
        assert!("random".parse::<crate::Chaos>().is_ok());
    }

    #[test]
    fn faults_are_written_as_they_are_read() {
        let texts =
            ["loss=0.1", "duplicate=1", "reorder=0.000000001", "loss=0", "crash=3@5", "recover=3@7.25", "slow=2:5"];
        let texts =
            texts.into_iter().chain(["wipe=3@6", "pause=1@2..7.5", "drift=2:1.01", "disk=0:1.5", "crash=leader@9"]);
        for text in texts.chain(["cut=0-1@2..7", "oneway=1>0@0..", "cut=0-1@0.5..1"]) {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), text);
        }
        assert_eq!("cut=0-1".parse::<Fault>().unwrap().to_string(), "cut=0-1@0..");
        assert_eq!("oneway=0->1@2..".parse::<Fault>().unwrap().to_string(), "oneway=0>1@2..");
    }

    #[test]
    fn what_is_no_fault_is_refused_with_the_form() {
        let refusal = |text: &str| text.parse::<Fault>().unwrap_err();
        assert!(refusal("flood").contains("take loss=P"));
        assert!(refusal("flood=3").contains("'flood' is no fault"));
        assert!(refusal("drop=0.1").contains("did you mean loss?"));
        assert!(refusal("loss=1.5").contains("from 0 to 1"));
        for text in ["loss=", "loss=.", "loss=-1", "loss=0.0000000001", "loss=1e-3"] {
            assert!(refusal(text).contains("no probability"), "{text}");
        }
        assert!(refusal("crash=3").contains("crash=NODE@T"));
        for text in ["cut=0-1@5..2", "pause=0@5..1"] {
            assert!(refusal(text).contains("..T2: the end must come after"), "{}", refusal(text));
        }
        assert!(refusal("oneway=0-1@1..2").contains("oneway=A>B"));
        assert!(refusal("slow=1:1").contains("whole factor from 2"));
        assert!(refusal("disk=1:0").contains("disk=NODE:T"));
        assert!(refusal("crash=leader@soon").contains("crash=leader@T"));
    }

    #[test]
    fn what_cannot_happen_in_a_network_is_refused() {
        let ring = Ring::new(4).unwrap().into();
        let refusal = |texts: &[&str], in_rounds| {
            let faults: Vec<Fault> = texts.iter().map(|text| text.parse().unwrap()).collect();
            check(&faults, &ring, in_rounds).unwrap_err()
        };
        assert!(refusal(&["crash=4@1"], false).contains("no node 4"));
        assert!(refusal(&["cut=0-2@1..2"], false).contains("no link between nodes 0 and 2"));
        assert!(refusal(&["recover=1@5"], false).contains("has not crashed"));
        assert!(refusal(&["crash=1@0.5"], true).contains("number of a round"));
        assert!(refusal(&["loss=0.1", "loss=0.2"], false).contains("give it once"));
        let lawful: Vec<Fault> =
            ["crash=1@0.5", "recover=1@2", "cut=3-0@1..2"].map(|text| text.parse().unwrap()).into();
        assert_eq!(check(&lawful, &ring, false), Ok(()));
    }
}
