//! One step as data: what happens to a process.

use crate::{Change, Context, Port, Process, Standing};

/// What makes a process take a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input<M, T> {
    /// It wakes up on its own, or is told to hold another election.
    Start,
    /// A message arrives on this port.
    Receive(Port, M),
    /// This timer goes off.
    Timeout(T),
    /// The failure detector reports the process behind this port as down.
    PeerDown(Port),
}

impl<M, T> Input<M, T> {
    /// Lets a process take this step, and tells what it was before and is now.
    pub fn perform<P: Process<Msg = M, Timer = T>>(self, process: &mut P, ctx: &mut impl Context<M, T>) -> Change {
        let standing = |process: &P| Standing { status: process.status(), role: process.role() };
        Change::during(process, standing, |process| match self {
            Self::Start => process.start(ctx),
            Self::Receive(port, msg) => process.receive(port, msg, ctx),
            Self::Timeout(timer) => process.timeout(timer, ctx),
            Self::PeerDown(port) => process.peer_down(port, ctx),
        })
    }

    /// The same with other messages and timers.
    pub fn map<N, U>(self, msg: impl FnOnce(M) -> N, timer: impl FnOnce(T) -> U) -> Input<N, U> {
        match self {
            Self::Start => Input::Start,
            Self::Receive(port, received) => Input::Receive(port, msg(received)),
            Self::Timeout(expired) => Input::Timeout(timer(expired)),
            Self::PeerDown(port) => Input::PeerDown(port),
        }
    }
}
