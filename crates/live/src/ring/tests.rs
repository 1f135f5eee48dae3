//! What can only be tested from inside: copies of letters, put on the desks by hand.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bellwether_algorithms::ring::{ChangRoberts, Franklin};
use bellwether_core::{Id, Process};
use bellwether_world::initiators::Initiators;

use super::letter::Letter;
use super::office::Office;
use super::{Error, Happening, Held, Ring, Settings, Timing};

type Msg = <ChangRoberts as Process>::Msg;

fn agreed(ring: &mut Ring<ChangRoberts>) -> Held {
    match ring.wait(Some(Instant::now() + Duration::from_secs(60))) {
        Happening::Agreed(held) => held,
        other => panic!("no agreement: {other:?}"),
    }
}

/// Everything that was ever sent in an election arrives once more, everywhere, when it is over or in a later one.
#[test]
fn duplicates_are_harmless() {
    let timing = Timing { wait: Duration::from_secs(20), worker_sleep: Duration::ZERO };
    let settings = Settings { size: 5, seed: 1, timing };
    let mut ring = Ring::<ChangRoberts>::new(settings, Arc::new(|_| ())).unwrap();
    for _ in 0..50 {
        ring.start(&Initiators::One);
        let held = agreed(&mut ring);
        let copies = ring.ids().iter().map(|&id| Msg::Elect(id)).chain([Msg::Announce(held.id)]);
        for (message, to) in copies.zip((0..5).cycle()).collect::<Vec<_>>() {
            let Office { desks, flights, .. } = &**ring.office();
            let copy = |election| Letter { message: message.clone(), election, origin: to, flight: flights.begin() };
            for election in [held.number, held.number - 1] {
                // Nobody hands over anything now, so this one can be handed over in anybody's name.
                desks.offer((to + 4) % 5, to, copy(election));
                while !flights.is_quiet() {
                    thread::yield_now();
                }
            }
        }
    }
    ring.start(&Initiators::All);
    let last = agreed(&mut ring);
    assert_eq!((last.id, last.traffic.returned), (Id(5), 0));
}

#[test]
fn an_algorithm_for_something_else_is_refused() {
    let timing = Timing { wait: Duration::from_secs(20), worker_sleep: Duration::ZERO };
    let settings = |size| Settings { size, seed: 1, timing };
    let refused = Ring::<Franklin>::new(settings(3), Arc::new(|_| ()));
    assert!(matches!(refused, Err(Error::Misfit(info)) if info.name == "franklin"));
    assert!(matches!(Ring::<ChangRoberts>::new(settings(0), Arc::new(|_| ())), Err(Error::Empty)));
}
