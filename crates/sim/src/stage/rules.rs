//! What may happen next on a stage: which nodes may start, which faults are planned, how much freedom is left.

use bellwether_core::{Port, Span};
use bellwether_net::{Node, Wiring};
use bellwether_world::faults::Chance;
use bellwether_world::host::{Actor, Envelope};
use bellwether_world::{Fault, Freedom, Time};

use super::{Act, Flight, Move, Stage};

impl Stage<'_> {
    /// All possible next moves, each at its first moment. Random choices are left to the seed.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = vec![];
        let next = if self.freedom.is_some() { self.now + Span::UNIT } else { self.now };
        let mut add = |t: Time, node, act| moves.push(Move { t, node, act, draws: vec![] });
        for node in self.absent() {
            add(next, node, Act::Start { election: Some(self.election).filter(|number| *number > 1) });
        }
        if self.election < self.scenario.elections && self.settled().is_ok() {
            for (node, _) in self.scenario.electorate().initiators().filter(|(node, _)| !self.is_dead(*node)) {
                add(next, node, Act::Start { election: Some(self.election + 1) });
            }
        }
        let (mut is_silent, keeps_order) = (true, self.keeps_order());
        for (&(to, from, _), flights) in &self.links {
            let is_dead = self.is_dead(to);
            is_silent &= is_dead || flights.is_empty();
            for (place, &Flight { n, sent, .. }) in flights.iter().enumerate() {
                if (place == 0 || !keeps_order) && (is_dead || self.may_open()) {
                    add(if is_dead { self.now } else { next }, to, Act::Deliver { from, n });
                }
                let is_open = self.freedom.is_some() || sent == self.now;
                let left = self.freedom.unwrap_or_default();
                if is_open && (left.losses > 0 || self.may_lose(from, to, n)) {
                    add(self.now, to, Act::Lose { from, n });
                }
                if is_open && (left.copies > 0 || self.may_repeat(from, n)) {
                    add(self.now, to, Act::Repeat { from, n });
                }
            }
        }
        for (&(node, peer), (must, may)) in &self.reports {
            let is_true = self.is_dead(self.scenario.topology.far(node, peer).0) && !self.is_dead(node);
            if is_true && must + may > 0 {
                is_silent &= *must == 0;
                add(next, node, Act::PeerDown { peer });
            }
        }
        // Patient timers wait until nothing is under way.
        if self.freedom.is_none_or(|freedom| !freedom.is_patient() || is_silent) {
            for (node, driver) in (0..).zip(&self.drivers) {
                for (timer, due) in driver.timers() {
                    let at = if self.freedom.is_some() { next } else { next.max(Time::after(*due)) };
                    add(at, node, Act::Timeout { timer: self.cast.timer_name(*timer) });
                }
            }
        }
        for fault in &self.planned {
            match *fault {
                Fault::Crash(node, at) if !self.is_dead(node) => add(next.max(at), node, Act::Crash),
                Fault::Recover(node, at) if self.is_dead(node) => add(next.max(at), node, Act::Recover),
                _ => {}
            }
        }
        if self.freedom.is_some_and(|freedom| freedom.crashes > 0 || freedom.restarts > 0) {
            let living = (0..self.scenario.topology.nodes()).filter(|node| !self.is_dead(*node));
            living.for_each(|node| add(next, node, Act::Crash));
        }
        if self.freedom.is_some_and(|freedom| freedom.restarts > 0) {
            let dead = (0..self.scenario.topology.nodes()).filter(|node| self.is_dead(*node));
            dead.for_each(|node| add(next, node, Act::Recover));
        }
        moves
    }

    /// A process wakes up on its own. Only initiators do that, and only once in an election.
    pub(super) fn start(&mut self, node: Node, election: u32) -> Result<(), String> {
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

    /// Whether links deliver in the order of sending.
    pub(super) fn keeps_order(&self) -> bool {
        self.scenario.timing.is_fifo()
            && !self.scenario.faults.iter().any(|fault| matches!(fault, Fault::Reorder(_) | Fault::Hold(..)))
    }

    /// Removes a fault that was planned for now or earlier and has not happened yet. In a live run it may be late.
    fn befall(&mut self, what: impl Fn(&Fault) -> Option<Time>) -> bool {
        let due = |fault: &Fault| what(fault).is_some_and(|at| at <= self.now);
        let place = self.planned.iter().position(due);
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

    /// A process is about to crash. The crash must be planned.
    pub(super) fn note_crash(&mut self, node: Node) -> Result<(), String> {
        let planned = self.befall(|fault| match fault {
            Fault::Crash(crashes, at) if *crashes == node => Some(*at),
            _ => None,
        });
        let may_restart = self.freedom.is_some_and(|freedom| freedom.restarts > 0);
        if !planned && !may_restart && !self.spend(|freedom| &mut freedom.crashes) || self.is_dead(node) {
            return Err(format!("no crash of node {node} is planned here"));
        }
        if !self.started.contains(&node) && !self.is_open {
            self.excused.insert(node);
        }
        // Its neighbours will hear of it, unless they are down themselves. The crashed process may miss reports that it
        // has not heard yet.
        let network = &self.scenario.topology;
        for (far, at) in (0..network.ports(node)).map(|port| network.far(node, Port(port))) {
            let hears = !self.is_dead(far) && far != node;
            let (must, may) = self.reports.entry((far, at)).or_default();
            if hears { *must += 1 } else { *may += 1 }
        }
        self.excuse_reports(|hearer, _| hearer == node);
        Ok(())
    }

    /// A process is about to recover. The recovery must be planned.
    pub(super) fn note_recovery(&mut self, node: Node) -> Result<(), String> {
        let planned = self.befall(|fault| match fault {
            Fault::Recover(recovers, at) if *recovers == node => Some(*at),
            _ => None,
        });
        if !planned && !self.spend(|freedom| &mut freedom.restarts) || !self.is_dead(node) {
            return Err(format!("no recovery of node {node} is planned here"));
        }
        self.excuse_reports(|_, peer| peer == node);
        Ok(())
    }

    /// These reports need not come any more.
    fn excuse_reports(&mut self, concerned: impl Fn(Node, Node) -> bool) {
        for ((hearer, port), (must, may)) in &mut self.reports {
            if concerned(*hearer, self.scenario.topology.far(*hearer, *port).0) {
                *may += std::mem::take(must);
            }
        }
    }

    /// A process hears that a neighbour is down. This must be true and new.
    pub(super) fn hear(&mut self, node: Node, port: Port) -> Result<(), String> {
        let network = &self.scenario.topology;
        if port.0 >= network.ports(node) {
            return Err("it must name the port that is down".into());
        }
        let (peer, _) = network.far(node, port);
        if !self.is_dead(peer) && self.freedom.is_some_and(|freedom| freedom.closes > 0) {
            return Ok(());
        }
        if !self.is_dead(peer) {
            return Err(format!("node {peer} is not down"));
        }
        match self.reports.get_mut(&(node, port)) {
            Some((must @ 1.., _)) => *must -= 1,
            Some((_, may @ 1..)) => *may -= 1,
            _ => return Err(format!("node {node} has heard before that node {peer} is down")),
        }
        Ok(())
    }

    fn is_unreliable(&self) -> bool {
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

    /// Whether everything planned has happened, in all elections that a living process can start.
    ///
    /// # Errors
    /// If something is missing; the error says what.
    pub fn over(&self) -> Result<(), String> {
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
        let waited_for = self.links.values().flatten().filter(|flight| !flight.msg.is_overhead()).count();
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
        match self.planned.first() {
            Some(fault) => missing(format!("{fault} has not happened")),
            None => Ok(()),
        }
    }
}
