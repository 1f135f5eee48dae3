//! The moves on a stage, in the terms of a trace.

use bellwether_core::Port;
use bellwether_net::Node;
use bellwether_world::Time;
use bellwether_world::trace::{Event, EventKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that happens to a node, or to a message on its way to the node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The time.
    pub t: Time,
    /// The node.
    pub node: Node,
    /// What happens.
    pub act: Act,
    /// The first values of the node's random choices. The seed gives the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<u64>,
}

/// What happens. A message is named by its sender and its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// The node wakes up on its own.
    Start {
        /// The election that begins with this start, if it is not the first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        election: Option<u32>,
    },
    /// A message reaches the node. If the node is down, the message is lost.
    Deliver {
        /// The sender.
        from: Node,
        /// Its number.
        n: u64,
    },
    /// The link loses a message to the node.
    Lose {
        /// The sender.
        from: Node,
        /// Its number.
        n: u64,
    },
    /// The link repeats a message to the node: it will arrive once more.
    Repeat {
        /// The sender.
        from: Node,
        /// Its number.
        n: u64,
    },
    /// A timer of the node goes off.
    Timeout {
        /// Its name.
        timer: Value,
    },
    /// The node hears that the node behind a port is down.
    PeerDown {
        /// The port.
        peer: Port,
    },
    /// The node stops.
    Crash,
    /// The node starts again, with what is on its disk.
    Recover,
}

impl Move {
    /// The move of an event. A decision is not a move: it comes with the step before it.
    ///
    /// # Errors
    /// If the event lacks something, or is a step of a round.
    pub fn of(event: &Event) -> Result<Option<Self>, String> {
        let Event { t, node, kind, received, sent, draws, .. } = event;
        let (node, act) = match (kind, &received[..], &sent[..]) {
            (EventKind::Decide, ..) => return Ok(None),
            (EventKind::Start, ..) => (*node, Act::Start { election: event.election }),
            (EventKind::Crash, ..) => (*node, Act::Crash),
            (EventKind::Recover, ..) => (*node, Act::Recover),
            (EventKind::Receive, [it], _) | (EventKind::Drop, [it], []) => {
                (*node, Act::Deliver { from: it.from, n: it.n })
            }
            (EventKind::Timeout, [], _) => {
                let timer = event.timer.clone().ok_or("a timeout must name its timer")?;
                (*node, Act::Timeout { timer })
            }
            (EventKind::PeerDown, [], _) => {
                (*node, Act::PeerDown { peer: event.peer.ok_or("it must name the port that is down")? })
            }
            (EventKind::Drop, [], [it]) => (it.to, Act::Lose { from: *node, n: it.n }),
            (EventKind::Drop, ..) => {
                return Err(format!("nothing that node {node} has to do with can be lost here"));
            }
            (EventKind::Duplicate, _, [it]) => (it.to, Act::Repeat { from: *node, n: it.n }),
            (EventKind::Duplicate, ..) => return Err("it must name the message that is repeated".into()),
            _ => return Err("such an event does not belong to a run that its trace leads".into()),
        };
        Ok(Some(Self { t: *t, node, act, draws: draws.clone() }))
    }
}
