//! The world as a process sees it on a ring that goes one way.

use bellwether_core::{Context, NoTimer, Port, Span};
use bellwether_world::random::Stream;

/// Collects what a process sends in a step.
#[derive(Debug)]
pub struct Step<'a, M> {
    sent: Vec<M>,
    chance: &'a mut Stream,
}

impl<'a, M> Step<'a, M> {
    /// A step of the process that draws from this stream.
    pub fn new(chance: &'a mut Stream) -> Self {
        Self { sent: Vec::new(), chance }
    }

    /// What was sent to the next worker, in order.
    pub fn sent(self) -> Vec<M> {
        self.sent
    }
}

impl<M> Context<M, NoTimer> for Step<'_, M> {
    fn ports(&self) -> u32 {
        2
    }

    fn send(&mut self, port: Port, message: M) {
        debug_assert_eq!(port, Port::NEXT, "this ring goes one way");
        self.sent.push(message);
    }

    fn set_timer(&mut self, timer: NoTimer, _: Span) {
        match timer {}
    }

    fn cancel_timer(&mut self, timer: NoTimer) {
        match timer {}
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.chance.below(arity)
    }
}
