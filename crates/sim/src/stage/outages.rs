//! Crashes, recoveries and connections that close on a stage, and who hears of them.

use std::collections::BTreeMap;

use bellwether_core::Port;
use bellwether_net::{Node, Wiring};
use bellwether_world::Freedom;
use bellwether_world::host::Incident;

use super::Stage;

/// By node and port: how many reports the node must still hear, and how many it may hear.
pub(super) type Reports = BTreeMap<(Node, Port), (u32, u32)>;

/// A process that has crashed by choice. If it starts again at once, this is a restart. Otherwise it stays down.
#[derive(Clone)]
pub(super) struct Fallen {
    node: Node,
    /// Whether it took part. Otherwise there is nothing to start again.
    took_part: bool,
    /// The reports before the crash.
    reports: Reports,
}

/// Why a process hears a report.
enum Cause {
    /// It must hear it some time.
    Owed,
    /// It may hear it.
    Possible,
    /// A connection has closed, and nobody has heard of it before.
    Close,
}

impl Stage<'_> {
    /// The freedom that is left, if the process that has just crashed stays down.
    pub(super) fn left(&self) -> Freedom {
        let freedom = self.freedom.unwrap_or_default();
        Freedom { crashes: freedom.crashes.saturating_sub(u32::from(self.fallen.is_some())), ..freedom }
    }

    /// The process that has just crashed by choice.
    pub(super) fn just_fallen(&self) -> Option<Node> {
        self.fallen.as_ref().map(|fallen| fallen.node)
    }

    /// Whether a process has just crashed by choice and may start again.
    pub(super) fn may_restart(&self, node: Node) -> bool {
        let is_it = |fallen: &Fallen| fallen.node == node && fallen.took_part;
        self.fallen.as_ref().is_some_and(is_it) && self.freedom.is_some_and(|freedom| freedom.restarts > 0)
    }

    /// The process that has just crashed, if none may stay down: it must start again.
    pub(super) fn must_restart(&self) -> Option<Node> {
        self.just_fallen().filter(|_| self.freedom.is_some_and(|freedom| freedom.crashes == 0))
    }

    /// Whether a living process may crash by choice.
    pub(super) fn may_crash(&self, node: Node) -> bool {
        let Freedom { crashes, restarts, .. } = self.left();
        !self.is_dead(node) && (crashes > 0 || restarts > 0 && !self.is_absent(node))
    }

    /// The process that has just crashed by choice does not start again at once.
    pub(super) fn stay_down(&mut self) -> Result<(), String> {
        match self.fallen.take() {
            Some(Fallen { node, .. }) if !self.spend(|freedom| &mut freedom.crashes) => {
                Err(format!("node {node} must start again before anything else happens"))
            }
            _ => Ok(()),
        }
    }

    /// A process is about to crash. The crash must be planned, or there must be freedom for it.
    pub(super) fn note_crash(&mut self, node: Node) -> Result<(), String> {
        if !self.befall(Incident::Crash(node)) {
            if !self.may_crash(node) {
                return Err(format!("no crash of node {node} is planned here"));
            }
            let (took_part, reports) = (!self.is_absent(node), self.reports.clone());
            self.fallen = Some(Fallen { node, took_part, reports });
        }
        if self.is_dead(node) {
            return Err(format!("node {node} is down already"));
        }
        if !self.started.contains(&node) && !self.is_open {
            self.excused.insert(node);
        }
        // Its neighbours will hear of it, unless they are down themselves. By a clock they may hear after they have
        // recovered, and the crashed process may miss reports that it has not heard yet.
        let is_timed = self.freedom.is_none();
        for (far, at) in self.neighbours(node) {
            if far != node && !self.is_dead(far) {
                self.must_hear(far, at);
            } else if is_timed {
                self.reports.entry((far, at)).or_default().1 += 1;
            }
        }
        self.excuse_reports(|hearer, _| hearer == node);
        Ok(())
    }

    /// A process is about to recover. The recovery must be planned, or it is a restart.
    pub(super) fn note_recovery(&mut self, node: Node) -> Result<(), String> {
        if self.may_restart(node) {
            self.restart(node);
            return Ok(());
        }
        if !self.befall(Incident::Recover(node)) || !self.is_dead(node) {
            return Err(format!("no recovery of node {node} is planned here"));
        }
        self.excuse_reports(|_, peer| peer == node);
        // It was down when it was to start.
        let now = self.now;
        let is_past = |at, it| it == Incident::Start(node) && at < now;
        self.planned.retain(|fault| !fault.incident().is_some_and(|(at, it)| is_past(at, it)));
        Ok(())
    }

    /// A process starts again right after its crash. Its neighbours hear of it only if they listen to connections:
    /// these have closed, and what was under way on them is lost.
    fn restart(&mut self, node: Node) {
        self.spend(|freedom| &mut freedom.restarts);
        self.reports = self.fallen.take().map(|fallen| fallen.reports).unwrap_or_default();
        self.reports.retain(|(hearer, _), _| *hearer != node);
        if self.has_sessions() {
            let Self { links, tally, .. } = self;
            for (_, flights) in links.iter_mut().filter(|((to, from, _), _)| [*to, *from].contains(&node)) {
                flights.drain(..).for_each(|flight| tally.lost(&flight.msg));
            }
            let hearers = self.neighbours(node);
            hearers.into_iter().filter(|(far, _)| *far != node).for_each(|(far, at)| self.must_hear(far, at));
        }
    }

    /// The neighbours of a node, each with its port to the node.
    fn neighbours(&self, node: Node) -> Vec<(Node, Port)> {
        let network = &self.scenario.topology;
        (0..network.ports(node)).map(|port| network.far(node, Port(port))).collect()
    }

    /// Whether processes listen to connections that close.
    fn has_sessions(&self) -> bool {
        self.freedom.is_some() && self.cast.info.under(&self.scenario.settings).sessions
    }

    /// Whether what comes by this port waits for the report that its connection has closed.
    pub(super) fn is_held(&self, node: Node, port: Port) -> bool {
        self.has_sessions() && self.reports.get(&(node, port)).is_some_and(|(must, _)| *must > 0)
    }

    /// A node will hear that the process behind a port is down. Without a clock, several reports are one.
    fn must_hear(&mut self, node: Node, port: Port) {
        if !self.is_dead(node) {
            let is_timed = self.freedom.is_none();
            let (must, _) = self.reports.entry((node, port)).or_default();
            *must = if is_timed { *must + 1 } else { 1 };
        }
    }

    /// These reports need not come any more. By a clock they still may.
    fn excuse_reports(&mut self, concerned: impl Fn(Node, Node) -> bool) {
        for ((hearer, port), (must, may)) in &mut self.reports {
            if concerned(*hearer, self.scenario.topology.far(*hearer, *port).0) {
                let excused = std::mem::take(must);
                *may += if self.freedom.is_none() { excused } else { 0 };
            }
        }
    }

    /// The reports that may come now.
    pub(super) fn audible(&self) -> impl Iterator<Item = (Node, Port)> {
        let network = &self.scenario.topology;
        let ends = (0..network.nodes()).flat_map(|node| (0..network.ports(node)).map(move |port| (node, Port(port))));
        ends.filter(|&(node, port)| !self.is_dead(node) && self.hears(node, port).is_ok())
    }

    /// Why a process may hear that the one behind a port is down.
    fn hears(&self, node: Node, port: Port) -> Result<Cause, String> {
        let network = &self.scenario.topology;
        if port.0 >= network.ports(node) {
            return Err("it must name the port that is down".into());
        }
        let (peer, _) = network.far(node, port);
        let is_down = self.is_dead(peer);
        match self.reports.get(&(node, port)) {
            Some((1.., _)) if is_down || self.freedom.is_some() => Ok(Cause::Owed),
            Some((_, 1..)) if is_down => Ok(Cause::Possible),
            _ if is_down => Err(format!("node {node} has heard before that node {peer} is down")),
            _ if self.left().closes > 0 && peer != node => Ok(Cause::Close),
            _ => Err(format!("node {peer} is not down")),
        }
    }

    /// A process hears that a neighbour is down, or that their connection has closed. This must be true and new.
    pub(super) fn hear(&mut self, node: Node, port: Port) -> Result<(), String> {
        let heard = self.hears(node, port)?;
        let (must, may) = self.reports.entry((node, port)).or_default();
        match heard {
            Cause::Owed => *must -= 1,
            Cause::Possible => *may -= 1,
            Cause::Close => self.close(node, port),
        }
        Ok(())
    }

    /// A connection has closed, and the first of its ends hears of it. The other one will. What is under way may have
    /// been sent before.
    fn close(&mut self, node: Node, port: Port) {
        self.spend(|freedom| &mut freedom.closes);
        let (far, at) = self.scenario.topology.far(node, port);
        self.must_hear(far, at);
        for ((to, from, _), flights) in &mut self.links {
            if [(node, far), (far, node)].contains(&(*to, *from)) {
                flights.iter_mut().for_each(|flight| flight.may_be_lost = true);
            }
        }
    }
}
