//! Work shared out among threads, an item at a time; who finds none left is free to help the others.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::search::ENOUGH;

/// Threads that have nothing to do, and may help others.
#[derive(Debug)]
pub struct Hands {
    idle: AtomicUsize,
    /// A search of so many states is worth it.
    pub(crate) worth: usize,
}

impl Hands {
    /// So many threads, all of them idle but the one that calls.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self { idle: AtomicUsize::new(threads.saturating_sub(1)), worth: ENOUGH }
    }

    /// The thread that calls is the only one.
    #[must_use]
    pub fn none() -> Self {
        Self::new(1)
    }

    /// Takes one for a search of so many states, if there is one and it is worth it.
    pub fn take(&self, states: usize) -> bool {
        let fewer = |idle: usize| idle.checked_sub(1);
        states > self.worth && self.idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).is_ok()
    }

    /// A thread has nothing to do any more.
    pub fn give_back(&self) {
        self.idle.fetch_add(1, Ordering::Relaxed);
    }
}

/// Hands every item, with its number, to the worker of some thread, until one of them breaks off. Who finds none left is
/// idle.
pub fn share_out<T, W: FnMut(u64, T) -> ControlFlow<()>>(
    items: impl Iterator<Item = T> + Send,
    hands: &Hands,
    worker: impl Fn() -> W + Sync,
) {
    let queue = Mutex::new(Some((0..).zip(items)));
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut worker = worker();
        loop {
            let next = lock().as_mut().and_then(Iterator::next);
            let Some((number, item)) = next else { break };
            if worker(number, item).is_break() {
                *lock() = None;
                break;
            }
        }
        hands.give_back();
    };
    #[expect(clippy::disallowed_methods, reason = "what comes out does not depend on which thread finds it")]
    thread::scope(|scope| {
        for _ in 0..hands.idle.swap(0, Ordering::Relaxed) {
            scope.spawn(work);
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_handed_out_once_and_none_after_a_break() {
        let seen = Mutex::new(vec![]);
        share_out(0..100, &Hands::new(3), || {
            |number: u64, item: u64| {
                seen.lock().unwrap().push((number, item));
                ControlFlow::Continue(())
            }
        });
        let mut all = seen.into_inner().unwrap();
        all.sort_unstable();
        assert!(all.into_iter().eq((0..100).map(|item| (item, item))));
        let count = Mutex::new(0);
        share_out(0..100, &Hands::none(), || {
            |number, _| {
                *count.lock().unwrap() += 1;
                if number == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        });
        assert_eq!(count.into_inner().unwrap(), 5);
    }
}
