//! Runs a search with a progress line on a terminal. It stops on Ctrl-C and when its time is up.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use bellwether_ask::Microseconds;
use bellwether_check::layout::MOST_NODES;
use bellwether_check::ledger::{Glance, Ledger};
use bellwether_console::progress;
use bellwether_net::Wiring;
use bellwether_resources::pool;
use bellwether_tell::family;
use bellwether_world::Family;
use indicatif::{HumanBytes, HumanCount, HumanDuration};

use super::args::BudgetArgs;

/// How often the search is observed.
const GLANCE: Duration = Duration::from_millis(100);

/// The effort of a search: its time, and what it has seen, even if it was stopped.
pub struct Effort {
    /// How long it took.
    pub took: Duration,
    /// What it has seen.
    pub seen: Glance,
}

/// Runs a search. Returns its result and its effort.
pub fn search<T: Send>(
    budget: &BudgetArgs,
    configurations: u128,
    work: impl FnOnce(&Ledger) -> T + Send,
) -> (T, Effort) {
    progress::stop_cleanly_on_request();
    let ledger = Ledger::new(budget.memory.0);
    let begun = Instant::now();
    let before_search = resident();
    let bar = std::io::stderr().is_terminal().then(progress::spinner);
    let mut notice = progress::Notice::default();
    let (done, is_done) = mpsc::channel();
    let result = thread::scope(|scope| {
        // The sender is dropped with the work: after a panic the loop below ends as well.
        let watched = &ledger;
        let searching = scope.spawn(move || {
            let result = work(watched);
            let _ = done.send(());
            result
        });
        let (mut before, mut since) = (Glance::default(), begun);
        while is_done.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
            let late = budget.time.is_some_and(|time| begun.elapsed() > Duration::from_micros(time.0));
            if late || progress::was_interrupted() {
                ledger.stop();
            }
            // A search counts its states only. The memory of processes and messages is only known from the whole
            // process.
            if resident().saturating_sub(before_search) > budget.memory.0 {
                ledger.fill();
            }
            let now = ledger.glance();
            let rate = (now.states - before.states) as f64 / since.elapsed().as_secs_f64();
            let shown = || line(now, rate as u64, configurations, begun.elapsed());
            if let Some(bar) = &bar {
                bar.set_message(shown());
                bar.tick();
            }
            notice.tell(shown);
            (before, since) = (now, Instant::now());
        }
        searching.join()
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    match result {
        Ok(result) => (result, Effort { took: begun.elapsed(), seen: ledger.glance() }),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The resident memory of the process in bytes, if the system tells it.
fn resident() -> u64 {
    memory_stats::memory_stats().map_or(0, |memory| memory.physical_mem as u64)
}

/// The progress of a search: the configurations done, and the states of the current one.
fn line(glance: Glance, rate: u64, configurations: u128, elapsed: Duration) -> String {
    let Glance { states, depth, frontier, bytes, configurations: done, .. } = glance;
    let mut parts = vec![];
    if configurations > 1 {
        parts.push(format!("{} of {} configurations", HumanCount(done), family::in_words(configurations)));
        parts.extend(left(done, configurations, elapsed).map(|left| format!("about {} left", HumanDuration(left))));
    }
    if states > 0 {
        parts.push(format!("{} states, {}/s", HumanCount(states), HumanCount(rate)));
        parts.push(format!("depth {}, {} ahead", HumanCount(depth), HumanCount(frontier)));
        parts.push(HumanBytes(bytes).to_string());
    }
    parts.join(", ")
}

/// The estimated time for the rest; `None` before the first configuration is done.
fn left(done: u64, configurations: u128, elapsed: Duration) -> Option<Duration> {
    let ahead = configurations.saturating_sub(done.into()) as f64;
    let seconds = elapsed.as_secs_f64() * ahead / done as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The number of threads of a search.
pub fn threads(budget: &BudgetArgs) -> usize {
    budget.threads.map_or_else(pool::cores, |threads| threads as usize)
}

/// More configurations take an hour and more.
const TOO_MANY: u128 = 1_000_000_000;
/// This number takes some minutes.
const FEASIBLE: u128 = 100_000_000;

/// Refuses networks that are too large for a search.
pub fn refuse_too_large(family: &Family) -> Result<(), String> {
    match family.members.iter().map(|member| member.network.nodes()).find(|nodes| *nodes > MOST_NODES) {
        Some(nodes) => Err(format!(
            "{nodes} nodes have more schedules than anybody could follow: take at most {MOST_NODES}, and better 3 to 8"
        )),
        None => Ok(()),
    }
}

/// Refuses work that would take hours or years, unless its time is limited.
pub fn refuse_too_many(time: Option<Microseconds>, family: &Family) -> Result<(), String> {
    let count = family.count();
    if time.is_some() || count <= TOO_MANY {
        return Ok(());
    }
    let nodes = family.members.iter().map(|member| member.network.nodes()).max().unwrap_or_default();
    // With one node less there are fewer orders by this factor.
    let feasible = (1..=nodes)
        .rev()
        .try_fold(count, |count, nodes| if count <= FEASIBLE { Err(nodes) } else { Ok(count / u128::from(nodes)) });
    let feasible = feasible.err().unwrap_or(1);
    let count = family::in_words(count);
    Err(format!(
        "{nodes} nodes have {count} configurations, too many to follow: some {feasible} nodes are feasible; --time 1m \
         stops in time, --ids 3,1,2 takes one order, and 'bellwether sweep' samples them"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_moves_is_shown_and_fits_a_terminal() {
        let runs = Glance { configurations: 494_940, ..Glance::default() };
        let line = |glance, count| line(glance, 1_500_000, count, Duration::from_secs(10));
        assert_eq!(line(runs, 479_001_600), "494,940 of 479,001,600 configurations, about 3 hours left");
        assert_eq!(line(Glance::default(), 479_001_600), "0 of 479,001,600 configurations");
        let states =
            Glance { states: 123_456_789, depth: 1_234, frontier: 56_789, bytes: 5 << 30, ..Glance::default() };
        let one = "123,456,789 states, 1,500,000/s, depth 1,234, 56,789 ahead, 5.00 GiB";
        assert_eq!(line(states, 1), one);
    }
}
