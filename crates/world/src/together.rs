//! Work on what is large, shared out among the processor's cores. What comes of it is the same with any number of them.

use std::iter;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Does all of these, some of them at the same time.
#[expect(clippy::disallowed_methods, reason = "nobody can tell from the result that there were threads")]
pub(crate) fn all<T: FnOnce() + Send>(tasks: Vec<T>) {
    if tasks.len() < 2 {
        return tasks.into_iter().for_each(|task| task());
    }
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let helpers = cores.min(tasks.len()) - 1;
    let tasks = Mutex::new(tasks.into_iter());
    let take = || tasks.lock().expect("nobody panics who holds it").next();
    let work = || iter::from_fn(take).for_each(|task| task());
    thread::scope(|scope| {
        for _ in 0..helpers {
            // Where there can be no more threads, fewer do it all.
            _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}
