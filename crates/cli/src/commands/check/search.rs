//! A search with somebody looking on: a progress line on a terminal, a stop on Ctrl-C and when time is up.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use bellwether_check::ledger::{Glance, Ledger};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

use super::args::BudgetArgs;
use crate::progress;

/// How often somebody looks.
const GLANCE: Duration = Duration::from_millis(100);

/// What a search took: time, and how much it has seen even if it was stopped.
pub struct Effort {
    /// How long it took.
    pub took: Duration,
    /// What it has seen.
    pub seen: Glance,
}

/// Searches, and tells what it took.
pub fn search<T: Send>(
    budget: &BudgetArgs,
    configurations: u128,
    work: impl FnOnce(&Ledger) -> T + Send,
) -> (T, Effort) {
    progress::stop_cleanly_on_request();
    let ledger = Ledger::new(budget.memory.0);
    let begun = Instant::now();
    let before_search = resident();
    let bar = std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{spinner} {msg}");
        ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    });
    let (done, is_done) = mpsc::channel();
    let result = thread::scope(|scope| {
        // The sender goes with the work: if that panics, nobody waits for it.
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
            // Searches count their states; what processes and messages hold beside is only seen from outside.
            if resident().saturating_sub(before_search) > budget.memory.0 {
                ledger.fill();
            }
            if let Some(bar) = &bar {
                let now = ledger.glance();
                let rate = (now.states - before.states) as f64 / since.elapsed().as_secs_f64();
                bar.set_message(line(now, rate, configurations));
                bar.tick();
                (before, since) = (now, Instant::now());
            }
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

/// The bytes that the process takes, where the system tells.
fn resident() -> u64 {
    memory_stats::memory_stats().map_or(0, |memory| memory.physical_mem as u64)
}

fn line(glance: Glance, rate: f64, configurations: u128) -> String {
    let Glance { states, depth, frontier, bytes, configurations: done, .. } = glance;
    let of = if configurations > 1 {
        format!("configuration {} of {configurations}, ", HumanCount(done + 1))
    } else {
        String::new()
    };
    format!(
        "{of}{} states, {}/s, depth {}, {} ahead, {}",
        HumanCount(states),
        HumanCount(rate as u64),
        HumanCount(depth),
        HumanCount(frontier),
        HumanBytes(bytes)
    )
}

/// The part of a line that repeats a search which says how much it may take.
pub fn repeated(budget: &BudgetArgs) -> Vec<String> {
    let memory = (budget.memory != BudgetArgs::MEMORY).then(|| format!("--memory {}", budget.memory));
    memory.into_iter().chain(budget.time.map(|time| format!("--time {time}"))).collect()
}

/// On how many threads to search.
pub fn threads(budget: &BudgetArgs) -> usize {
    let cores = || thread::available_parallelism().map_or(1, std::num::NonZero::get);
    budget.threads.map_or_else(cores, |threads| threads as usize)
}
