//! An election of the catalogue among some of the members.
//!
//! Those who take part are its *view*, in ascending order of their ids. The algorithm sees a network of them alone: a
//! ring in that order if it is made for rings, and otherwise one in which everybody is linked to everybody. Every
//! election has a number, and a message bears the number and the view of its election.
//!
//! [`Numbered`] holds the elections of one view. Another view needs other processes.

use std::collections::BTreeMap;

use bellwether_core::prelude::*;
use bellwether_core::{Message, Numbered, Stamped, Tag, Truth};
use serde::{Deserialize, Serialize};

use crate::{complete, graph, ring};

/// The algorithms that members can hold an election by: the largest id of the initiators wins.
macro_rules! algorithms {
    ($($name:ident: $algorithm:ty,)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Algorithm {
            $($name),+
        }

        impl Algorithm {
            pub const ALL: &[Self] = &[$(Self::$name),+];
            pub const NAMES: &[&str] = &[$(<$algorithm as Process>::INFO.name),+];

            fn is_for_rings(self) -> bool {
                match self {
                    $(Self::$name => <$algorithm as Process>::INFO.topology.is_ring()),+
                }
            }
        }

        /// A process of one of the algorithms.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        enum Elector {
            $($name(Numbered<$algorithm>)),+
        }

        impl Elector {
            fn new(algorithm: Algorithm, truth: &Truth) -> Self {
                match algorithm {
                    $(Algorithm::$name => Self::$name(granted(truth))),+
                }
            }

            fn election(&self) -> u64 {
                match self {
                    $(Self::$name(process) => process.election()),+
                }
            }

            fn status(&self) -> Status {
                match self {
                    $(Self::$name(process) => process.status()),+
                }
            }

            fn act(&mut self, act: Act, view: &[Id], wires: &[Wire], ctx: &mut impl Context<Ballot, Timer>) {
                match self {
                    $(Self::$name(process) => {
                        let ctx = &mut Inside { view, wires, say: Said::$name, timer: Timer::$name, ctx };
                        match act {
                            Act::Hold(number) => process.hold(number, ctx),
                            Act::Receive(port, Said::$name(msg)) => process.receive(port, msg, ctx),
                            Act::Timeout(Timer::$name(timer)) => process.timeout(timer, ctx),
                            Act::Receive(..) | Act::Timeout(_) => {} // of another algorithm
                        }
                    }),+
                }
            }
        }

        /// A message of one of the algorithms, with the number of its election.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Said {
            $($name(<Numbered<$algorithm> as Process>::Msg)),+
        }

        impl Said {
            fn number(&self) -> u64 {
                match self {
                    $(Self::$name(Stamped::Of(number, _)) => *number),+
                }
            }

            fn bits(&self) -> u32 {
                match self {
                    $(Self::$name(msg) => Message::bits(msg)),+
                }
            }
        }

        /// A timer of one of the algorithms.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Timer {
            $($name(<$algorithm as Process>::Timer)),+
        }

        impl Timer {
            pub const COUNT: usize = 0 $(+ <<$algorithm as Process>::Timer as Tag>::ALL.len())+;

            /// The timer with this place among all, if there is one.
            pub const fn nth(place: usize) -> Option<Self> {
                $(
                    let all = <<$algorithm as Process>::Timer as Tag>::ALL;
                    if place < all.len() {
                        return Some(Self::$name(all[place]));
                    }
                    let place = place - all.len();
                )+
                let _ = place;
                None
            }
        }
    };
}

algorithms! {
    Bully: complete::Bully,
    ChangRoberts: ring::ChangRoberts,
    EchoElection: graph::EchoElection,
}

/// What happens to a process.
enum Act {
    Hold(u64),
    Receive(Port, Said),
    Timeout(Timer),
}

/// A message between two of a view: the view, the port of its network at which the message arrives, and its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ballot(Vec<Id>, Port, Said);

impl Ballot {
    /// The number and the view of its election. Of two elections the one with the larger stamp is the later one.
    pub fn stamp(&self) -> (u64, &[Id]) {
        (self.2.number(), &self.0)
    }
}

impl Field for Ballot {
    fn bits(&self) -> u32 {
        let Self(view, Port(port), said) = self;
        view.bits() + u64::from(*port).bits() + said.bits()
    }
}

/// The elections of one view, as a member takes part in them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Election {
    id: Id,
    view: Vec<Id>,
    process: Elector,
    wires: Given<Vec<Wire>>,
}

/// A link of the view's network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Wire {
    /// The member's port to that peer.
    port: Port,
    /// The port of the view's network at that peer.
    far: Port,
}

impl Election {
    /// A member enters a view. Its peers are given with its ports. `None` if it is not in the view, or alone, or knows
    /// somebody not.
    pub fn among(algorithm: Algorithm, id: Id, view: &[Id], peers: &BTreeMap<Id, Port>) -> Option<Self> {
        let place = view.iter().position(|&one| one == id).filter(|_| view.len() > 1 && view.is_sorted())?;
        let links = if algorithm.is_for_rings() { ring_at(place, view.len()) } else { clique_at(place, view.len()) };
        let wire = |&(other, far): &(usize, Port)| Some(Wire { port: *peers.get(&view[other])?, far });
        let wires = links.iter().map(wire).collect::<Option<Vec<Wire>>>()?;
        let neighbours: Vec<Id> = links.iter().map(|&(other, _)| view[other]).collect();
        let size = view.len() as u64;
        let ports = wires.len() as u32;
        let truth = Truth { ports, id, size, diameter: size, neighbours: &neighbours, max_delay: Span::UNIT };
        Some(Self { id, view: view.to_vec(), process: Elector::new(algorithm, &truth), wires: Given(wires) })
    }

    /// The number and the view of the present election.
    pub fn stamp(&self) -> (u64, &[Id]) {
        (self.process.election(), &self.view)
    }

    /// Who has won, as far as this member knows.
    pub fn winner(&self) -> Option<Id> {
        match self.process.status() {
            Status::Leader => Some(self.id),
            Status::Follower(leader) => leader,
            Status::Undecided => None,
        }
    }

    /// Takes part in the election with this number as an initiator.
    pub fn hold(&mut self, number: u64, ctx: &mut impl Context<Ballot, Timer>) {
        self.process.act(Act::Hold(number), &self.view, &self.wires.0, ctx);
    }

    /// Takes a message of this view. One that did not come over a link of its network is dropped.
    pub fn receive(&mut self, from: Port, Ballot(_, port, said): Ballot, ctx: &mut impl Context<Ballot, Timer>) {
        if self.wires.0.get(port.index()).is_some_and(|wire| wire.port == from) {
            self.process.act(Act::Receive(port, said), &self.view, &self.wires.0, ctx);
        }
    }

    pub fn timeout(&mut self, timer: Timer, ctx: &mut impl Context<Ballot, Timer>) {
        self.process.act(Act::Timeout(timer), &self.view, &self.wires.0, ctx);
    }
}

/// A process that is told what its entry asks for.
fn granted<P: Process>(truth: &Truth) -> P {
    P::new(&Local::granted(P::INFO, truth, &Settings::new())).expect("it is told what its entry asks for")
}

/// By port of a ring: the place behind it, and the port there.
fn ring_at(place: usize, size: usize) -> Vec<(usize, Port)> {
    vec![((place + 1) % size, Port::PREVIOUS), ((place + size - 1) % size, Port::NEXT)]
}

/// The same where everybody is linked to everybody.
fn clique_at(place: usize, size: usize) -> Vec<(usize, Port)> {
    let far = |other: usize| if place < other { place } else { place - 1 };
    (0..size).filter(|&other| other != place).map(|other| (other, Port(far(other) as u32))).collect()
}

/// The context of a process: what it sends goes to a member of the view.
struct Inside<'a, C, M, T> {
    view: &'a [Id],
    wires: &'a [Wire],
    say: fn(Stamped<M>) -> Said,
    timer: fn(T) -> Timer,
    ctx: &'a mut C,
}

impl<M, T, C: Context<Ballot, Timer>> Context<Stamped<M>, T> for Inside<'_, C, M, T> {
    fn ports(&self) -> u32 {
        self.wires.len() as u32
    }

    fn send(&mut self, port: Port, msg: Stamped<M>) {
        let Wire { port, far } = self.wires[port.index()];
        self.ctx.send(port, Ballot(self.view.to_vec(), far, (self.say)(msg)));
    }

    fn set_timer(&mut self, timer: T, after: Span) {
        self.ctx.set_timer((self.timer)(timer), after);
    }

    fn cancel_timer(&mut self, timer: T) {
        self.ctx.cancel_timer((self.timer)(timer));
    }

    fn choose(&mut self, arity: u64) -> u64 {
        self.ctx.choose(arity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_core::Outbox;

    type Step = Outbox<Ballot, Timer, fn(u64) -> u64>;

    /// By member and port: the peer behind it. Everybody is linked to everybody.
    const IDS: [u64; 4] = [7, 3, 9, 5];

    fn peers(id: u64) -> BTreeMap<Id, Port> {
        IDS.into_iter().filter(|&other| other != id).map(Id).zip((0..).map(Port)).collect()
    }

    fn at(algorithm: Algorithm, id: u64, view: &[u64]) -> Option<Election> {
        let view: Vec<Id> = view.iter().copied().map(Id).collect();
        Election::among(algorithm, Id(id), &view, &peers(id))
    }

    /// Lets all of a view hold an election, and returns who has won for each.
    fn elect(algorithm: Algorithm, view: &[u64], number: u64) -> Vec<Option<Id>> {
        let mut elections: Vec<Election> = view.iter().map(|&id| at(algorithm, id, view).unwrap()).collect();
        let mut step = Step::new(3, |_| 0);
        let (mut mail, mut timers) = (vec![], vec![]);
        let keep = |me: usize, step: &mut Step, timers: &mut Vec<(usize, Timer)>| {
            for (timer, after) in step.timers.drain(..) {
                timers.retain(|one| *one != (me, timer));
                timers.extend(after.map(|_| (me, timer)));
            }
            step.sent.drain(..).map(|(port, ballot)| (me, port, ballot)).collect::<Vec<_>>()
        };
        for (me, election) in elections.iter_mut().enumerate() {
            election.hold(number, &mut step);
            mail.extend(keep(me, &mut step, &mut timers));
        }
        while !mail.is_empty() || !timers.is_empty() {
            let me = if mail.is_empty() {
                let (me, timer) = timers.remove(0);
                elections[me].timeout(timer, &mut step);
                me
            } else {
                let (sender, port, ballot) = mail.remove(0);
                let to = peers(view[sender]).into_iter().find(|(_, one)| *one == port).unwrap().0;
                let me = view.iter().position(|&id| Id(id) == to).expect("only a member of the view is sent to");
                assert_eq!(ballot.stamp().0, number);
                elections[me].receive(peers(to.0)[&Id(view[sender])], ballot, &mut step);
                me
            };
            mail.extend(keep(me, &mut step, &mut timers));
        }
        elections.iter().map(Election::winner).collect()
    }

    #[test]
    fn the_largest_of_every_view_wins_by_every_algorithm() {
        for &algorithm in Algorithm::ALL {
            for view in [&[3, 5][..], &[5, 9], &[3, 5, 7], &[3, 7, 9], &[3, 5, 7, 9]] {
                let largest = view.last().copied().map(Id);
                assert_eq!(elect(algorithm, view, 4), vec![largest; view.len()], "{algorithm:?} {view:?}");
            }
        }
    }

    #[test]
    fn a_view_must_have_the_member_in_it_and_somebody_else_and_no_stranger() {
        let enters = |view: &[u64]| at(Algorithm::Bully, 5, view).is_some();
        assert!(enters(&[3, 5]));
        assert!(!enters(&[3, 7]) && !enters(&[5]) && !enters(&[]) && !enters(&[5, 8]) && !enters(&[5, 3]));
    }

    #[test]
    fn what_did_not_come_over_a_link_of_the_view_is_dropped() {
        let mut step = Step::new(3, |_| 0);
        let view = [3, 5, 7];
        at(Algorithm::ChangRoberts, 3, &view).unwrap().hold(1, &mut step);
        let ballot = step.sent[0].1.clone();
        let mut five = at(Algorithm::ChangRoberts, 5, &view).unwrap();
        five.hold(1, &mut Step::new(3, |_| 0));
        let before = five.clone();
        for (from, port) in [(peers(5)[&Id(7)], ballot.1), (peers(5)[&Id(3)], Port(9))] {
            five.receive(from, Ballot(ballot.0.clone(), port, ballot.2.clone()), &mut step);
            assert_eq!(five, before);
        }
    }

    #[test]
    fn the_algorithms_let_the_largest_win() {
        for name in Algorithm::NAMES {
            let info = crate::registry::CATALOGUE.iter().find(|info| info.name == *name).unwrap();
            assert!(matches!(info.winner, Winner::MaxOfAll | Winner::MaxOfInitiators), "{name}");
        }
    }
}
