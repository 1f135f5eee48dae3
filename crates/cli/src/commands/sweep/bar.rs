//! The progress bar of a sweep.

use std::fmt;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bellwether_console::progress::{self, Notice};
use bellwether_measure::{Attention, Item, Plan};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// A bar on a terminal, or a line on standard error now and then. Ctrl-C stops the sweep.
pub struct Bar {
    bar: Option<ProgressBar>,
    notice: Mutex<Notice>,
    /// The runs that have begun, and how many there are.
    begun: AtomicUsize,
    all: usize,
}

impl Bar {
    /// A bar for these runs. The first `done` of them are done already.
    pub fn new(plan: &Plan, numbers: impl Iterator<Item = u64> + Clone, done: usize) -> Self {
        let all = numbers.clone().count();
        Self { bar: bar(plan, numbers, done), notice: Mutex::default(), begun: done.into(), all }
    }
}

impl Attention for Bar {
    fn begins(&self, item: Item<'_>) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.bar.iter().for_each(|bar| bar.set_message(item.to_string()));
    }

    fn works(&self, events: u64) {
        self.bar.iter().for_each(|bar| bar.inc(events));
        // Another thread may be telling it.
        if let Ok(mut notice) = self.notice.try_lock() {
            notice.tell(|| format!("run {} of {}", self.begun.load(Ordering::Relaxed), self.all));
        }
    }

    fn stops(&self) -> bool {
        progress::was_interrupted()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// A bar on a terminal, which begins with the runs done already.
fn bar(plan: &Plan, numbers: impl Iterator<Item = u64> + Clone, done: usize) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() || numbers.clone().nth(done).is_none() {
        return None;
    }
    let (mut before, mut all) = (0, 0u64);
    for (place, number) in numbers.enumerate() {
        before = if place == done { all } else { before };
        all = all.saturating_add(plan.item(number).cell.weight());
    }
    let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        if let Some(left) = left(state.elapsed(), state.pos().saturating_sub(before), all - before) {
            let _ = write!(out, "about {:#} left, ", HumanDuration(left));
        }
    };
    // The name of the current run takes the rest of the line.
    let style = ProgressStyle::with_template("{bar:20} {percent} %, {left}{wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left);
    let bar = ProgressBar::new(all).with_style(style).with_position(before);
    bar.enable_steady_tick(Duration::from_millis(200));
    Some(bar)
}

/// The estimated time for the rest; `None` in the first seconds.
fn left(elapsed: Duration, done: u64, all: u64) -> Option<Duration> {
    const LITTLE: Duration = Duration::from_secs(2);
    let rest = all.saturating_sub(done) as f64 / done as f64;
    (elapsed >= LITTLE && done > 0).then(|| elapsed.mul_f64(rest.min(1e6)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_when_something_is_known() {
        let seconds = Duration::from_secs;
        assert_eq!(left(seconds(1), 10, 100), None);
        assert_eq!(left(seconds(9), 0, 100), None);
        assert_eq!(left(seconds(10), 25, 100), Some(seconds(30)));
        assert_eq!(left(seconds(10), 100, 100), Some(seconds(0)));
    }
}
