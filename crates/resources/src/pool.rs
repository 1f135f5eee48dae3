//! Work shared out among threads, one item at a time. The result does not depend on the number of threads.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many threads this machine runs at the same time.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Threads that have nothing to do and may help others.
#[derive(Debug)]
pub struct IdleThreads {
    idle: AtomicUsize,
    /// Tasks up to this size get no helper.
    least_task: usize,
}

impl IdleThreads {
    /// A pool of this number of threads. All of them are idle except the calling thread.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self { idle: AtomicUsize::new(threads.saturating_sub(1)), least_task: 0 }
    }

    /// A pool with the calling thread only.
    #[must_use]
    pub fn none() -> Self {
        Self::new(1)
    }

    /// The same threads, for tasks of more than this size only.
    #[must_use]
    pub fn for_more_than(self, least_task: usize) -> Self {
        Self { least_task, ..self }
    }

    /// Takes an idle thread for a task of this size, if there is one and the task is large enough.
    pub fn take(&self, task: usize) -> bool {
        let fewer = |idle: usize| idle.checked_sub(1);
        task > self.least_task && self.idle.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).is_ok()
    }

    /// A thread has become idle.
    pub fn give_back(&self) {
        self.idle.fetch_add(1, Ordering::Relaxed);
    }
}

/// Hands every item, with its number, to the worker of some thread, until a worker breaks off. A thread that gets no
/// more items becomes idle.
pub fn share_out<T, W: FnMut(u64, T) -> ControlFlow<()>>(
    items: impl Iterator<Item = T> + Send,
    threads: &IdleThreads,
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
        threads.give_back();
    };
    thread::scope(|scope| {
        for _ in 0..threads.idle.swap(0, Ordering::Relaxed) {
            // If the system starts no more threads, fewer do all the work.
            _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

/// Does all tasks, on as many cores as there are.
pub fn all<T: FnOnce() + Send>(tasks: Vec<T>) {
    let threads = IdleThreads::new(cores().min(tasks.len()));
    share_out(tasks.into_iter(), &threads, || {
        |_, task: T| {
            task();
            ControlFlow::Continue(())
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_handed_out_once_and_none_after_a_break() {
        let seen = Mutex::new(vec![]);
        share_out(0..100, &IdleThreads::new(3), || {
            |number: u64, item: u64| {
                seen.lock().unwrap().push((number, item));
                ControlFlow::Continue(())
            }
        });
        let mut all = seen.into_inner().unwrap();
        all.sort_unstable();
        assert!(all.into_iter().eq((0..100).map(|item| (item, item))));
        let count = Mutex::new(0);
        share_out(0..100, &IdleThreads::none(), || {
            |number, _| {
                *count.lock().unwrap() += 1;
                if number == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        });
        assert_eq!(count.into_inner().unwrap(), 5);
    }
}
