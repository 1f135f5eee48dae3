//! Follows the states of nodes through a trace.

use bellwether_net::Node;
use bellwether_world::Time;
use bellwether_world::trace::{Decision, Event, EventKind};

use crate::diagram::State;

/// The role that the trace names for a node that has done nothing.
const ASLEEP: &str = "asleep";

/// The state of every node, the roles that occur, and the time of the last decision.
pub struct States {
    states: Vec<State>,
    roles: Vec<String>,
    decided: Option<Time>,
}

impl States {
    /// All nodes are asleep.
    pub fn new(nodes: u32) -> Self {
        Self { states: vec![State::Asleep; nodes as usize], roles: vec![], decided: None }
    }

    /// Follows an event. Returns the node's new state, if it changes.
    pub fn event(&mut self, event: &Event) -> Result<Option<State>, String> {
        self.known(event.node)?;
        let before = self.of(event.node);
        let state = match event.kind {
            EventKind::Crash => State::Down,
            EventKind::Recover => event.role.as_deref().map_or(State::Asleep, |role| self.taken(role)),
            EventKind::Decide => match event.decision {
                None | Some(Decision::Undecided) => State::Undecided(None),
                Some(Decision::Leader) => State::Leader,
                Some(Decision::Follower(leader)) => State::Follower(leader),
            },
            // What befalls a message on its way changes no node.
            EventKind::Drop | EventKind::Duplicate => before,
            EventKind::Start | EventKind::Receive | EventKind::Round | EventKind::Timeout | EventKind::PeerDown => {
                match (before, &event.role) {
                    (State::Asleep | State::Undecided(_), Some(role)) => self.taken(role),
                    (State::Asleep, None) => State::Undecided(None),
                    _ => before,
                }
            }
        };
        if event.kind == EventKind::Decide && matches!(state, State::Leader | State::Follower(_)) {
            self.decided = Some(event.t);
        }
        self.states[event.node as usize] = state;
        Ok((state != before).then_some(state))
    }

    /// The state of an undecided node in this role.
    fn taken(&mut self, role: &str) -> State {
        if role == ASLEEP {
            return State::Asleep;
        }
        State::Undecided(Some(self.roles.iter().position(|known| known == role).unwrap_or_else(|| {
            self.roles.push(role.into());
            self.roles.len() - 1
        })))
    }

    /// The roles that undecided nodes took, in the order of their first appearance.
    pub fn roles(&self) -> &[String] {
        &self.roles
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
