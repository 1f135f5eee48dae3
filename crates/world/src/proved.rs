//! The proved bounds of a run.

use bellwether_core::{Formula, Info};

use crate::numbers::number;
use crate::rules::{Conditions, time_ahead};
use crate::{Fault, Property, Scenario};

/// The bounds from the algorithm's entry for a run of this size. The mean is given only where it applies.
#[derive(Clone, Copy, Debug)]
pub struct Proved {
    /// The smallest number of messages to elect.
    pub best: Option<f64>,
    /// The mean, if all nodes start and no parameter is set.
    pub mean: Option<f64>,
    /// The largest number of messages to elect.
    pub worst: Option<f64>,
    /// Messages to announce the result.
    pub announce: Option<f64>,
    /// The time of the last decision.
    pub time: Option<f64>,
    /// The largest number of phases.
    pub phases: Option<f64>,
    /// The mean number of phases, if all nodes start and no parameter is set.
    pub mean_phases: Option<f64>,
    /// The largest number of messages to elect in one phase.
    pub phase_messages: Option<f64>,
    /// The longest time without a leader after the leader has crashed, if nothing else fails.
    pub failover: Option<f64>,
}

impl Proved {
    /// The bounds of a scenario. They hold if its assumptions hold.
    #[must_use]
    pub fn new(info: &Info, scenario: &Scenario) -> Self {
        let size = scenario.size(info);
        let elections = f64::from(scenario.elections);
        let info = info.under(&scenario.settings);
        let bounds = &info.bounds;
        let total = |formula: &Formula| (formula.of)(size) * elections;
        let lawful = Conditions::of(scenario).exempts(info, Property::Bounds).is_none();
        let of_choice = |formula: &Option<Formula>, applies: bool| formula.as_ref().filter(|_| applies).map(total);
        let ahead = time_ahead(info, scenario).filter(|_| lawful);
        let time = bounds.time.as_ref().zip(ahead).map(|(formula, ahead)| (formula.of)(size) + ahead);
        let on_average = lawful && scenario.all_start() && scenario.settings.is_empty();
        let phases = info.phases.filter(|_| lawful);
        let finite = |formula: Formula| Some((formula.of)(size)).filter(|value| value.is_finite());
        Self {
            phases: phases.and_then(|phases| phases.most).and_then(finite),
            mean_phases: phases.filter(|_| on_average).and_then(|phases| phases.mean).and_then(finite),
            phase_messages: phases.map(|phases| phases.messages).and_then(finite),
            best: of_choice(&bounds.best, lawful),
            mean: of_choice(&bounds.mean, on_average),
            worst: of_choice(&bounds.worst, lawful),
            announce: lawful.then(|| total(&bounds.announce)),
            time,
            failover: bounds.failover.and_then(|bound| {
                let only_that = matches!(scenario.faults[..], [Fault::CrashLeader(_)]) && !scenario.forced;
                if only_that { (bound.of)(&scenario.settings) } else { None }
            }),
        }
    }

    /// The same for all messages: those that elect, and those that announce.
    #[must_use]
    pub fn with_announcement(self) -> Self {
        let Self { best, mean, worst, announce, .. } = self;
        let total = |bound: Option<f64>| bound.zip(announce).map(|(elect, announce)| elect + announce);
        Self { best: total(best), mean: total(mean), worst: total(worst), ..self }
    }

    /// The exact or expected number of messages to elect; `None` if only bounds are known.
    #[must_use]
    pub fn expected(&self) -> Option<f64> {
        self.mean.or(self.worst.filter(|worst| self.best == Some(*worst)))
    }

    /// The bounds on messages, in a few words, which say what they bound.
    #[must_use]
    pub fn in_words(&self) -> String {
        let exact = self.worst.filter(|worst| self.best == Some(*worst));
        let bounds = match exact {
            Some(_) => vec![("exactly", exact)],
            None => vec![("at least", self.best), ("on average", self.mean), ("at most", self.worst)],
        };
        let words = bounds.iter().filter_map(|(word, bound)| bound.map(|bound| format!("{word} {}", number(bound))));
        let elect = words.collect::<Vec<_>>().join(", ");
        let elect = (!elect.is_empty()).then(|| format!("{elect} to elect"));
        let announce = self.announce.filter(|announce| *announce > 0.0);
        let announce = announce.map(|announce| format!("{} to announce", number(announce)));
        elect.into_iter().chain(announce).collect::<Vec<_>>().join("; ")
    }
}
