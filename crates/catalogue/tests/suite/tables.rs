//! The exact tables of the specification.

use bellwether_catalogue::algorithm;
use bellwether_check::exact::{Chances, Cost, Costs, RoundAutomaton, costs, expected};
use bellwether_check::ledger::Ledger;
use bellwether_core::Settings;
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
    type Row = (&'static str, [(u64, u64, &'static str); 7]);
    let table: [Row; 5] = [
        (
            "chang-roberts",
            [
                (3, 3, "3"),
                (5, 6, "11/2"),
                (7, 10, "25/3"),
                (9, 15, "137/12"),
                (11, 21, "147/10"),
                (13, 28, "363/20"),
                (15, 36, "761/35"),
            ],
        ),
        (
            "peterson",
            [
                (5, 5, "5"),
                (8, 8, "8"),
                (11, 16, "38/3"),
                (14, 21, "55/3"),
                (17, 27, "121/5"),
                (20, 32, "269/9"),
                (23, 46, "745/21"),
            ],
        ),
        (
            "dolev-klawe-rodeh",
            [
                (6, 6, "6"),
                (9, 9, "9"),
                (12, 20, "44/3"),
                (15, 25, "65/3"),
                (18, 30, "142/5"),
                (21, 35, "1547/45"),
                (24, 56, "12616/315"),
            ],
        ),
        (
            "franklin",
            [
                (8, 8, "8"),
                (12, 12, "12"),
                (16, 24, "56/3"),
                (20, 30, "80/3"),
                (24, 36, "172/5"),
                (28, 42, "1862/45"),
                (32, 64, "15136/315"),
            ],
        ),
        (
            "hirschberg-sinclair",
            [
                (10, 10, "10"),
                (23, 23, "23"),
                (28, 32, "88/3"),
                (49, 55, "158/3"),
                (54, 68, "306/5"),
                (59, 78, "1051/15"),
                (64, 89, "8408/105"),
            ],
        ),
    ];
    for (name, rows) in table {
        for (n, (least, most, mean)) in (2..).zip(rows) {
            let costs = over_all_orders(name, n);
            let found = (costs.messages.least, costs.messages.most, costs.messages.mean().unwrap().to_string());
            assert_eq!(found, (Some(least), most, mean.to_string()), "{name}, n = {n}");
        }
    }
}

/// The nine published values of the synchronous protocol: expected rounds for (N, K).
#[test]
fn rounds_of_itai_and_rodeh_in_rounds() {
    let published = [
        (3, 2, "4/3"),
        (3, 3, "9/8"),
        (3, 4, "16/15"),
        (4, 2, "2"),
        (4, 3, "27/20"),
        (4, 4, "32/27"),
        (5, 2, "16/5"),
        (5, 3, "27/20"),
        (5, 4, "256/225"),
    ];
    for (n, k, mean) in published {
        let mut family = family_of("itai-rodeh-sync", &format!("ring:{n}"), "same", false);
        family.settings = Settings::from([("k".into(), k)]);
        let mut lockstep = RoundAutomaton::new(algorithm("itai-rodeh-sync").unwrap());
        let ledger = Ledger::new(1 << 30);
        let expected = expected(family.scenarios(), &mut Chances::Rounds(&mut lockstep), &ledger, 1).unwrap();
        assert_eq!(expected.odds.phases.same().map(ToString::to_string), Some(mean.to_string()), "({n}, {k})");
    }
}
