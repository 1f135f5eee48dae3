//! Election after election, while messages are lost, repeated and overtaken.
//!
//! In each election at most one leads, nothing of an election is felt in a later one, and once nothing fails any more,
//! one more election elects. Small networks go every way; larger ones go some ways, by chance.

mod careless;
mod network;
mod search;

use bellwether_algorithms::complete::Bully;
use bellwether_algorithms::graph::EchoElection;
use bellwether_algorithms::ring::ChangRoberts;
use bellwether_core::Numbered;

use self::careless::Careless;
use self::network::{Elector, Trouble, Wiring};
use self::search::{Seen, explore, wander};

/// At most one loss, one copy, and any order.
const ANYTHING: Trouble = Trouble { starts: 2, losses: 1, copies: 1, reorder: true };

#[test]
fn chang_roberts_goes_every_way() {
    let explored = |ids: &[u64], trouble| explore::<Numbered<ChangRoberts>>(&Wiring::ring(ids), trouble);
    assert_eq!(explored(&[1, 2], Trouble { starts: 3, ..ANYTHING }), Ok(Seen { states: 28_227, torn: 0 }));
    assert_eq!(
        explored(&[1, 2, 3], Trouble { losses: 2, copies: 2, ..ANYTHING }),
        Ok(Seen { states: 108_380, torn: 0 })
    );
    assert_eq!(explored(&[3, 2, 1], ANYTHING), Ok(Seen { states: 24_038, torn: 0 }));
    let in_order = Trouble { starts: 3, reorder: false, ..ANYTHING };
    assert_eq!(explored(&[1, 2, 3], in_order), Ok(Seen { states: 12_408, torn: 0 }));
}

#[test]
fn two_that_echo_go_every_way() {
    let explored = explore::<Numbered<EchoElection>>(&Wiring::path(&[1, 2]), ANYTHING);
    assert_eq!(explored, Ok(Seen { states: 2_318, torn: 0 }));
}

#[test]
#[ignore = "takes ten seconds"]
fn three_that_echo_go_every_way() {
    type Process = Numbered<EchoElection>;
    let (path, triangle) = (Wiring::path(&[1, 3, 2]), Wiring::complete(&[1, 2, 3]));
    assert_eq!(explore::<Process>(&path, ANYTHING), Ok(Seen { states: 135_097, torn: 0 }));
    assert_eq!(explore::<Process>(&triangle, Trouble { starts: 1, ..ANYTHING }), Ok(Seen { states: 46_915, torn: 0 }));
    let in_order = Trouble { copies: 0, reorder: false, ..ANYTHING };
    assert_eq!(explore::<Process>(&triangle, in_order), Ok(Seen { states: 63_390, torn: 0 }));
}

#[test]
fn bully_goes_every_way_without_loss() {
    let explored = |ids: &[u64], trouble| explore::<Numbered<Bully>>(&Wiring::complete(ids), trouble);
    let without = Trouble { losses: 0, ..ANYTHING };
    assert_eq!(explored(&[1, 2], Trouble { starts: 3, ..without }), Ok(Seen { states: 4_029, torn: 0 }));
}

#[test]
#[ignore = "takes twenty seconds"]
fn three_bullies_go_every_way_without_loss() {
    let explored = explore::<Numbered<Bully>>(&Wiring::complete(&[1, 2, 3]), Trouble { losses: 0, ..ANYTHING });
    assert_eq!(explored, Ok(Seen { states: 231_205, torn: 0 }));
}

/// Numbers do not make an algorithm better than it is: a node that loses the question to a larger id leads beside it.
/// But the next election is not hurt.
#[test]
fn bully_that_loses_a_message_may_have_two_leaders_until_the_next_election() {
    let explored = |ids: &[u64], trouble| explore::<Numbered<Bully>>(&Wiring::complete(ids), trouble);
    assert_eq!(explored(&[1, 2], ANYTHING), Ok(Seen { states: 1_029, torn: 12 }));
    assert_eq!(explored(&[1, 2, 3], Trouble { reorder: false, ..ANYTHING }), Ok(Seen { states: 61_045, torn: 125 }));
}

#[test]
fn larger_networks_go_some_ways() {
    let trouble = Trouble { starts: 5, losses: 3, copies: 3, reorder: true };
    let (ring, complete) = (Wiring::ring(&[2, 5, 1, 4, 3]), Wiring::complete(&[3, 1, 4, 2]));
    for seed in 0..1000 {
        assert_eq!(wander::<Numbered<ChangRoberts>>(&ring, trouble, seed), Ok(0));
        assert_eq!(wander::<Numbered<EchoElection>>(&complete, trouble, seed), Ok(0));
        assert_eq!(wander::<Numbered<Bully>>(&complete, Trouble { losses: 0, ..trouble }, seed), Ok(0));
        assert!(wander::<Numbered<Bully>>(&complete, trouble, seed).is_ok());
    }
}

/// What this process does wrong, and the shortest way there.
fn caught<P: Elector>(wiring: &Wiring) -> String {
    explore::<P>(wiring, Trouble { starts: 2, ..Trouble::default() }).unwrap_err()
}

#[test]
fn who_ignores_the_number_is_caught() {
    let (ring, pair) = (Wiring::ring(&[1, 2]), Wiring::path(&[1, 2]));
    let caught = [
        caught::<Careless<ChangRoberts, false>>(&ring),
        caught::<Careless<EchoElection, false>>(&pair),
        caught::<Careless<Bully, false>>(&pair),
    ];
    let wrong = [
        "a message of election 2 is received in election 1: [Start(0), Calm(1)], Deliver((1, 0, 0))",
        "a message of election 2 is received in election 1: [Start(0), Calm(1)], Deliver((1, 0, 0))",
        "a message of election 1 is felt in election 2: [Start(0), Calm(1)], Deliver((0, 0, 0))",
    ];
    assert_eq!(caught, wrong);
}

#[test]
fn who_takes_an_earlier_number_for_the_present_one_is_caught() {
    let (ring, pair) = (Wiring::ring(&[1, 2]), Wiring::path(&[1, 2]));
    let caught = [
        caught::<Careless<ChangRoberts, true>>(&ring),
        caught::<Careless<EchoElection, true>>(&pair),
        caught::<Careless<Bully, true>>(&pair),
    ];
    let wrong = [
        "a message of election 1 is felt in election 2: [Start(1), Calm(0)], Deliver((1, 0, 0))",
        "a message of election 1 is felt in election 2: [Start(1), Calm(0)], Deliver((1, 0, 0))",
        "a message of election 1 is felt in election 2: [Start(0), Calm(1)], Deliver((0, 0, 0))",
    ];
    assert_eq!(caught, wrong);
}
