//! A simulated run, simulated again beside its trace.

use std::cell::RefCell;

use bellwether_world::host::{Error, Now, Watch, Wishes};
use bellwether_world::trace::{Ending, Event, Line};
use bellwether_world::{Report, Scenario};

use super::step::{compare, has_its_fields};
use super::{Failure, Lines};

/// Plays a scenario and compares each event with the trace.
pub(super) fn play(
    scenario: &Scenario,
    lines: &mut Lines<'_>,
    play: impl FnOnce(Wishes<'_>) -> Result<Report, Error>,
) -> Result<Report, Failure> {
    let trace = Trace { lines, scenario, number: 1, next: None, failure: None };
    let trace = RefCell::new(trace);
    let mut record = |event: Event| trace.borrow_mut().compare(&event);
    let mut watch = Attention(&trace);
    let wishes = Wishes { record: Some(&mut record), phases: true, ..Wishes::none(&mut watch) };
    let report = play(wishes).map_err(Failure::Impossible)?;
    trace.into_inner().end(&report)?;
    Ok(report)
}

/// A trace that is being read.
struct Trace<'a, 'b> {
    lines: &'a mut Lines<'b>,
    scenario: &'a Scenario,
    /// The number of the line read last.
    number: u64,
    /// A line that was read, but not compared yet.
    next: Option<Line>,
    failure: Option<Failure>,
}

impl Trace<'_, '_> {
    fn look(&mut self) -> Option<&Line> {
        if self.next.is_none() && self.failure.is_none() {
            self.number += 1;
            match (self.lines)() {
                Ok(Some(line)) => self.next = Some(line),
                Ok(None) => self.failure = Some(Failure::Unreadable("the trace has no ending".into())),
                Err(error) => self.failure = Some(Failure::Unreadable(error)),
            }
        }
        self.next.as_ref()
    }

    fn compare(&mut self, event: &Event) {
        self.look();
        let told = match self.next.take() {
            None => return,
            Some(Line::Event(told)) if *told == *event || event.is_told_by(&told) => return,
            Some(Line::Event(told)) => told,
            Some(Line::Ending(_)) => {
                return self.diverge(format!("{}; the trace says: the run is over", self.words(event)));
            }
        };
        let [happens, tells] = [event, &told].map(|event| self.words(event));
        // What the sentence does not tell: ports, numbers, rules and variables.
        let unsaid = compare(event, &told).and(has_its_fields(&told)).err().filter(|_| happens == tells);
        let what = unsaid.unwrap_or_else(|| format!("{happens}; the trace says: {tells}"));
        self.diverge(what);
    }

    fn words(&self, event: &Event) -> String {
        let network = &self.scenario.topology;
        format!("t={} {}", event.t, event.sentence(network, None))
    }

    fn diverge(&mut self, what: String) {
        let number = self.number;
        self.failure.get_or_insert_with(|| Failure::Diverges(format!("line {number}: {what}")));
    }

    /// Whether the run should stop: it differs from the trace, or the trace says that it was interrupted here.
    fn is_over(&mut self) -> bool {
        let interrupted = matches!(self.look(), Some(Line::Ending(ending)) if ending.interrupted);
        interrupted || self.failure.is_some()
    }

    /// The run is over. The trace must be over, too.
    fn end(mut self, report: &Report) -> Result<(), Failure> {
        self.look();
        match self.next.take() {
            Some(Line::Event(told)) => self.diverge(format!("the run is over; the trace says: {}", self.words(&told))),
            Some(Line::Ending(told)) if told == Ending::new(self.scenario, report) => {
                // Nothing may follow, and only the reader can tell that.
                if let Err(error) = (self.lines)() {
                    self.failure = Some(Failure::Unreadable(error));
                }
            }
            Some(Line::Ending(told)) => {
                let json = |ending: &Ending| serde_json::to_string(ending).expect("plain data has a JSON form");
                let (ends, told) = (json(&Ending::new(self.scenario, report)), json(&told));
                self.diverge(format!("the run ends with {ends}; the trace says: {told}"));
            }
            None => {}
        }
        self.failure.map_or(Ok(()), Err)
    }
}

/// Looks at the trace from time to time: the original run may have been interrupted.
struct Attention<'t, 'a, 'b>(&'t RefCell<Trace<'a, 'b>>);

impl Watch for Attention<'_, '_, '_> {
    fn go_on(&mut self, _: u64, _: Option<Now>) -> bool {
        !self.0.borrow_mut().is_over()
    }
}
