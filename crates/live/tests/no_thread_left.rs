//! The only test in its process, because it counts the threads.

#![cfg(target_os = "linux")]

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bellwether_algorithms::ring::ChangRoberts;
use bellwether_live::ring::{Happening, RingSettings, RingTiming, WorkerRing};
use bellwether_world::initiators::Initiators;

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn a_ring_that_is_dropped_leaves_no_thread() {
    let before = threads();
    let timing = RingTiming { wait: Duration::from_millis(25), worker_sleep: Duration::ZERO };
    for seed in 0..20 {
        let mut ring =
            WorkerRing::<ChangRoberts>::new(RingSettings { size: 50, seed, timing }, Arc::new(|_| ())).unwrap();
        assert!(threads() > 50);
        ring.start(&Initiators::All);
        ring.stop(seed as usize).unwrap();
        if seed % 2 == 0 {
            assert!(matches!(ring.wait(None), Happening::Agreed(_)));
            ring.restart(seed as usize).unwrap();
        }
        // Dropped here, in the middle of an election.
    }
    // The system may list a joined thread for a moment longer.
    let end = Instant::now() + Duration::from_secs(10);
    while threads() > before && Instant::now() < end {
        thread::yield_now();
    }
    assert_eq!(threads(), before);
}
