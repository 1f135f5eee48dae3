//! Faults of single messages in place of rates: what chance has struck in a run.

use bellwether_core::Span;
use bellwether_net::Wiring;
use bellwether_world::host::{Fate, Fates};
use bellwether_world::trace::{Event, EventKind};
use bellwether_world::{Fault, Scenario, Timing};

use super::delayed::{DelayLaw, Transit};

/// The faults of a run with these events. With them instead of its own, the scenario gives the same run.
pub(crate) fn singled_out(scenario: &Scenario, events: &[Event]) -> Vec<Fault> {
    let is_rate = |fault: &Fault| matches!(fault, Fault::Loss(_) | Fault::Duplicate(_) | Fault::Reorder(_));
    let (rates, mut faults): (Vec<Fault>, Vec<Fault>) = scenario.faults.iter().partition(|fault| is_rate(fault));
    if rates.is_empty() || scenario.timing == Timing::Rounds {
        return scenario.faults.clone();
    }
    let mut delays = DelayLaw::new(scenario);
    let mut fates = Fates::new(scenario);
    let mut others = Fates::new(&Scenario { faults: faults.clone(), ..scenario.clone() });
    // Chance is asked in the order of sending. A fate is told once more, in an event of its own.
    let sending = events.iter().filter(|event| !matches!(event.kind, EventKind::Drop | EventKind::Duplicate));
    for (event, sent) in sending.flat_map(|event| event.sent.iter().map(move |sent| (event, sent))) {
        let (from, n) = (event.node, sent.n);
        let direction = scenario.topology.direction(from, sent.port);
        let other = others.fate(event.t, from, sent.to, n);
        match fates.fate(event.t, from, sent.to, n) {
            Fate::Lost => {
                delays.skip(direction);
                faults.extend((other != Fate::Lost).then_some(Fault::Lose(from, n)));
            }
            Fate::Arrives { slowness, late, twice, takes } => {
                let is_other = matches!(other, Fate::Arrives { twice: true, .. });
                faults.extend((twice && !is_other).then_some(Fault::Repeat(from, n)));
                let arrival = delays.arrival(Span(0), direction, Transit { slowness, late, is_copy: false, takes });
                faults.extend((late && takes.is_none()).then_some(Fault::Hold(from, n, arrival)));
            }
        }
    }
    faults
}
