//! A context that keeps what a process does until its step is over.

use crate::{Context, Port, Span};

/// The source of a process's random choices: a generator, a script, an enumeration of all answers.
pub trait Draws {
    /// One of the `arity` values `0..arity`.
    fn draw(&mut self, arity: u64) -> u64;
}

impl<F: FnMut(u64) -> u64> Draws for F {
    fn draw(&mut self, arity: u64) -> u64 {
        self(arity)
    }
}

/// What a process does in a step: a [`Context`] that collects. [Cleared](Outbox::clear), it serves for the next step.
#[derive(Clone, Debug)]
pub struct Outbox<M, T, D> {
    /// How many ports the process has.
    pub ports: u32,
    /// The source of its random choices.
    pub chance: D,
    /// What it has sent, in order.
    pub sent: Vec<(Port, M)>,
    /// What it has done to its timers, in order: set to go off after a time, or stopped.
    pub timers: Vec<(T, Option<Span>)>,
    /// What it has drawn, in order.
    pub draws: Vec<u64>,
    /// The rules that it has followed, in order.
    pub rules: Vec<&'static str>,
}

impl<M, T, D: Draws> Outbox<M, T, D> {
    /// An empty one, for a process with this number of ports.
    pub fn new(ports: u32, chance: D) -> Self {
        Self { ports, chance, sent: vec![], timers: vec![], draws: vec![], rules: vec![] }
    }

    /// Forgets what was done.
    pub fn clear(&mut self) {
        self.sent.clear();
        self.timers.clear();
        self.draws.clear();
        self.rules.clear();
    }
}

impl<M, T, D: Draws> Context<M, T> for Outbox<M, T, D> {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn send(&mut self, port: Port, msg: M) {
        self.sent.push((port, msg));
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        self.timers.push((timer, Some(after)));
    }

    fn cancel_timer(&mut self, timer: T) {
        self.timers.push((timer, None));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        let value = self.chance.draw(arity);
        self.draws.push(value);
        value
    }

    fn rule(&mut self, label: &'static str) {
        self.rules.push(label);
    }
}
