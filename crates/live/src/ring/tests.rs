//! Tests that need the inside of a ring: copies of letters, put on desks by hand.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bellwether_algorithms::ring::{ChangRoberts, Franklin};
use bellwether_core::{Id, Process, Stamped};
use bellwether_world::initiators::Initiators;

use super::common::Common;
use super::letter::Letter;
use super::{Error, Happening, Held, RingSettings, RingTiming, WorkerRing};

type Msg = <ChangRoberts as Process>::Msg;

fn agreed(ring: &mut WorkerRing<ChangRoberts>) -> Held {
    match ring.wait(Some(Instant::now() + Duration::from_secs(60))) {
        Happening::Agreed(held) => held,
        other => panic!("no agreement: {other:?}"),
    }
}

/// Every message of an election arrives once more, at every worker, after its end or in a later election.
#[test]
fn duplicates_are_harmless() {
    let timing = RingTiming { wait: Duration::from_secs(20), worker_sleep: Duration::ZERO };
    let settings = RingSettings { size: 5, seed: 1, timing };
    let mut ring = WorkerRing::<ChangRoberts>::new(settings, Arc::new(|_| ())).unwrap();
    for _ in 0..50 {
        ring.start(&Initiators::One);
        let held = agreed(&mut ring);
        let copies = ring.ids().iter().map(|&id| Msg::Elect(id)).chain([Msg::Announce(held.id)]);
        for (message, to) in copies.zip((0..5).cycle()).collect::<Vec<_>>() {
            let Common { desks, flights, .. } = &**ring.common();
            let stamped = |election| Stamped::Of(election, message.clone());
            let copy = |election| Letter { message: stamped(election), origin: to, flight: flights.begin() };
            for election in [held.number, held.number - 1] {
                // No worker hands over anything now, so this offer can be in any worker's name.
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
    let timing = RingTiming { wait: Duration::from_secs(20), worker_sleep: Duration::ZERO };
    let settings = |size| RingSettings { size, seed: 1, timing };
    let refused = WorkerRing::<Franklin>::new(settings(3), Arc::new(|_| ()));
    assert!(matches!(refused, Err(Error::Misfit(info)) if info.name == "franklin"));
    assert!(matches!(WorkerRing::<ChangRoberts>::new(settings(0), Arc::new(|_| ())), Err(Error::Empty)));
}
