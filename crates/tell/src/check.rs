//! The result of a search over every schedule, as JSON.

use bellwether_ask::{Check, Switch, TimerOrder};
use bellwether_check::ledger::{Glance, Stop};
use bellwether_check::{Conclusion, Counterexample, Most, Plan, Story};
use bellwether_core::{Info, Model};
use bellwether_world::rules::Conditions;
use bellwether_world::trace::Header;
use bellwether_world::{Family, Freedom, Property};
use serde_json::{Value, json};

use crate::{Object, family};

/// The name of schedules on which there is no election to judge.
pub const EXCUSED: &str = "schedules on which all who took part crash";

/// A search: what was asked for, and what follows from it.
#[derive(Clone, Debug)]
pub struct Search {
    /// What was asked for, settled.
    pub asked: Check,
    /// The algorithm's entry under its parameters.
    pub info: &'static Info,
    /// How the networks are searched.
    pub plan: Plan,
    /// How many configurations there are.
    pub count: u128,
    /// The assumptions that the configurations break.
    pub dropped: Vec<String>,
}

impl Search {
    /// The search of this family.
    ///
    /// # Errors
    /// If it cannot be held, with the reason.
    pub fn new(asked: Check, family: &Family) -> Result<Self, String> {
        let info = family.info.under(&family.settings);
        let freedom = asked.freedom(family);
        let dropped = asked.asked.dropped(family, freedom).map_err(|refusal| refusal.0)?;
        let has_timers =
            bellwether_catalogue::algorithm(family.info.name).is_some_and(|algorithm| algorithm.events.has_timers);
        if !matches!(asked.timers, TimerOrder::Auto | TimerOrder::Patient) && !has_timers {
            return Err(format!("{} has no timers: leave --timers out", info.name));
        }
        if asked.drift.is_some() && freedom.drift.is_none() {
            return Err("--drift is for clocks that keep an order: add --timers ordered".into());
        }
        if info.perpetual && !freedom.starts_first {
            return Err(format!("in {} everybody starts, before anything is delivered: leave --starts out", info.name));
        }
        if info.perpetual && freedom.phases == 0 {
            return Err(format!("{} never ends: say how far to follow it, as in --epochs 2", info.name));
        }
        if !info.perpetual && freedom.phases > 0 {
            return Err(format!("{} holds one election: leave --epochs out", info.name));
        }
        if freedom.closes > 0 && !info.sessions {
            return Err(format!("{} does not listen to connections: leave --closes out", info.name));
        }
        let reduction = asked.reduction == Switch::On;
        let plan = Plan { freedom, reduction, symmetry: reduction, fingerprints: asked.fingerprints };
        Ok(Self { plan, info, count: family.count(), dropped, asked })
    }

    /// Whether rounds are followed, without a synchronizer.
    #[must_use]
    pub fn keeps_rounds(&self) -> bool {
        self.plan.freedom.keeps_rounds(self.info)
    }
}

/// A search that is over.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    /// What was searched.
    pub search: &'a Search,
    /// What is known.
    pub verdict: &'a Conclusion,
    /// What the search has seen, even if it was stopped.
    pub seen: Glance,
    /// Why it was told to stop, unless its time or its memory was used up.
    pub told: Option<&'a str>,
}

impl Checked<'_> {
    /// The counterexamples that are reported.
    #[must_use]
    pub fn shown(&self) -> &[Counterexample] {
        let all = &self.verdict.broken;
        &all[..if self.search.asked.all { all.len() } else { all.len().min(1) }]
    }

    /// Whether this property is known not to hold.
    #[must_use]
    pub fn is_broken(&self, property: Property) -> bool {
        self.verdict.is_broken(property)
    }

    /// Every property, with the reason if it was not judged.
    pub fn properties(&self) -> impl Iterator<Item = (Property, Option<&'static str>)> {
        let Search { plan, dropped, info, .. } = self.search;
        let conditions = Conditions::of_schedules(plan.freedom, !dropped.is_empty());
        let is_moot = |property| self.verdict.is_complete() && self.verdict.moot.contains(property);
        let concerns_ends = |property| matches!(property, Property::Leader | Property::Winner | Property::Informed);
        let why = move |property: Property| match conditions.exempts(info, property) {
            _ if self.is_broken(property) => None,
            None if self.never_ends() && concerns_ends(property) => Some("no schedule ends"),
            None if is_moot(property) && info.perpetual => Some(match property {
                Property::CanLead => "of some state it was not found out within a million others",
                _ if is_moot(Property::OneLeader) => "nobody leads within this bound",
                _ => "nobody leads a second time within this bound",
            }),
            None if is_moot(property) => Some("some schedules end without a single leader"),
            reason => reason,
        };
        Property::of(info).map(move |property| (property, why(property)))
    }

    /// Whether no schedule ends.
    #[must_use]
    pub fn never_ends(&self) -> bool {
        self.verdict.is_complete() && self.verdict.least.is_none() && self.is_broken(Property::Ends)
    }

    /// The number of states and transitions, in total or before the search was stopped.
    #[must_use]
    pub fn size(&self) -> (u64, u64) {
        let Glance { states, transitions, .. } = self.seen;
        match self.verdict.stopped {
            None => (self.verdict.states, self.verdict.transitions),
            Some(_) => (states, transitions),
        }
    }

    /// The verdict in a word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match () {
            () if Property::of(self.search.info).any(|property| self.is_broken(property)) => "broken",
            () if self.verdict.is_complete() => "holds",
            () => "unknown",
        }
    }

    /// Why the search was stopped, if it was.
    #[must_use]
    pub fn stopped(&self) -> Option<String> {
        let budget = &self.search.asked.budget;
        let reason = match &self.verdict.stopped {
            None if self.verdict.given_up > 0 && self.search.info.perpetual => {
                "something is broken, so longer schedules were not followed".into()
            }
            None if self.verdict.given_up > 0 => {
                "something is broken, so it was given up after some hundred thousand states".into()
            }
            None => return None,
            Some(stop) => match (self.told, stop, budget.time) {
                (Some(told), ..) => told.into(),
                (None, Stop::Memory, _) => {
                    format!("the states take more than {}; --memory SIZE allows more", budget.memory)
                }
                (None, _, Some(time)) => format!("after {time}; --time TIME allows more"),
                (None, _, None) => "before the end".into(),
            },
        };
        Some(reason)
    }

    /// Explains why there may be so many states, and how to reduce them.
    #[must_use]
    pub fn hint(&self) -> String {
        let Search { asked, info, plan, count, dropped } = self.search;
        let Freedom { reorder, copies, hasty_timers, unreliable, drift, .. } = plan.freedom;
        let phases = bellwether_catalogue::algorithm(info.name).and_then(|algorithm| algorithm.events.phases);
        match phases {
            _ if copies == Freedom::ANY => {
                "every message may come twice, and so may every answer: there may be no end of states; --links \
                 duplicate:K allows K copies in all"
                    .into()
            }
            Some(phases) if reorder => {
                format!(
                    "a message may lag behind by any number of {phases}: there may be no end of states, unless \
                         links keep the order"
                )
            }
            _ if drift.is_some() && !unreliable => {
                "messages take any time, so more and more of them may be under way: there may be no end of states; \
                 --links unreliable has one"
                    .into()
            }
            _ if hasty_timers => "timers that go off early may begin elections for ever: there may be no end of \
                                  states"
                .into(),
            _ if !dropped.is_empty() => {
                "without what the algorithm assumes there may be no end of states; a smaller network may have one"
                    .into()
            }
            _ if info.perpetual => {
                "fewer candidates, voters and rounds have fewer states, as in --set rounds=1; or take more time".into()
            }
            _ if *count > 1 => "take fewer nodes, or fewer configurations by --ids or --initiators".into(),
            _ if self.verdict.stopped == Some(Stop::Memory) && !asked.fingerprints => {
                "take fewer nodes, or --fingerprints, which need less memory".into()
            }
            _ => "take fewer nodes".into(),
        }
    }

    /// The report up to its last lines, which tell the time and the line that repeats it. `dot` tells what became of
    /// the drawn graph, if one was asked for.
    #[must_use]
    pub fn json(&self, family: &Family, dot: Option<&str>) -> Object {
        let mut object = family::head(&self.search.asked.asked, family);
        self.put(&mut object, dot);
        object
    }

    /// Adds the keys between the configurations and the effort.
    pub fn put(&self, object: &mut Object, dot: Option<&str>) {
        let Conclusion { configurations, least, most, reduced, .. } = self.verdict;
        let Search { asked, info, count, dropped, .. } = self.search;
        if self.search.keeps_rounds() {
            object.put("rounds", &true);
        } else if info.model == Model::Synchronous {
            object.put("synchronizer", &"alpha");
        }
        object.put("verdict", &self.word());
        object.put("complete", &self.verdict.is_complete());
        object.put("configurations", configurations);
        if !self.verdict.is_complete() {
            object.put("of", &family::in_json(*count));
        }
        let (states, transitions) = self.size();
        object.put("states", &states);
        object.put("transitions", &transitions);
        object.put("reduced", reduced);
        let known = self.verdict.is_complete();
        let properties = self.properties().map(|(property, why)| {
            let (name, key) = (property.to_string(), property.key());
            match why {
                Some(why) => json!({"name": name, "key": key, "holds": null, "why": why}),
                None if self.is_broken(property) => json!({"name": name, "key": key, "holds": false}),
                None => json!({"name": name, "key": key, "holds": known.then_some(true)}),
            }
        });
        object.put("properties", &properties.collect::<Vec<_>>());
        if self.verdict.excused {
            object.put("excused", &EXCUSED);
        }
        if info.perpetual {
            object.put("epochs", &asked.epochs);
            object.put("wished", &self.verdict.wished);
        }
        self.search.plan.freedom.drift.iter().for_each(|drift| object.put("drift", drift));
        let most = if let Most::Messages(most) = most { Some(most) } else { None };
        object.put("messages", &json!({"min": least, "max": most}));
        object.put("dropped", dropped);
        if let Some(first) = self.shown().first() {
            object.put("broken", &first.property.key());
            object
                .put("violations", &first.story.report.violations.iter().map(ToString::to_string).collect::<Vec<_>>());
            object.put("counterexample", &lines(&first.story));
        }
        if asked.all {
            let one = |broken: &Counterexample| json!({"broken": broken.property.key(), "trace": lines(&broken.story)});
            object.put("counterexamples", &self.shown().iter().map(one).collect::<Vec<_>>());
        }
        dot.iter().for_each(|dot| object.put("dot", dot));
        if !self.verdict.unshown.is_empty() {
            let keys: Vec<_> = self.verdict.unshown.iter().map(|property| property.key()).collect();
            object.put("not_shown", &keys);
        }
        if let Some(stopped) = self.stopped() {
            object.put("stopped", &stopped);
            object.put("depth", &self.seen.depth);
            object.put("hint", &self.hint());
        }
    }
}

/// A counterexample as the lines of a trace.
fn lines(story: &Story) -> Vec<Value> {
    let line = |line: Result<Value, serde_json::Error>| line.expect("plain data has a JSON form");
    let header = line(serde_json::to_value(Header::new(story.scenario.clone())));
    let events = story.events.iter().map(|event| line(serde_json::to_value(event)));
    std::iter::once(header).chain(events).chain([line(serde_json::to_value(story.ending()))]).collect()
}
