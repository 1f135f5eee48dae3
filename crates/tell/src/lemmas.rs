//! What the lemmas of an algorithm's paper count in a run.

use bellwether_core::{Claim, Info, Round};
use bellwether_net::Wiring;
use bellwether_world::host::{LemmaCount, RoundsCast};
use bellwether_world::numbers::plain;
use bellwether_world::trace::Event;
use bellwether_world::{Outcome, Report, Scenario, Timing};
use serde_json::{Value, json};

use crate::Object;

/// The messages of a run, if its algorithm has lemmas.
pub struct Lemmas {
    cast: Option<&'static RoundsCast>,
    sent: Vec<(Round, Value)>,
}

impl Lemmas {
    /// No message of this run yet.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        const MOST: u32 = 10_000;
        let suits = scenario.timing == Timing::Rounds && scenario.elections == 1 && !scenario.forced;
        let cast = bellwether_catalogue::algorithm(&scenario.algorithm).map(|algorithm| &algorithm.rounds);
        let cast = cast.filter(|cast| cast.has_lemmas && suits && scenario.topology.nodes() <= MOST);
        Self { cast, sent: vec![] }
    }

    /// Whether it must see the events of the run.
    #[must_use]
    pub fn are_wanted(&self) -> bool {
        self.cast.is_some()
    }

    /// Notes what was sent in a step.
    pub fn event(&mut self, event: &Event) {
        if let (Some(_), Some(round)) = (self.cast, event.t.whole()) {
            self.sent.extend(event.sent.iter().map(|sent| (Round(round), sent.msg.clone())));
        }
    }

    /// What each lemma counts, after an election that came to its end.
    #[must_use]
    pub fn counted(&self, info: &Info, scenario: &Scenario, report: &Report) -> Vec<LemmaCount> {
        let cast = self.cast.filter(|_| report.outcome == Outcome::Elected);
        cast.map_or(vec![], |cast| (cast.lemmas)(&self.sent, scenario.size(info)))
    }
}

/// Adds what lemmas count to a report in JSON.
pub fn put(counted: &[LemmaCount], object: &mut Object) {
    let lemma = |LemmaCount { name, what, count, claim: (claim, formula), says }: &LemmaCount| {
        let (fits, is_false) = (says.fits(*count, *claim), *says == Claim::Falsely);
        let claim = plain(*claim);
        json!({
            "name": name, "counts": what, "count": count, "claim": claim, "formula": formula, "fits": fits,
            "false": is_false,
        })
    };
    if !counted.is_empty() {
        object.put("lemmas", &counted.iter().map(lemma).collect::<Vec<_>>());
    }
}
