//! Work shared out among threads, an item at a time.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Hands every item, with its number, to the worker of some thread, until one of them breaks off.
pub fn share_out<T, W: FnMut(u64, T) -> ControlFlow<()>>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    worker: impl Fn() -> W + Sync,
) {
    let queue = Mutex::new(Some((0..).zip(items)));
    let lock = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut worker = worker();
        loop {
            let next = lock().as_mut().and_then(Iterator::next);
            let Some((number, item)) = next else { return };
            if worker(number, item).is_break() {
                *lock() = None;
                return;
            }
        }
    };
    #[expect(clippy::disallowed_methods, reason = "what comes out does not depend on which thread finds it")]
    thread::scope(|scope| {
        for _ in 1..threads {
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
        share_out(0..100, 3, || {
            |number: u64, item: u64| {
                seen.lock().unwrap().push((number, item));
                ControlFlow::Continue(())
            }
        });
        let mut all = seen.into_inner().unwrap();
        all.sort_unstable();
        assert!(all.into_iter().eq((0..100).map(|item| (item, item))));
        let count = Mutex::new(0);
        share_out(0..100, 1, || {
            |number, _| {
                *count.lock().unwrap() += 1;
                if number == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        });
        assert_eq!(count.into_inner().unwrap(), 5);
    }
}
