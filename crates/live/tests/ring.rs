//! Rings of real threads: after any stops, pauses and restarts, all living workers agree on the largest living id.
//!
//! The tests wait for conditions. Times only say how soon a silent neighbour counts as failed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use bellwether_algorithms::ring::ChangRoberts;
use bellwether_live::ring::{
    Error, Happening, Held, Observer, RingEvent, RingSettings, RingTiming, Why, Wish, WorkerRing,
};
use bellwether_random::{Purpose, Stream};
use bellwether_world::initiators::Initiators;

/// Long enough for any thread to get its turn on a busy machine.
const PATIENT: Duration = Duration::from_secs(20);
/// Short, because a worker is about to fail. A worker that is suspected without reason comes back.
const HASTY: Duration = Duration::from_millis(25);

fn settings(size: u32, wait: Duration) -> RingSettings {
    RingSettings { size, seed: 1, timing: RingTiming { wait, worker_sleep: Duration::ZERO } }
}

fn ring(size: u32, wait: Duration) -> WorkerRing<ChangRoberts> {
    WorkerRing::new(settings(size, wait), Arc::new(|_| ())).unwrap()
}

/// A ring, and its events, each as a line.
fn watched(size: u32, wait: Duration) -> (WorkerRing<ChangRoberts>, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let observer: Observer = Arc::new({
        let seen = Arc::clone(&seen);
        move |event: &RingEvent<'_>| seen.lock().unwrap().push(format!("{event:?}"))
    });
    (WorkerRing::new(settings(size, wait), observer).unwrap(), seen)
}

/// Waits until all agree, and checks that the leader has the largest living id.
fn agreed(ring: &mut WorkerRing<ChangRoberts>) -> Held {
    match ring.wait(Some(Instant::now() + Duration::from_secs(60))) {
        Happening::Agreed(held) => {
            let largest = ring.living().into_iter().max_by_key(|&worker| ring.ids()[worker]).unwrap();
            assert_eq!(held.leader, largest, "{held:?}");
            assert_eq!(ring.leader(), Some(largest));
            held
        }
        other => panic!("no agreement: {other:?}"),
    }
}

fn elected(ring: &mut WorkerRing<ChangRoberts>, initiators: &Initiators) -> Held {
    ring.start(initiators);
    agreed(ring)
}

/// Every offer is answered or comes back. Valid only if nothing is under way, as after an agreement.
fn assert_nothing_lost(ring: &WorkerRing<ChangRoberts>) {
    let traffic = ring.traffic();
    assert_eq!(traffic.offered, traffic.messages() + traffic.returned, "{traffic:?}");
}

#[test]
fn the_smallest_rings_elect_with_the_messages_of_the_book() {
    for size in 1..=3 {
        let mut ring = ring(size as u32, PATIENT);
        let kinds = |held: &Held| held.traffic.kinds.iter().map(|&(_, count)| count).collect::<Vec<_>>();
        // A worker that a larger id reaches before its start is not a candidate. So only the range is certain.
        let [elect, announce] = kinds(&elected(&mut ring, &Initiators::All))[..] else { panic!("two kinds") };
        assert!((size..=size * (size + 1) / 2).contains(&elect) && announce == size, "{elect}, {announce}");
        let held = elected(&mut ring, &Initiators::One);
        assert_eq!(kinds(&held), [size + held.leader as u64, size]);
        assert_eq!((held.number, held.attempts, held.living), (2, 1, size as usize));
    }
}

#[test]
fn elections_follow_each_other_without_a_suspicion_whoever_starts() {
    let mut ring = ring(40, PATIENT);
    for _ in 0..50 {
        for initiators in [Initiators::All, Initiators::One, Initiators::Random(3)] {
            let held = elected(&mut ring, &initiators);
            assert_eq!((held.traffic.returned, held.traffic.skipped, held.traffic.retired), (0, 0, 0));
            assert_eq!(held.attempts, 1);
            assert_eq!(held.traffic.kinds[1], ("announce", 40));
        }
    }
    assert_nothing_lost(&ring);
}

#[test]
fn everybody_starts_at_once_and_nobody_is_suspected() {
    let (mut ring, seen) = watched(200, PATIENT);
    for _ in 0..5 {
        elected(&mut ring, &Initiators::All);
    }
    assert!(!seen.lock().unwrap().iter().any(|event| event.starts_with("Suspected")));
}

#[test]
fn a_stopped_leader_is_passed_over_and_the_next_largest_leads() {
    let (mut ring, seen) = watched(5, HASTY);
    let first = elected(&mut ring, &Initiators::One);
    ring.stop(first.leader).unwrap();
    assert!(ring.leader().is_none() && !ring.is_electing());
    let second = elected(&mut ring, &Initiators::One);
    assert!(second.id < first.id && second.living == 4 && second.traffic.skipped > 0, "{second:?}");
    assert!(seen.lock().unwrap().iter().any(|event| event.starts_with("Suspected")));
    ring.restart(first.leader).unwrap();
    // No election is requested: a worker that comes back begins one.
    let third = agreed(&mut ring);
    assert_eq!((third.id, third.living, third.initiators.len()), (first.id, 5, 0));
    assert_nothing_lost(&ring);
}

#[test]
fn a_candidature_whose_owner_is_gone_is_retired() {
    let largest = {
        let ring = ring(6, HASTY);
        (0..6).max_by_key(|&worker| ring.ids()[worker]).unwrap()
    };
    // The worker that takes the largest candidature holds it until its owner is gone.
    let (is_taken, taken) = mpsc::channel();
    let (go_on, gate) = mpsc::channel::<()>();
    let gate = Mutex::new(Some((is_taken, gate)));
    let retired = Arc::new(AtomicU64::new(0));
    let observer: Observer = Arc::new({
        let retired = Arc::clone(&retired);
        move |event: &RingEvent<'_>| match event {
            RingEvent::HandedOver { from, .. } if *from == largest => {
                if let Some((is_taken, gate)) = gate.lock().unwrap().take() {
                    is_taken.send(()).unwrap();
                    gate.recv().unwrap();
                }
            }
            RingEvent::Retired { owner, .. } if *owner == largest => {
                retired.fetch_add(1, Ordering::SeqCst);
            }
            _ => {}
        }
    });
    let mut ring = WorkerRing::<ChangRoberts>::new(settings(6, HASTY), observer).unwrap();
    ring.start(&Initiators::List(vec![largest.to_string()]));
    taken.recv().unwrap();
    ring.stop(largest).unwrap();
    go_on.send(()).unwrap();
    let held = agreed(&mut ring);
    assert_eq!(retired.load(Ordering::SeqCst), 1);
    assert!(held.attempts >= 2 && held.living == 5, "{held:?}");
    assert_nothing_lost(&ring);
}

#[test]
fn what_a_stopped_worker_held_is_lost_and_somebody_loses_patience() {
    // A worker that is to rest, but still offers a letter, holds what it takes meanwhile. If it hands it on before it
    // is stopped, the test tries again.
    let timing = RingTiming { wait: Duration::from_millis(200), worker_sleep: Duration::from_millis(1) };
    for seed in 1.. {
        let (is_taken, taken) = mpsc::channel();
        let impatient = Arc::new(AtomicU64::new(0));
        let observer: Observer = Arc::new({
            let impatient = Arc::clone(&impatient);
            move |event: &RingEvent<'_>| match event {
                RingEvent::HandedOver { to, .. } => is_taken.send(*to).unwrap_or_default(),
                RingEvent::Began { why: Why::Impatient, .. } => {
                    impatient.fetch_add(1, Ordering::SeqCst);
                }
                _ => {}
            }
        });
        let mut ring = WorkerRing::<ChangRoberts>::new(RingSettings { size: 3, seed, timing }, observer).unwrap();
        ring.pause(1, Duration::from_millis(100)).unwrap();
        ring.start(&"0,2".parse().unwrap());
        // Worker 0 takes the letter of worker 2 while its own lies on the desk of worker 1.
        while taken.recv().unwrap() != 0 {}
        ring.stop(0).unwrap();
        agreed(&mut ring);
        if impatient.load(Ordering::SeqCst) > 0 {
            return;
        }
    }
}

#[test]
fn a_worker_that_rests_longer_than_the_wait_is_suspected_and_survives_it() {
    let (wait, worker_sleep) = (Duration::from_millis(5), Duration::from_millis(20));
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let events = Arc::clone(&seen);
    let observer = Arc::new(move |event: &RingEvent<'_>| events.lock().unwrap().push(format!("{event:?}")));
    let settings = RingSettings { size: 5, seed: 1, timing: RingTiming { wait, worker_sleep } };
    let mut ring = WorkerRing::<ChangRoberts>::new(settings, observer).unwrap();
    for _ in 0..3 {
        let held = elected(&mut ring, &Initiators::One);
        assert_eq!(held.living, 5, "{held:?}");
    }
    let seen = seen.lock().unwrap();
    let count = |name: &str| seen.iter().filter(|event| event.starts_with(name)).count();
    assert!(count("Suspected") > 0 && count("Trusted") > 0, "{seen:?}");
    // The time that is given doubles, so not all are suspected again and again.
    assert!(seen.iter().any(|event| event.starts_with("Trusted") && event.ends_with("wait: 10ms }")), "{seen:?}");
    assert_nothing_lost(&ring);
}

#[test]
fn a_paused_worker_is_passed_over_and_agrees_when_it_is_back() {
    let (mut ring, seen) = watched(4, HASTY);
    let first = elected(&mut ring, &Initiators::One);
    ring.pause(first.leader, 6 * HASTY).unwrap();
    let second = elected(&mut ring, &Initiators::All);
    assert_eq!(second.id, first.id);
    let seen = seen.lock().unwrap();
    assert!(seen.iter().any(|event| event.contains("why: PassedOver")), "{seen:#?}");
}

#[test]
fn the_last_worker_hands_letters_to_itself() {
    let mut ring = ring(3, HASTY);
    ring.stop(0).unwrap();
    ring.stop(2).unwrap();
    assert_eq!(elected(&mut ring, &Initiators::All).leader, 1);
    assert!(matches!(ring.stop(1), Err(Error::Last(1))));
    assert!(matches!(ring.stop(0), Err(Error::Stopped(0))));
    assert!(matches!(ring.pause(2, HASTY), Err(Error::Stopped(2))));
    assert!(matches!(ring.restart(1), Err(Error::Runs(1))));
}

#[test]
fn an_election_whose_initiator_is_gone_is_started_again() {
    for _ in 0..20 {
        let mut ring = ring(4, HASTY);
        ring.start(&Initiators::One);
        ring.stop(0).unwrap();
        assert_eq!(agreed(&mut ring).living, 3);
    }
}

#[test]
fn a_wish_wakes_the_ring() {
    let mut ring = ring(2, PATIENT);
    let remote = ring.remote();
    let user = thread::spawn(move || remote.wish(Wish::Elect));
    assert!(matches!(ring.wait(None), Happening::Wished(Wish::Elect)));
    user.join().unwrap();
    assert!(matches!(ring.wait(Some(Instant::now())), Happening::TimeIsUp));
}

#[test]
fn a_worker_that_is_lost_is_told_and_the_others_go_on() {
    let lost = Arc::new(AtomicU64::new(u64::MAX));
    let observer: Observer = Arc::new({
        let lost = Arc::clone(&lost);
        move |event: &RingEvent<'_>| match event {
            RingEvent::Joined { worker: 1, .. } => panic!("a fault of worker 1, on purpose"),
            RingEvent::Lost { worker } => lost.store(*worker as u64, Ordering::SeqCst),
            _ => {}
        }
    });
    let mut ring = WorkerRing::<ChangRoberts>::new(settings(4, HASTY), observer).unwrap();
    assert_eq!(elected(&mut ring, &Initiators::One).living, 3);
    assert_eq!(lost.load(Ordering::SeqCst), 1);
}

/// Something random happens to a random worker.
fn disturb(ring: &mut WorkerRing<ChangRoberts>, chance: &mut Stream) {
    let size = ring.ids().len() as u64;
    let worker = chance.below(size) as usize;
    // Refused where it makes no sense: for a worker that is stopped, or the last one.
    let _ = match chance.below(8) {
        0 | 1 => ring.stop(worker),
        2 | 3 => ring.restart(worker),
        4 => ring.pause(worker, Duration::from_millis(chance.below(60))),
        _ => Ok(()),
    };
}

fn many_elections(seed: u64, elections: u64) {
    let mut chance = Stream::new(seed, Purpose::Faults);
    let size = 2 + chance.below(9) as u32;
    let mut ring =
        WorkerRing::<ChangRoberts>::new(RingSettings { seed, ..settings(size, HASTY) }, Arc::new(|_| ())).unwrap();
    for _ in 0..elections {
        let initiators = [Initiators::All, Initiators::One, Initiators::Random(2)];
        disturb(&mut ring, &mut chance);
        ring.start(&initiators[chance.below(3) as usize]);
        (0..chance.below(300)).for_each(|_| thread::yield_now());
        disturb(&mut ring, &mut chance);
        agreed(&mut ring);
        assert_nothing_lost(&ring);
    }
}

#[test]
fn thousands_of_elections_survive_stops_pauses_and_restarts() {
    const RINGS: u64 = 16;
    let rings: Vec<_> = (0..RINGS).map(|seed| thread::spawn(move || many_elections(seed, 150))).collect();
    for ring in rings {
        ring.join().unwrap();
    }
}
