//! What nodes tell all their neighbours: it stands in a register of the sender, and they look it up in the next round.

use bellwether_core::{Inbox, Message, Port};
use bellwether_world::{Node, Wiring};

/// The registers of all nodes in a round.
#[derive(Debug)]
pub(super) enum Registers<M> {
    /// Nobody uses them.
    Unused,
    /// Some nodes do.
    Some(Vec<Option<M>>),
    /// All nodes do. Then nobody needs to look whether there is something in a register.
    All(Vec<M>),
}

impl<M: Message> Registers<M> {
    pub(super) fn are_used(&self) -> bool {
        !matches!(self, Self::Unused)
    }

    /// Registers with nothing in them yet; the room of others is used again.
    pub(super) fn empty(before: Self, nodes: u32) -> Self {
        let mut registers = if let Self::Some(registers) = before { registers } else { Vec::new() };
        registers.clear();
        registers.resize_with(nodes as usize, || None);
        Self::Some(registers)
    }

    /// What a node tells all its neighbours by its register.
    pub(super) fn tell(&mut self, node: Node, msg: M) {
        match self {
            Self::Some(registers) => registers[node as usize] = Some(msg),
            Self::All(registers) => registers[node as usize] = msg,
            Self::Unused => unreachable!("registers are used in this round"),
        }
    }

    /// What they are after a round in which these nodes wrote nothing where all did in the round before.
    pub(super) fn settled(self, silent: impl Iterator<Item = Node>) -> Self {
        let mut silent = silent.peekable();
        match self {
            Self::All(registers) if silent.peek().is_some() => {
                let mut registers: Vec<_> = registers.into_iter().map(Some).collect();
                silent.for_each(|node| registers[node as usize] = None);
                Self::Some(registers)
            }
            Self::Some(registers) if registers.iter().all(Option::is_some) => {
                Self::All(registers.into_iter().flatten().collect())
            }
            registers => registers,
        }
    }

    /// The bytes that they take for a node.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Unused => 0,
            Self::Some(_) => size_of::<Option<M>>(),
            Self::All(_) => size_of::<M>(),
        }
    }

    /// The mail of a node, of what others have written.
    pub(super) fn hear(&self, wiring: impl Wiring, node: Node, inbox: &mut Vec<(Port, M)>) {
        inbox.clear();
        match self {
            Self::Unused => {}
            Self::Some(registers) => inbox.extend(heard::<_, _, SOME>(&wiring, registers, node)),
            Self::All(registers) => inbox.extend(heard::<_, _, SOME>(&wiring, registers, node)),
        }
    }
}

/// The register of a node.
pub(super) trait Register<M>: From<M> + Send + Sync {
    /// What stands in it.
    fn read(&self) -> Option<&M>;
}

impl<M: Message> Register<M> for Option<M> {
    #[inline]
    fn read(&self) -> Option<&M> {
        self.as_ref()
    }
}

impl<M: Message> Register<M> for M {
    #[inline]
    fn read(&self) -> Option<&M> {
        Some(self)
    }
}

/// Who takes a step. An inbox tells it by its type, so that each loop has a type of its own: the compiler then compiles the
/// algorithm's step into both of them, as it does with what is called from one place only.
pub(super) const EVERYBODY: bool = true;
pub(super) const SOME: bool = false;

/// What stands in the registers of a node's neighbours.
#[inline(always)]
pub(super) fn heard<M: Message, G: Register<M>, const WHO: bool>(
    wiring: &impl Wiring,
    registers: &[G],
    node: Node,
) -> impl Inbox<M> {
    let ports = wiring.neighbours(node).enumerate();
    ports.filter_map(move |(port, from)| Some((Port(port as u32), registers[from as usize].read()?.clone())))
}
