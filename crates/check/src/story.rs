//! A schedule told as a trace: the same lines that a simulated or a live run writes, so that it can be replayed.

use std::collections::BTreeSet;

use bellwether_core::{Starters, Starts};
use bellwether_net::Node;
use bellwether_sim::stage::{self, Act, Flight, Stage};
use bellwether_world::trace::{Ending, Event, EventKind};
use bellwether_world::{Fault, Report, Scenario, Time, Timing, assumptions};

use crate::layout::Link;
use crate::ledger::Stop;
use crate::machine::{Machine, Transition};
use crate::queues::Parcel;
use crate::row::Row;
use crate::shortest::Path;

/// A run that follows one schedule.
#[derive(Clone, Debug)]
pub struct Story {
    /// What is played: one of all schedules.
    pub scenario: Scenario,
    /// The nodes that were free to start.
    pub initiators: Starters,
    /// What happens, line by line.
    pub events: Vec<Event>,
    /// The result.
    pub report: Report,
    /// The line from which it repeats, if it goes on for ever.
    pub repeats_from: Option<usize>,
}

impl Story {
    /// The last line of the trace.
    #[must_use]
    pub fn ending(&self) -> Ending {
        Ending::new(&self.scenario, &self.report)
    }
}

/// Tells a schedule. If it never ends: the way to its loop, and the loop once.
///
/// # Errors
/// If a move cannot be followed. The search has followed all of them before.
pub fn tell(machine: &mut Machine, path: &Path, around: Option<&Path>) -> Result<Story, Stop> {
    machine.spread_out();
    let moves = || path.iter().chain(around.into_iter().flatten());
    let scenario = scenario(machine, moves());
    let initiators = machine.scenario().initiators.clone();
    let row = machine.first()?;
    let stage = Stage::new(machine.automaton().cast(), &scenario).map_err(|error| error.to_string())?;
    let mut teller = Teller { machine, stage, row, rewound: 0, copies: BTreeSet::new(), lines: vec![] };
    let unreliable = teller.machine.plan().freedom.unreliable;
    let mut repeats_from = None;
    for (number, &(step, way)) in moves().enumerate() {
        if number == path.len() {
            repeats_from = Some(teller.lines.iter().map(Vec::len).sum());
        }
        // A message on unreliable links is repeated if it arrives once more.
        let again = unreliable && moves().skip(number + 1).any(|&(later, _)| later == step);
        teller.make(step, way, again)?;
    }
    let Teller { machine, stage, row, lines, .. } = teller;
    let cut_short = machine.moves(row.cells(), &mut vec![]) > 0;
    let (report, events) = (stage.report(cut_short), lines.into_iter().flatten().collect());
    Ok(Story { scenario, initiators, events, report, repeats_from })
}

/// A limit that no schedule reaches, and that fits into a JSON number.
const FAR: u64 = (1 << 53) - 1;

/// The scenario in which these moves are made.
fn scenario<'a>(machine: &Machine, path: impl Iterator<Item = &'a (Transition, u32)> + Clone) -> Scenario {
    let info = machine.automaton().info();
    let mut scenario = machine.scenario().clone();
    scenario.faults.extend(restarts(path.clone().map(|(step, _)| *step)));
    scenario.timing = Timing::Chosen(machine.plan().freedom);
    scenario.limit = FAR;
    if info.starts != Starts::All {
        let starters = path.filter_map(|(step, _)| if let Transition::Start(node) = step { Some(*node) } else { None });
        scenario.initiators = Starters::together(starters.collect::<BTreeSet<_>>());
    }
    scenario.forced = !assumptions::broken(&scenario, info).is_empty();
    scenario
}

/// The restarts as planned faults: a trace does not tell whether a process that comes back has its disk.
fn restarts(path: impl Iterator<Item = Transition>) -> Vec<Fault> {
    let mut faults = vec![];
    let mut steps = 0;
    for step in path {
        match step {
            Transition::Restart { node, disk } => {
                let [down, up] = [steps + 1, steps + 2].map(Time::units);
                faults.push(Fault::Crash(node, down));
                faults.extend((!disk).then_some(Fault::Wipe(node, down)));
                faults.push(Fault::Recover(node, up));
                steps += 2;
            }
            Transition::Lose { .. } | Transition::Close(..) => {}
            Transition::Start(_) | Transition::Deliver { .. } | Transition::Timeout(..) => steps += 1,
            Transition::Report(..) | Transition::Crash(_) => steps += 1,
        }
    }
    faults
}

/// Repeats on a stage what the machine does in numbers.
struct Teller<'a, 'b> {
    machine: &'a mut Machine,
    stage: Stage<'b>,
    /// The state as the machine sees it, with phases counted back by `rewound`.
    row: Row,
    rewound: u64,
    /// The messages that have arrived and will arrive once more, by sender and number.
    copies: BTreeSet<(Node, u64)>,
    /// The lines of each step.
    lines: Vec<Vec<Event>>,
}

impl Teller<'_, '_> {
    fn make(&mut self, step: Transition, way: u32, again: bool) -> Result<(), Stop> {
        let draws = self.machine.draws(self.row.cells(), step, way)?;
        match step {
            Transition::Start(node) => self.step(node, Act::Start { election: None }, draws)?,
            Transition::Report(node, peer) => self.step(node, Act::PeerDown { peer }, draws)?,
            Transition::Timeout(node, timer) => {
                let timer = self.machine.automaton().timer_in_trace(timer);
                self.step(node, Act::Timeout { timer }, draws)?;
            }
            Transition::Deliver { link, parcel, keep } => {
                let Link { to, from, .. } = self.machine.layout().links[link as usize];
                let n = self.find(link, parcel);
                if keep {
                    self.copies.insert((from, n));
                }
                if keep || again {
                    self.befall(to, Act::Repeat { from, n })?;
                }
                self.step(to, Act::Deliver { from, n }, draws)?;
            }
            Transition::Lose { link, parcel } => {
                let Link { to, from, .. } = self.machine.layout().links[link as usize];
                let n = self.find(link, parcel);
                self.befall(to, Act::Lose { from, n })?;
            }
            Transition::Restart { node, .. } => {
                self.step(node, Act::Crash, vec![])?;
                self.step(node, Act::Recover, draws)?;
            }
            Transition::Close(..) => {}
            Transition::Crash(node) => {
                self.step(node, Act::Crash, draws)?;
                for link in self.machine.layout().into[node as usize].clone() {
                    let Link { to, port, from } = self.machine.layout().links[link as usize];
                    let lost: Vec<u64> = self.stage.under_way(from, to, port).map(|flight| flight.n).collect();
                    lost.into_iter().try_for_each(|n| self.miss(from, n, to))?;
                }
            }
        }
        self.rewound += self.machine.apply(&mut self.row, step, way)?.rewound;
        Ok(())
    }

    /// The number of a message that the machine knows as this parcel.
    fn find(&self, link: u32, parcel: Parcel) -> u64 {
        let Link { to, port, from } = self.machine.layout().links[link as usize];
        let message = self.machine.automaton().message(parcel.message());
        let is_it = |flight: &&Flight| {
            let mut rewound = flight.msg.clone();
            rewound.rewind(self.rewound);
            rewound == *message && self.copies.contains(&(from, flight.n)) == parcel.is_copy()
        };
        self.stage.under_way(from, to, port).find(is_it).expect("the schedule was followed before").n
    }

    /// A process takes a step, or stops. Messages to processes that are down are lost at once.
    fn step(&mut self, node: Node, act: Act, draws: Vec<u64>) -> Result<(), Stop> {
        let t = Time::units(self.lines.len() as u128 + 1);
        let lines = self.stage.make(&stage::Move { t, node, act, draws })?;
        let sent: Vec<(u64, Node)> = lines[0].sent.iter().map(|sent| (sent.n, sent.to)).collect();
        self.lines.push(lines);
        for (n, to) in sent {
            if self.stage.state(to).is_none() {
                self.miss(node, n, to)?;
            }
        }
        Ok(())
    }

    /// A message reaches a process that is down.
    fn miss(&mut self, from: Node, n: u64, node: Node) -> Result<(), Stop> {
        let act = Act::Deliver { from, n };
        let lost = self.stage.make(&stage::Move { t: self.stage.now(), node, act, draws: vec![] })?;
        self.lines.last_mut().into_iter().for_each(|lines| lines.extend(lost.iter().cloned()));
        Ok(())
    }

    /// A link loses or repeats a message. The line comes right after the step that sent the message.
    fn befall(&mut self, node: Node, act: Act) -> Result<(), Stop> {
        for fate in self.stage.make(&stage::Move { t: self.stage.now(), node, act, draws: vec![] })? {
            let is_sending = |lines: &&mut Vec<Event>| {
                lines[0].node == fate.node && lines[0].sent.iter().any(|sent| sent.n == fate.sent[0].n)
            };
            let lines = self.lines.iter_mut().find(is_sending).expect("it was sent before");
            let place = lines.iter().position(|line| line.kind == EventKind::Decide).unwrap_or(lines.len());
            lines.insert(place, Event { t: lines[0].t, ..fate });
        }
        Ok(())
    }
}
