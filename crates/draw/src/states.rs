//! Follows the states of nodes through a trace.

use bellwether_net::Node;
use bellwether_world::Time;
use bellwether_world::trace::{Decision, Event, EventKind};

use crate::diagram::State;

/// The state of every node, and the time of the last decision.
pub struct States {
    states: Vec<State>,
    decided: Option<Time>,
}

impl States {
    /// All nodes are undecided.
    pub fn new(nodes: u32) -> Self {
        Self { states: vec![State::Undecided; nodes as usize], decided: None }
    }

    /// Follows an event. Returns the node's new state, if it changes.
    pub fn event(&mut self, event: &Event) -> Result<Option<State>, String> {
        let state = match event.kind {
            EventKind::Crash => State::Down,
            EventKind::Recover => State::Undecided,
            EventKind::Decide => match event.decision {
                None | Some(Decision::Undecided) => State::Undecided,
                Some(Decision::Leader) => State::Leader,
                Some(Decision::Follower(leader)) => State::Follower(leader),
            },
            _ => return self.known(event.node).map(|()| None),
        };
        self.known(event.node)?;
        if matches!(state, State::Leader | State::Follower(_)) {
            self.decided = Some(event.t);
        }
        self.states[event.node as usize] = state;
        Ok(Some(state))
    }

    /// Makes sure that this node exists.
    pub fn known(&self, node: Node) -> Result<(), String> {
        let last = self.states.len() - 1;
        let unknown = || format!("there is no node {node}: the nodes are numbered 0 to {last}");
        self.states.get(node as usize).map(|_| ()).ok_or_else(unknown)
    }

    /// The state of a node.
    pub fn of(&self, node: Node) -> State {
        self.states[node as usize]
    }

    /// The nodes that lead.
    pub fn leaders(&self) -> impl Iterator<Item = Node> {
        let leads = |(_, state): &(usize, &State)| **state == State::Leader;
        self.states.iter().enumerate().filter(leads).map(|(node, _)| node as Node)
    }

    /// The time of the last decision.
    pub fn decided(&self) -> Option<Time> {
        self.decided
    }
}
