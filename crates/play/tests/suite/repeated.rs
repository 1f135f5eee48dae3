//! Elections one after the other on the same processes: an election does not disturb the next.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_world::trace::Decision;
use bellwether_world::{Scenario, Timing};

use crate::support::networks::small_elections;
use crate::support::{command, elect, kinds, moments, record, ring, started_by, timings};

const ELECTIONS: u32 = 5;

/// Every order and every set of initiators. No flag stays set, so each election costs the same. The judge checks that
/// there are never two leaders: an incumbent that receives a candidature resigns.
#[test]
fn every_election_is_right_and_costs_what_the_first_did() {
    assert!(["chang-roberts", "bully"].iter().all(|name| crate::support::info(name).repeatable));
    for info in CATALOGUE.iter().filter(|info| info.repeatable) {
        for it in small_elections(info, 5) {
            let once = elect(&it);
            for timing in timings(info) {
                for seed in [1, 2] {
                    let run = Scenario { elections: ELECTIONS, timing, seed, ..it.clone() };
                    let report = elect(&run);
                    if timing.is_fifo() {
                        let each = |(kind, count): (_, u64)| (kind, count * u64::from(ELECTIONS));
                        let expected: Vec<_> = kinds(&once).into_iter().map(each).collect();
                        assert_eq!(kinds(&report), expected, "{}", command(&run));
                    }
                    assert_eq!(report.leaders, once.leaders);
                }
            }
        }
    }
}

/// The leader starts the next election itself, or hears of it. In both cases there is a moment without a leader.
#[test]
fn an_incumbent_resigns_before_it_is_elected_again() {
    for initiator in 0..4 {
        let scenario = started_by(ring("chang-roberts", &[2, 9, 4, 7]), &[initiator]);
        let (report, events) = record(&Scenario { elections: ELECTIONS, ..scenario });
        assert!(report.is_right());
        let (elected, resigned) = (moments(&events, 1, Decision::Leader), moments(&events, 1, Decision::Undecided));
        assert_eq!((elected.len(), resigned.len()), (5, 4), "it is not elected anew without having resigned");
        assert!(elected.iter().zip(&resigned).all(|(elected, resigned)| elected < resigned));
        assert!(resigned.iter().zip(&elected[1..]).all(|(resigned, elected)| resigned < elected));
    }
}

/// Time continues from election to election: each takes as long as the first.
#[test]
fn the_next_election_begins_when_the_last_is_over() {
    let scenario = ring("chang-roberts", &[2, 9, 4, 7]);
    let (_, events) = record(&Scenario { elections: 3, timing: Timing::Unit, ..scenario });
    // Elected after n units. The announcement is home after n more, and the next election starts.
    assert_eq!(moments(&events, 1, Decision::Leader), [4, 12, 20].map(crate::support::units));
    assert_eq!(moments(&events, 1, Decision::Undecided), [8, 16].map(crate::support::units));
}
