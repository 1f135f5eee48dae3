//! The templates. Each draws a small election from its stream, and lets the program find the answer.

use bellwether_ask::{
    Asked, Budget, Check, Election, Exact, IdsFrom, LinkBehaviour, Orders, Refusal, Schedules, Switch, TimerOrder,
    WhenStarted,
};
use bellwether_check::exact::{Cost, costs};
use bellwether_check::ledger::Ledger;
use bellwether_check::{Plan, check};
use bellwether_core::{Id, Span};
use bellwether_net::Wiring;
use bellwether_random::Stream;
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::ids::Ids;
use bellwether_world::trace::{Decision, Event, EventKind, render};
use bellwether_world::{Freedom, Property, Scenario};

use super::{Exercise, Right, Shows};
use crate::Held;
use crate::held::NoFiles;

/// A kind of exercise.
pub struct Template {
    /// Its name, which never changes.
    pub name: &'static str,
    /// Makes an exercise.
    pub(super) make: fn(&mut Stream) -> Result<Exercise, Refusal>,
}

/// All templates. A new one comes last: the place of a template is part of what its exercises are drawn from.
pub const TEMPLATES: [Template; 10] = [
    Template { name: "messages", make: messages },
    Template { name: "leader", make: leader },
    Template { name: "active", make: active },
    Template { name: "phases", make: phases },
    Template { name: "worst-ids", make: worst_ids },
    Template { name: "assumption", make: assumption },
    Template { name: "round", make: round },
    Template { name: "echo", make: echo },
    Template { name: "mean", make: mean },
    Template { name: "schedules", make: schedules },
];

/// The largest id that is drawn: two digits are easy to read in a picture.
const LARGEST: u64 = 60;

/// The memory that a search of some hundred states may take.
const MEMORY: u64 = 64 << 20;

/// A number in this range.
fn between(stream: &mut Stream, least: u32, most: u32) -> u32 {
    least + stream.below(u64::from(most - least) + 1) as u32
}

/// One of these.
fn one_of<T: Copy>(stream: &mut Stream, all: &[T]) -> T {
    all[stream.below(all.len() as u64) as usize]
}

/// `count` different numbers from `least` to `most`, in a random order.
fn different(stream: &mut Stream, count: u32, least: u64, most: u64) -> Vec<u64> {
    let mut all: Vec<u64> = (least..=most).collect();
    stream.shuffle(&mut all);
    all.truncate(count as usize);
    all
}

/// The same election with these ids.
pub(super) fn with_ids(election: Election, ids: &[u64]) -> Result<Election, Refusal> {
    Ok(Election { ids: Some(IdsFrom::Ids(Ids::List(ids.iter().copied().map(Id).collect()))), ..election })
}

/// An election on this network.
fn on(algorithm: &str, topology: &str) -> Result<Election, Refusal> {
    Ok(Election { topology: Some(topology.parse().map_err(Refusal)?), ..Election::new(algorithm) })
}

/// An election of this algorithm on a ring with ids of its own.
fn on_ring(stream: &mut Stream, algorithm: &str, nodes: u32) -> Result<Election, Refusal> {
    with_ids(on(algorithm, &format!("ring:{nodes}"))?, &different(stream, nodes, 1, LARGEST))
}

/// Draws elections until one is held that will do.
fn until<T>(
    mut draw: impl FnMut() -> Result<(Held, Election), Refusal>,
    take: impl Fn(&Held) -> Option<T>,
) -> Result<(Election, T), Refusal> {
    for _ in 0..1_000 {
        let (held, election) = draw()?;
        if let Some(taken) = take(&held) {
            return Ok((election, taken));
        }
    }
    Err(Refusal("no exercise was found: take another seed".into()))
}

fn held(election: Election) -> Result<(Held, Election), Refusal> {
    Ok((Held::new(election.clone())?, election))
}

/// An exercise without choices and without a run to show.
fn plain(template: &'static str, election: Election, right: Right) -> Exercise {
    let repeat = election.line();
    let (values, story, choices) = (vec![], vec![], vec![]);
    Exercise { template, election, repeat, shows: Shows::Ids, values, story, choices, right }
}

fn text(name: &'static str, value: impl ToString) -> (&'static str, String) {
    (name, value.to_string())
}

/// How many messages does an election take?
fn messages(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let nodes = between(stream, 6, 8);
    let election = on_ring(stream, "chang-roberts", nodes)?;
    let count = Held::new(election.clone())?.report.election_messages();
    Ok(plain("messages", election, Right::Number(count, 1)))
}

/// Who leads if only some nodes start?
fn leader(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let algorithm = one_of(stream, &["chang-roberts", "peterson"]);
    let draw = || {
        let nodes = between(stream, 6, 8);
        let starters = between(stream, 2, 3);
        let mut starters = different(stream, starters, 0, u64::from(nodes) - 1);
        starters.sort_unstable();
        let starters = starters.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let initiators = Some(starters.parse().map_err(Refusal)?);
        held(Election { initiators, ..on_ring(stream, algorithm, nodes)? })
    };
    // The largest id must not be among the initiators: that it wins or not is the question.
    let take = |held: &Held| {
        let ids = &held.prepared.scenario.ids;
        let largest = (0..ids.len() as u32).max_by_key(|node| ids[*node as usize])?;
        let starts = held.events.iter().any(|event| event.kind == EventKind::Start && event.node == largest);
        held.report.leaders.first().filter(|_| !starts).map(|leader| leader.node)
    };
    let (election, node) = until(draw, take)?;
    let rule = if algorithm == "peterson" { "@winner-starts" } else { "@winner-all" };
    let values = vec![text("algorithm", algorithm), text("rule", rule)];
    Ok(Exercise { values, ..plain("leader", election, Right::Node(node.into())) })
}

/// Who is active after the first phase?
fn active(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let draw = || {
        let nodes = between(stream, 7, 9);
        held(on_ring(stream, "peterson", nodes)?)
    };
    let second = |held: &Held| {
        let nodes = &held.report.phases.as_ref()?.each.get(1)?.nodes;
        (nodes.len() > 1).then(|| nodes.iter().map(|node| u64::from(*node)).collect::<Vec<_>>())
    };
    let (election, nodes) = until(draw, second)?;
    Ok(plain("active", election, Right::Nodes(nodes)))
}

/// How many phases are there?
fn phases(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let algorithm = one_of(stream, &["peterson", "franklin", "hirschberg-sinclair"]);
    let nodes = between(stream, 6, 9);
    let election = on_ring(stream, algorithm, nodes)?;
    let count = Held::new(election.clone())?.report.phases.map_or(0, |phases| phases.count);
    let values = vec![text("algorithm", algorithm)];
    Ok(Exercise { values, ..plain("phases", election, Right::Number(count, 1)) })
}

/// Which order of these ids is the dearest?
fn worst_ids(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let nodes = between(stream, 5, 7);
    let mut ids = different(stream, nodes, 1, LARGEST);
    let given = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let election = with_ids(on("chang-roberts", &format!("ring:{nodes}"))?, &ids)?;
    ids.sort_unstable_by(|a, b| b.cmp(a));
    let worst = with_ids(election.clone(), &ids)?;
    let count = Held::new(worst.clone())?.report.election_messages();
    let values = vec![text("ids", given), text("n", nodes), text("messages", count)];
    let (repeat, right) = (worst.line(), Right::Ids(ids, count));
    Ok(Exercise { values, repeat, shows: Shows::Network, ..plain("worst-ids", election, right) })
}

/// The assumptions that may be broken, in the order of the choices.
const ASSUMPTIONS: [&str; 5] = ["different-ids", "no-loss", "no-copies", "no-crash", "known-size"];

/// Which assumption is broken in this run?
fn assumption(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let place = stream.below(ASSUMPTIONS.len() as u64) as usize;
    let draw = || held(broken(stream, ASSUMPTIONS[place])?);
    let (election, (story, outcome, is_alike)) = until(draw, |held| {
        let wrong = !held.report.violations.is_empty() && held.events.len() < 60;
        let outcome = || format!("@outcome-{}", held.report.outcome);
        (wrong && is_telling(held)).then(|| (story(held), outcome(), looks_like_the_other(held)))
    })?;
    let (right, reason) = match (is_alike, place) {
        (true, LOSS) => (vec![LOSS, CRASH], "@reason-no-loss-or-crash".into()),
        (true, _) => (vec![CRASH, LOSS], "@reason-no-crash-or-loss".into()),
        (false, _) => (vec![place], format!("@reason-{}", ASSUMPTIONS[place])),
    };
    let values = vec![text("algorithm", &election.algorithm), text("outcome", outcome), text("reason", reason)];
    let choices = ASSUMPTIONS.to_vec();
    Ok(Exercise { values, story, choices, ..plain("assumption", election, Right::Choice(right)) })
}

/// The place of the assumption that no message is lost.
const LOSS: usize = 1;

/// The place of the assumption that no node crashes.
const CRASH: usize = 3;

/// Whether a crash looks like the loss of all that the node should receive: it has acted before. Or whether a loss
/// looks like a crash of the receiver: it receives nothing that was sent later.
fn looks_like_the_other(held: &Held) -> bool {
    let lost = held.events.iter().find(|event| event.kind == EventKind::Drop);
    match (held.report.crashed.first(), lost.and_then(|lost| Some((lost.t, lost.sent.first()?.to)))) {
        (Some(node), _) => held.events.iter().any(|event| event.node == *node && is_step(event)),
        (None, Some((t, to))) => {
            let is_later = |event: &Event| t.until(event.t).is_some_and(|after| after > Span::UNIT);
            !held.events.iter().any(|event| event.node == to && event.kind == EventKind::Receive && is_later(event))
        }
        (None, None) => false,
    }
}

/// An election in which this assumption is broken.
fn broken(stream: &mut Stream, assumption: &str) -> Result<Election, Refusal> {
    let nodes = between(stream, 4, 5);
    if assumption == "known-size" {
        let told = between(stream, 2, nodes - 1);
        let seed = stream.below(1_000);
        let election = on("itai-rodeh", &format!("ring:{nodes}"))?;
        return Ok(Election { set: vec![format!("n={told}")], seed, force: true, ..election });
    }
    if assumption == "no-copies" {
        // A second announcement does no harm. A second probe or bid does.
        let (node, number) = (stream.below(u64::from(nodes)), stream.below(4));
        let election = on_ring(stream, "peterson", nodes)?;
        return Ok(Election { fault: vec![format!("repeat={node}#{number}")], force: true, ..election });
    }
    let election = on_ring(stream, "chang-roberts", nodes)?;
    let node = stream.below(u64::from(nodes));
    let fault = match assumption {
        "no-loss" => format!("lose={node}#{}", stream.below(3)),
        "no-crash" => format!("crash={node}@{}", stream.below(u64::from(2 * nodes))),
        _ => {
            let mut ids = different(stream, nodes - 1, 1, LARGEST);
            ids.push(one_of(stream, &ids));
            stream.shuffle(&mut ids);
            return with_ids(Election { force: true, ..election }, &ids);
        }
    };
    Ok(Election { fault: vec![fault], force: true, ..election })
}

/// Whether the loss of a message cannot be taken for a crash, or a crash for that. A node that misses a message acts
/// later, or else misses another one or never starts.
fn is_telling(held: &Held) -> bool {
    let events = || held.events.iter().enumerate();
    let drops: Vec<(usize, &Event)> = events().filter(|(_, event)| event.kind == EventKind::Drop).collect();
    let crashed = held.report.crashed.first();
    match (crashed, &drops[..]) {
        (Some(node), drops) => {
            drops.len() > 1 || !held.events.iter().any(|event| event.node == *node && is_step(event))
        }
        (None, [(place, lost)]) => lost.sent.first().is_some_and(|sent| {
            events().any(|(later, event)| later > *place && event.node == sent.to && is_step(event))
        }),
        (None, _) => true,
    }
}

/// Whether a node starts or receives something.
fn is_step(event: &Event) -> bool {
    matches!(event.kind, EventKind::Start | EventKind::Receive)
}

/// A run in signs, without what went wrong: `t=1  1 → 2: elect(5)  ⇒ 3: elect(5)`.
fn story(held: &Held) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for event in held.events.iter().filter(|event| is_step(event) || event.decision.is_some()) {
        let Event { t, node, kind, received, sent, decision, draws, .. } = event;
        let mut parts: Vec<String> = vec![];
        if let (EventKind::Decide, Some(decision)) = (kind, decision) {
            let sign = if *decision == Decision::Leader { " ★" } else { " ✓" };
            lines.last_mut().into_iter().for_each(|line| *line += sign);
            continue;
        }
        parts.extend(received.iter().map(|it| format!("{} → {node}: {}", it.from, render(&it.msg))));
        if *kind == EventKind::Start {
            parts.push(format!("{node} ●"));
        }
        parts.extend(draws.iter().map(|draw| format!("□ {}", draw + 1)));
        parts.extend(sent.iter().map(|it| format!("⇒ {}: {}", it.to, render(&it.msg))));
        lines.push(format!("t={t}  {}", parts.join("  ")));
    }
    lines
}

/// In which round does a node decide?
fn round(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let nodes = between(stream, 4, 6);
    let ids = different(stream, nodes, 2, 9);
    let election = with_ids(on("time-slice", &format!("ring:{nodes}"))?, &ids)?;
    let held = Held::new(election.clone())?;
    let leader = held.report.leaders.first().map_or(0, |leader| leader.node);
    let node = (leader + between(stream, 1, nodes - 1)) % nodes;
    let decides = held.events.iter().find(|event| event.node == node && event.decision.is_some());
    let when = decides.and_then(|event| event.t.whole()).and_then(|when| u64::try_from(when).ok());
    let when = when.ok_or_else(|| Refusal(format!("node {node} does not decide")))?;
    let smallest = ids.iter().min().copied().unwrap_or_default();
    let away = (node + nodes - leader) % nodes;
    let values = vec![text("node", node), text("smallest", smallest), text("n", nodes), text("away", away)];
    Ok(Exercise { values, ..plain("round", election, Right::Number(when, 1)) })
}

/// How many messages does one wave take on this graph?
fn echo(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let nodes = between(stream, 6, 8);
    let election = Election { seed: stream.below(1_000), ..on("echo-election", &format!("gnp:{nodes}:0.45"))? };
    let initiator = stream.below(u64::from(nodes));
    let initiators = Some(initiator.to_string().parse().map_err(Refusal)?);
    let election = with_ids(Election { initiators, ..election }, &different(stream, nodes, 1, LARGEST))?;
    let held = Held::new(election.clone())?;
    let links = held.prepared.scenario.topology.links();
    let values = vec![text("node", initiator), text("links", links)];
    Ok(Exercise { values, ..plain("echo", election, Right::Number(held.report.election_messages(), 1)) })
}

/// How many messages are there on average over all orders?
fn mean(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let nodes = between(stream, 3, 6);
    let algorithm = one_of(stream, &["chang-roberts", "franklin"]);
    let election = on(algorithm, &format!("ring:{nodes}"))?;
    let asked = asked(&election, Orders::All)?;
    let info = asked.info()?;
    let exact = Exact { asked, schedules: Schedules::Unit, within: None, budget: Budget::default() };
    let family = exact.family(info, &NoFiles)?;
    let found = costs(family.scenarios(), &cost, &Ledger::new(MEMORY), 1);
    let found = found.map_err(|stop| Refusal(format!("the orders were not all followed: {stop:?}")))?;
    let mean = found.messages.mean().ok_or_else(|| Refusal("there is no order".into()))?;
    let part = |number: &num_rational::BigRational| -> Option<(u64, u64)> {
        Some((number.numer().try_into().ok()?, number.denom().try_into().ok()?))
    };
    let (numerator, denominator) = part(&mean).ok_or_else(|| Refusal("the mean is beyond all numbers".into()))?;
    let values = vec![text("algorithm", algorithm), text("n", nodes), text("orders", found.configurations)];
    let repeat = exact.line();
    let right = Right::Number(numerator, denominator);
    Ok(Exercise { values, repeat, shows: Shows::Nothing, ..plain("mean", election, right) })
}

/// The election as configurations of a search.
fn asked(election: &Election, ids: Orders) -> Result<Asked, Refusal> {
    let topology = election.topology.as_ref().map(|topology| topology.to_string().parse()).transpose();
    Ok(Asked {
        algorithm: election.algorithm.clone(),
        as_printed: None,
        topology: topology.map_err(Refusal)?,
        ids: Some(ids),
        initiators: None,
        set: vec![],
        seed: 1,
    })
}

/// What one run costs.
fn cost(scenario: &Scenario) -> Result<Cost, String> {
    let algorithm = bellwether_catalogue::algorithm(&scenario.algorithm).ok_or("there is no such algorithm")?;
    let mut watcher = Watcher;
    let report = bellwether_sim::play(algorithm, scenario, Wishes::none(&mut watcher));
    let report = report.map_err(|error| error.to_string())?;
    Ok(Cost { messages: report.election_messages(), announce: report.announce_messages(), time: 0 })
}

/// What the adversary may do in an exercise about all schedules.
const ADVERSARIES: [(&str, Freedom); 4] = [
    ("none", Freedom::NONE),
    ("loss", Freedom { losses: 1, ..Freedom::NONE }),
    ("copy", Freedom { copies: 1, ..Freedom::NONE }),
    ("crash", Freedom { crashes: 1, ..Freedom::NONE }),
];

/// Is there a schedule on which this goes wrong?
fn schedules(stream: &mut Stream) -> Result<Exercise, Refusal> {
    let algorithm = one_of(stream, &["chang-roberts", "peterson", "le-lann"]);
    let (adversary, freedom) = one_of(stream, &ADVERSARIES);
    let (what, property) = one_of(stream, &[("two", Property::OneLeader), ("nobody", Property::Leader)]);
    let election = on_ring(stream, algorithm, 3)?;
    let ids = election.ids.clone().map_or(Orders::All, Orders::These);
    let asked = asked(&election, ids)?;
    let info = asked.info()?;
    let known = bellwether_catalogue::algorithm(info.name).ok_or_else(|| Refusal("no such algorithm".into()))?;
    let wanted = Check {
        asked,
        links: LinkBehaviour { reorder: freedom.reorder, copies: freedom.copies, unreliable: false },
        loss: freedom.losses,
        crashes: freedom.crashes,
        restarts: 0,
        wipes: 0,
        closes: 0,
        timers: TimerOrder::Auto,
        drift: None,
        epochs: 0,
        starts: WhenStarted::Auto,
        reduction: Switch::On,
        budget: Budget::default(),
        fingerprints: false,
        all: false,
    };
    let family = wanted.family(info, &NoFiles)?;
    let plan = Plan { freedom: wanted.freedom(&family), reduction: true, symmetry: true, fingerprints: false };
    let verdict = check(family.scenarios(), known, plan, &Ledger::new(MEMORY), 1).map_err(Refusal)?;
    if !verdict.is_complete() && !verdict.is_broken(property) {
        return Err(Refusal("not every schedule was followed".into()));
    }
    let can = verdict.is_broken(property);
    let values = vec![
        text("algorithm", algorithm),
        text("adversary", format!("@adversary-{adversary}")),
        text("what", format!("@happens-{what}")),
    ];
    let (repeat, right) = (wanted.line(), Right::Choice(vec![usize::from(!can)]));
    Ok(Exercise { values, repeat, choices: vec!["yes", "no"], ..plain("schedules", election, right) })
}
