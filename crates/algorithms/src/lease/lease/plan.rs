//! What everybody is told: the parameters of a lease, and what follows from them.

use std::collections::BTreeSet;

use bellwether_core::prelude::*;

use super::Who;

pub(super) const SETTINGS: &[Setting] =
    &[VOTERS, CANDIDATES, OUTSIDERS, LENGTH, DRIFT, ROUNDS, RESIGN, CHANGE_TO, CHANGE_AFTER, CLOSE_IS_RELEASE];

pub(in super::super) const VOTERS: Setting = Setting {
    name: "voters",
    help: "how many vote, those with the smallest ids; unless set, all",
    values: Values::AtLeast(1),
    meaning: Meaning::Count,
};

const CANDIDATES: Setting = Setting {
    name: "candidates",
    help: "how many stand, those with the largest ids; unless set, all",
    values: Values::AtLeast(1),
    meaning: Meaning::Count,
};

pub(in super::super) const LENGTH: Setting = Setting {
    name: "lease",
    help: "how long a grant runs, in units of time; unless set, 12",
    values: Values::Between(1, LONGEST),
    meaning: Meaning::Own,
};

pub(in super::super) const DRIFT: Setting = Setting {
    name: "drift",
    help: "by how many percent a clock may run faster or slower than time; unless set, 1",
    values: Values::Between(0, MOST_DRIFT),
    meaning: Meaning::Drift,
};

pub(in super::super) const ROUNDS: Setting = Setting {
    name: "rounds",
    help: "how many rounds a candidate asks in one epoch, or a search follows queries; unless set, without end",
    values: Values::AtLeast(1),
    meaning: Meaning::Own,
};

const OUTSIDERS: Setting = Setting {
    name: "outsiders",
    help: "whether candidates stand where they do not vote; unless set, yes",
    values: Values::OneOf(&["no", "yes"]),
    meaning: Meaning::Own,
};

const RESIGN: Setting = Setting {
    name: "resign",
    help: "a leader is asked to resign after this time; unless set, never",
    values: Values::Between(1, LONGEST),
    meaning: Meaning::Own,
};

pub(in super::super) const CHANGE_TO: Setting = Setting {
    name: "change-to",
    help: "the number of voters in the end, one more or fewer with each configuration; unless set, no change",
    values: Values::AtLeast(1),
    meaning: Meaning::Count,
};

pub(in super::super) const CHANGE_AFTER: Setting = Setting {
    name: "change-after",
    help: "how long after its start, or after the last change, a process is told to change; unless set, 30",
    values: Values::Between(1, LONGEST),
    meaning: Meaning::Own,
};

pub(in super::super) const CLOSE_IS_RELEASE: Setting = Setting {
    name: "close-is-release",
    help: "a connection that closes releases what was lent over it; unless set, no",
    values: Values::OneOf(&["no", "yes"]),
    meaning: Meaning::Own,
};

/// How long nobody leads after the leader has crashed at time T, if there is one other candidate.
///
/// Let clocks be within the drift, and no message take longer than one unit. The leader's last request reaches a voter
/// by T + 1. So every grant to it has run out by X = T + 1 + lease / (1 - drift). The successor learns the leader's
/// epoch from at most one refusal, by T + 2. It pauses for less than two thirds of a lease. So it asks again before X,
/// for a larger epoch, and every third of a lease in a new round. From X on, nobody keeps its requests waiting.
///
/// Let its last round before X begin at s. If s > X - 1, all grants of that round are there by s + 2 ≤ X + 2, before
/// the next round begins. Otherwise all voters have its request at X, and all grants are there by X + 1, unless the
/// next round begins before that. Then the grants of the next one are there by X + 3. So it leads by T + lease / (1 -
/// drift) + 4: a lease, by the slowest clock, and two round trips.
///
/// With more candidates, voters may keep requests of different ones for the same epoch. Then they must try again.
pub(super) const FAILOVER: Failover = Failover {
    formula: Formula { text: "lease / (1 - drift) + 4", of: |_| f64::NAN },
    of: |settings| {
        let number = |name: &str, otherwise: u64| settings.get(name).copied().unwrap_or(otherwise);
        let (lease, drift) = (number("lease", LEASE), number("drift", Meaning::USUAL_DRIFT).min(MOST_DRIFT));
        let is_proved = settings.keys().all(|name| ["lease", "drift", "candidates"].contains(&&name[..]))
            && number("candidates", 0) == 2
            && lease * 100 > 6 * (100 + drift); // a round trip takes less than a third of it, by the fastest clock
        is_proved.then(|| lease as f64 * 100.0 / (100 - drift) as f64 + 4.0)
    },
};

/// The usual length of a grant, in units of time.
const LEASE: u64 = 12;

/// The largest drift that is reckoned with, in percent. A round then lasts half a lease, and a tick a third of one.
const MOST_DRIFT: u64 = 25;

/// The longest time that a parameter may set, in units.
pub(in super::super) const LONGEST: u64 = 1_000_000_000;

/// What everybody was told, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Plan {
    /// By configuration: who votes.
    pub(super) voters: Vec<BTreeSet<Who>>,
    pub(super) is_candidate: bool,
    /// Whether it stands where it does not vote.
    pub(super) outsiders: bool,
    pub(super) lease: Span,
    /// A candidate counts on a round for this long.
    pub(super) round: Span,
    /// In percent.
    pub(super) drift: u64,
    pub(super) tick: Span,
    /// How long it waits before it stands again. It is shorter for larger ids, so that not all ask at once.
    pub(super) pause: Span,
    pub(super) rounds: u64,
    pub(super) resign: Option<Span>,
    pub(super) change: Span,
    pub(super) close_is_release: bool,
}

impl Plan {
    pub(super) fn new(local: &Local) -> Result<Self, Unmet> {
        let (id, neighbours) = (local.id()?, local.neighbours()?);
        let mut members: Vec<(Id, Who)> = (0..).map(|port| Some(Port(port))).zip(neighbours).map(swap).collect();
        members.push((id, None));
        members.sort_unstable();
        let all = members.len() as u64;
        let number = |name: &str, otherwise: u64| local.setting(name).unwrap_or(otherwise);
        let count = |name: &str| number(name, all).min(all);
        let (voters, candidates) = (count("voters"), count("candidates"));
        let last = local.setting("change-to").map_or(voters, |last| last.min(all));
        let sizes: Vec<u64> = if last < voters { (last..=voters).rev().collect() } else { (voters..=last).collect() };
        let first = |size: u64| members.iter().take(size as usize).map(|(_, who)| *who).collect();
        // By id, the largest first.
        let place = members.iter().rev().position(|(_, who)| who.is_none()).unwrap_or(0) as u64;
        let lease = Span::units(number("lease", LEASE));
        let drift = number("drift", Meaning::USUAL_DRIFT).min(MOST_DRIFT);
        let tick = lease.0 / 3;
        Ok(Self {
            voters: sizes.into_iter().map(first).collect(),
            is_candidate: place < candidates,
            outsiders: number("outsiders", 1) == 1,
            lease,
            round: percent(lease, 100 - 2 * drift),
            drift,
            tick: Span(tick),
            pause: Span(tick + tick * place / candidates.max(1)),
            rounds: number("rounds", u64::MAX),
            resign: local.setting("resign").map(Span::units),
            change: Span::units(number("change-after", 30)),
            close_is_release: number("close-is-release", 0) == 1,
        })
    }
}

fn swap((who, id): (Who, &Id)) -> (Id, Who) {
    (*id, who)
}

pub(super) fn percent(span: Span, percent: u64) -> Span {
    Span(span.0 / 100 * percent)
}
