//! The exact tables of the specification.

use bellwether_catalogue::algorithm;
use bellwether_check::exact::{Chances, Cost, Costs, RoundAutomaton, costs, expected};
use bellwether_check::ledger::Ledger;
use bellwether_core::Settings;
use bellwether_trials::published::{LEADER_SYNC, MESSAGES, compare};
use bellwether_world::host::{Watcher, Wishes};
use bellwether_world::{Scenario, Time};

use crate::support::family_of;

fn run(scenario: &Scenario) -> Result<Cost, String> {
    let mut watcher = Watcher;
    let wishes = Wishes::none(&mut watcher);
    let report = bellwether_play::play(scenario, wishes).unwrap().map_err(|error| error.to_string())?;
    let time = report.time.and_then(Time::whole).unwrap() as u64;
    Ok(Cost { messages: report.election_messages(), announce: report.announce_messages(), time })
}

fn over_all_orders(name: &str, n: u32) -> Costs {
    let family = family_of(name, &format!("ring:{n}"), "all", false);
    costs(family.scenarios(), &run, &Ledger::new(0), 2).unwrap()
}

/// Election messages over all circular orders, with all nodes starting: least, most, mean.
#[test]
fn costs_over_all_orders() {
    compare(MESSAGES, |name, n| {
        let costs = over_all_orders(name, n as u32).messages;
        format!("{} / {} / {}", costs.least.unwrap(), costs.most, costs.mean().unwrap())
    });
}

/// The nine published values of the synchronous protocol: expected rounds for (N, K).
#[test]
fn rounds_of_itai_and_rodeh_in_rounds() {
    for (n, k, mean) in LEADER_SYNC {
        let mut family = family_of("itai-rodeh-sync", &format!("ring:{n}"), "same", false);
        family.settings = Settings::from([("k".into(), k)]);
        let mut lockstep = RoundAutomaton::new(algorithm("itai-rodeh-sync").unwrap());
        let ledger = Ledger::new(1 << 30);
        let expected = expected(family.scenarios(), &mut Chances::Rounds(&mut lockstep), &ledger, 1).unwrap();
        assert_eq!(expected.odds.phases.same().map(ToString::to_string), Some(mean.to_string()), "({n}, {k})");
    }
}
