//! What may happen next on a stage: which nodes may start, which faults are planned, how much freedom is left.

use bellwether_core::Span;
use bellwether_net::{Node, Wiring};
use bellwether_world::faults::Chance;
use bellwether_world::host::{Actor, Envelope, Incident};
use bellwether_world::{Fault, Freedom, Time, Timing};

use super::{Act, Flight, Move, Stage};

impl Stage<'_> {
    /// All possible next moves, each at its first moment. Random choices are left to the seed.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = vec![];
        let next = if self.freedom.is_some() { self.now + Span::UNIT } else { self.now };
        let mut add = |t: Time, node, act| moves.push(Move { t, node, act, draws: vec![] });
        if let Some(node) = self.just_fallen().filter(|node| self.may_restart(*node)) {
            add(next, node, Act::Recover);
        }
        if self.must_restart().is_some() {
            return moves;
        }
        let left = self.left();
        for node in self.absent() {
            add(next, node, Act::Start { election: Some(self.election).filter(|number| *number > 1) });
        }
        if self.election < self.scenario.elections && self.settled().is_ok() {
            for (node, _) in self.scenario.electorate().initiators().filter(|(node, _)| !self.is_dead(*node)) {
                add(next, node, Act::Start { election: Some(self.election + 1) });
            }
        }
        let keeps_order = self.keeps_order();
        for (&(to, from, port), flights) in &self.links {
            let is_dead = self.is_dead(to);
            for (place, &Flight { n, sent, .. }) in flights.iter().enumerate() {
                let is_next = !keeps_order || flights.iter().take(place).all(|earlier| earlier.may_be_lost);
                if is_next && !self.is_held(to, port) && (is_dead || self.may_open()) {
                    let t = if is_dead { self.now } else { self.awake_at(to, next) };
                    add(t, to, Act::Deliver { from, n });
                }
                let is_open = self.freedom.is_some() || sent == self.now;
                if is_open && (left.losses > 0 || self.may_lose(from, to, n)) {
                    add(self.now, to, Act::Lose { from, n });
                }
                if is_open && (left.copies > 0 || self.may_repeat(from, n)) {
                    add(self.now, to, Act::Repeat { from, n });
                }
            }
        }
        if self.may_go_on() {
            for (node, peer) in self.audible() {
                add(next, node, Act::PeerDown { peer });
            }
            for timer in self.timers.iter().filter(|timer| self.freedom.is_none() || self.may_go_off(timer)) {
                let at = if self.freedom.is_some() { next } else { next.max(timer.due) };
                let timeout = Act::Timeout { timer: self.cast.timer_name(timer.bell) };
                add(self.awake_at(timer.node, at), timer.node, timeout);
            }
        }
        for (at, incident) in self.planned.iter().filter_map(Fault::incident) {
            match incident {
                Incident::Crash(node) if !self.is_dead(node) => add(next.max(at), node, Act::Crash),
                Incident::Recover(node) if self.is_dead(node) => add(next.max(at), node, Act::Recover),
                Incident::Start(node) if !self.is_dead(node) => {
                    add(next.max(at), node, Act::Start { election: None });
                }
                Incident::Crash(_) | Incident::Recover(_) | Incident::Start(_) | Incident::PeerDown(..) => {}
                // Such runs are simulated again, not led.
                Incident::CrashLeader | Incident::Pause(_) | Incident::Resume(_) => {}
            }
        }
        for node in (0..self.scenario.topology.nodes()).filter(|node| self.may_crash(*node)) {
            add(next, node, Act::Crash);
        }
        moves
    }

    /// A process wakes up on its own. Only initiators do that, and only once in an election.
    pub(super) fn start(&mut self, node: Node, election: u32) -> Result<(), String> {
        if election == self.election && !self.is_absent(node) && self.befall(Incident::Start(node)) {
            return Ok(());
        }
        self.scenario.initiators.round_of(node).ok_or_else(|| format!("node {node} starts, but it is no initiator"))?;
        if election == self.election + 1 {
            self.settled()?;
            if election > self.scenario.elections {
                return Err(format!("only {} elections were planned", self.scenario.elections));
            }
            self.judge.next_election();
            self.started.clear();
            self.excused.clear();
            self.is_open = false;
            self.election = election;
        }
        if election != self.election {
            return Err(format!("this is election {}, not {election}", self.election));
        }
        if self.started.insert(node) { Ok(()) } else { Err(format!("node {node} starts twice")) }
    }

    /// A message is delivered to a living process. If initiators may start late, an initiator that it wakes up need not
    /// start.
    pub(super) fn open(&mut self, node: Node) -> Result<(), String> {
        if self.may_start_late() {
            self.excused.insert(node);
            return Ok(());
        }
        if !self.may_open() {
            let late = self.absent().next().expect("else it may open");
            return Err(format!("node {late} should have started before"));
        }
        self.is_open = true;
        Ok(())
    }

    /// Whether messages may be delivered: after all initiators have started. Overhead of an earlier election is an
    /// exception.
    fn may_open(&self) -> bool {
        let overhead = self.cast.kinds.has_overhead && self.election > 1;
        self.may_start_late() || self.is_open || overhead || self.absent().next().is_none()
    }

    /// Whether timers may go off and reports may come. If all initiators start first, they wait for that.
    pub(super) fn may_go_on(&self) -> bool {
        self.freedom.is_none() || self.may_open()
    }

    /// Whether initiators may start after messages were delivered.
    fn may_start_late(&self) -> bool {
        self.freedom.is_some_and(|freedom| !freedom.starts_first)
    }

    /// The initiators that are up and have yet to start in this election.
    fn absent(&self) -> impl Iterator<Item = Node> {
        let excused = |node: &Node| self.is_dead(*node) || self.excused.contains(node);
        let is_absent = move |node: &Node| !self.started.contains(node) && !excused(node);
        self.scenario.initiators.among(self.scenario.topology.nodes()).map(|(node, _)| node).filter(is_absent)
    }

    /// Whether a node has yet to start.
    pub(super) fn is_absent(&self, node: Node) -> bool {
        self.absent().any(|absent| absent == node)
    }

    /// Whether links deliver in the order of sending.
    pub(super) fn keeps_order(&self) -> bool {
        self.scenario.timing.is_fifo()
            && !self.scenario.faults.iter().any(|fault| matches!(fault, Fault::Reorder(_) | Fault::Hold(..)))
    }

    /// Removes a fault that was planned for now or earlier and has not happened yet. In a live run it may be late.
    pub(super) fn befall(&mut self, what: Incident) -> bool {
        let is_it = |fault: &Fault| fault.incident().is_some_and(|(at, incident)| incident == what && at <= self.now);
        let place = self.planned.iter().position(is_it);
        place.map(|place| self.planned.remove(place)).is_some()
    }

    /// Uses one unit of this freedom, if any is left.
    pub(super) fn spend(&mut self, what: impl Fn(&mut Freedom) -> &mut u32) -> bool {
        let left = self.freedom.as_mut().map(what);
        left.is_some_and(|left| {
            let had = *left;
            *left -= u32::from((1..Freedom::ANY).contains(&had));
            had > 0
        })
    }

    pub(super) fn is_unreliable(&self) -> bool {
        self.freedom.is_some_and(|freedom| freedom.unreliable)
    }

    /// Whether a fault of the scenario may now lose a message between these nodes.
    pub(super) fn may_lose(&self, from: Node, to: Node, n: u64) -> bool {
        self.is_unreliable()
            || self.scenario.faults.iter().any(|fault| match *fault {
                Fault::Loss(chance) => chance > Chance(0),
                Fault::Cut(a, b, window) => [(a, b), (b, a)].contains(&(from, to)) && window.contains(self.now),
                Fault::OneWay(a, b, window) => (a, b) == (from, to) && window.contains(self.now),
                Fault::Lose(node, number) => (node, number) == (from, n),
                Fault::Duplicate(_) | Fault::Reorder(_) | Fault::Crash(..) | Fault::Recover(..) | Fault::Slow(..) => {
                    false
                }
                Fault::Repeat(..) | Fault::Hold(..) | Fault::Start(..) => false,
                Fault::CrashLeader(_) | Fault::Disk(..) => false,
                Fault::Wipe(..) | Fault::Pause(..) | Fault::Drift(..) => false,
            })
    }

    /// Whether a fault of the scenario may repeat messages.
    pub(super) fn may_repeat(&self, from: Node, n: u64) -> bool {
        self.is_unreliable()
            || self.scenario.faults.iter().any(|fault| match *fault {
                Fault::Duplicate(chance) => chance > Chance(0),
                Fault::Loss(_) | Fault::Reorder(_) | Fault::Crash(..) | Fault::Recover(..) => false,
                Fault::Repeat(node, number) => (node, number) == (from, n),
                Fault::Cut(..) | Fault::OneWay(..) | Fault::Slow(..) => false,
                Fault::CrashLeader(_) | Fault::Disk(..) => false,
                Fault::Lose(..) | Fault::Hold(..) | Fault::Start(..) => false,
                Fault::Wipe(..) | Fault::Pause(..) | Fault::Drift(..) => false,
            })
    }

    /// Whether this is a live run of an algorithm that never ends. Then threads may be late with timers.
    pub(super) fn goes_on_in_real_time(&self) -> bool {
        self.cast.info.perpetual && matches!(self.scenario.timing, Timing::Live(_))
    }

    /// Whether everything planned has happened, in all elections that a living process can start.
    ///
    /// # Errors
    /// If something is missing; the error says what.
    pub fn over(&self) -> Result<(), String> {
        if self.goes_on_in_real_time() {
            return Ok(()); // its time is over, whatever is left
        }
        self.settled()?;
        let left = self.election < self.scenario.elections;
        if left && self.scenario.electorate().initiators().any(|(node, _)| !self.is_dead(node)) {
            return Err(format!("the run cannot be over: {} elections were planned", self.scenario.elections));
        }
        Ok(())
    }

    /// Whether everything planned has happened in this election.
    pub(super) fn settled(&self) -> Result<(), String> {
        let missing = |what: String| Err(format!("the election cannot be over: {what}"));
        if let Some(node) = self.must_restart() {
            return missing(format!("node {node} has not started again"));
        }
        let is_waited_for = |flight: &&Flight| !flight.may_be_lost && !flight.msg.is_overhead();
        let waited_for = self.links.values().flatten().filter(is_waited_for).count();
        if waited_for > 0 {
            return missing(format!("{waited_for} messages are under way"));
        }
        if let Some(node) = self.absent().next() {
            return missing(format!("node {node} has not started"));
        }
        let deadlines = (0..).zip(&self.drivers).filter_map(|(node, driver)| Some((driver.next_deadline()?.0, node)));
        if let Some((_, node)) = deadlines.min() {
            return missing(format!("a timer of node {node} runs"));
        }
        if let Some(((node, port), _)) = self.reports.iter().find(|(_, (must, _))| *must > 0) {
            return missing(format!("node {node} has not heard that port {port} is down"));
        }
        let acts = |&node: &Node| self.cast.kinds.has_overhead && self.state(node).is_some_and(Actor::is_pending);
        if let (true, Some(node)) =
            (self.tally.in_flight::<Envelope>() > 0, (0..self.scenario.topology.nodes()).find(acts))
        {
            return missing(format!("node {node} will still act"));
        }
        // A process that is down does not start.
        let will_happen = |fault: &&Fault| match fault.incident() {
            Some((_, Incident::Start(node))) => !self.is_dead(node),
            _ => true,
        };
        match self.planned.iter().find(will_happen) {
            Some(fault) => missing(format!("{fault} has not happened")),
            None => Ok(()),
        }
    }
}
