//! What a process may do during a step.

use crate::{NoTimer, Port, Span};

/// The world as a process sees it during a step: it may send, set timers and choose at random.
///
/// Every host has its own context. A simulator's writes straight into its queues, the checker's enumerates every
/// choice, a live host's fills mailboxes.
pub trait Context<M, T = NoTimer> {
    /// How many ports this process has: they are `Port(0)` up to `Port(ports - 1)`.
    fn ports(&self) -> u32;

    /// Sends a message on a port. One call is one message, whatever the host then does to it.
    fn send(&mut self, port: Port, msg: M);

    /// Sets the timer of this name, replacing a running one.
    fn set_timer(&mut self, timer: T, after: Span);

    /// Stops the timer of this name, if it runs.
    fn cancel_timer(&mut self, timer: T);

    /// One of the `arity` values `0..arity`, each with the same probability.
    fn choose(&mut self, arity: u64) -> u64;

    /// Says which line of the algorithm's *Rules* this step follows, by its label: `2b`. A step may follow several.
    /// Hosts that record write it down; all others ignore it.
    #[inline]
    fn rule(&mut self, label: &'static str) {
        let _ = label;
    }

    /// The next phase begins for this process, which is in the race. What it sends from now on in this step belongs to
    /// that phase. What it sends in other steps belongs to the phase of the message that it received.
    ///
    /// Only hosts that report phases listen.
    #[inline]
    fn enters_phase(&mut self) {}

    /// The same, but the process is out of the race and only looks on.
    #[inline]
    fn watches_phase(&mut self) {}

    /// Sends the same message on every port, in port order.
    fn send_all(&mut self, msg: M)
    where
        M: Clone,
    {
        for port in 0..self.ports() {
            self.send(Port(port), msg.clone());
        }
    }

    /// Sends the same message on every port but this one, in port order.
    fn send_all_but(&mut self, but: Option<Port>, msg: M)
    where
        M: Clone,
    {
        for port in (0..self.ports()).map(Port).filter(|&port| Some(port) != but) {
            self.send(port, msg.clone());
        }
    }
}
