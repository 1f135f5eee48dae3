//! The one-way ring elections as Stateright actors, all started, descending ids, FIFO links.
//!
//! Usage: `peer-stateright chang-roberts|dolev-klawe-rodeh NODES THREADS`. Prints the number of states.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::hash::Hash;

use stateright::actor::{Actor, ActorModel, Id, Network, Out};
use stateright::{Checker, Expectation, Model};

type Value = u8;

/// What the checked properties need to know of a node, whichever algorithm it runs.
trait Elects {
    /// Whom it follows, itself if it leads, or nobody yet.
    fn leader(&self) -> Option<Value>;
}

/// A node's place on the ring. Its id, descending clockwise, follows from it.
#[derive(Clone)]
struct Place {
    id: Value,
    next: Id,
}

#[derive(Clone)]
struct ChangRoberts(Place);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Candidate {
    Participant,
    Knows(Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Candidature {
    Elect(Value),
    Announce(Value),
}

impl Elects for Candidate {
    fn leader(&self) -> Option<Value> {
        match *self {
            Self::Participant => None,
            Self::Knows(leader) => Some(leader),
        }
    }
}

impl Actor for ChangRoberts {
    type Msg = Candidature;
    type State = Candidate;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Candidate {
        out.send(self.0.next, Candidature::Elect(self.0.id));
        Candidate::Participant
    }

    fn on_msg(&self, _: Id, state: &mut Cow<Candidate>, _: Id, msg: Candidature, out: &mut Out<Self>) {
        let Place { id, next } = self.0;
        let participant = **state == Candidate::Participant;
        match msg {
            Candidature::Elect(j) => match j.cmp(&id) {
                Ordering::Greater => {
                    *state.to_mut() = Candidate::Participant;
                    out.send(next, msg);
                }
                Ordering::Less if participant => {} // swallowed
                Ordering::Less => {
                    *state.to_mut() = Candidate::Participant;
                    out.send(next, Candidature::Elect(id));
                }
                Ordering::Equal if participant => {
                    *state.to_mut() = Candidate::Knows(id);
                    out.send(next, Candidature::Announce(id));
                }
                Ordering::Equal => {} // has come home before
            },
            Candidature::Announce(j) if j == id => {} // home again
            Candidature::Announce(j) => {
                *state.to_mut() = Candidate::Knows(j);
                out.send(next, msg);
            }
        }
    }
}

#[derive(Clone)]
struct DolevKlaweRodeh(Place);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Active {
    First { c: Value },
    Second { c: Value, a: Value },
    Relay,
    Announcer(Value),
    Informed(Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Comparison {
    One(Value),
    Two(Value),
    Announce(Value),
}

impl Elects for Active {
    fn leader(&self) -> Option<Value> {
        match *self {
            Self::First { .. } | Self::Second { .. } | Self::Relay => None,
            Self::Announcer(leader) | Self::Informed(leader) => Some(leader),
        }
    }
}

impl Actor for DolevKlaweRodeh {
    type Msg = Comparison;
    type State = Active;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Active {
        out.send(self.0.next, Comparison::One(self.0.id));
        Active::First { c: self.0.id }
    }

    fn on_msg(&self, _: Id, state: &mut Cow<Active>, _: Id, msg: Comparison, out: &mut Out<Self>) {
        let next = self.0.next;
        let (role, sent) = match (msg, **state) {
            (Comparison::One(a), Active::First { c }) if a == c => {
                (Active::Announcer(c), Some(Comparison::Announce(c)))
            }
            (Comparison::One(a), Active::First { c }) => (Active::Second { c, a }, Some(Comparison::Two(a))),
            (Comparison::Two(b), Active::Second { c, a }) if a > c && a > b => {
                (Active::First { c: a }, Some(Comparison::One(a)))
            }
            (Comparison::Two(_), Active::Second { .. }) => (Active::Relay, None),
            (Comparison::One(_) | Comparison::Two(_), Active::Relay) => (Active::Relay, Some(msg)),
            (Comparison::One(_) | Comparison::Two(_), role) => (role, None), // never on FIFO links
            (Comparison::Announce(_), Active::Announcer(leader)) => (Active::Informed(leader), None), // home again
            (Comparison::Announce(x), _) => (Active::Informed(x), Some(msg)),
        };
        if role != **state {
            *state.to_mut() = role;
        }
        if let Some(sent) = sent {
            out.send(next, sent);
        }
    }
}

fn check<A>(nodes: usize, threads: usize, actor: fn(Place) -> A)
where
    A: Actor<Timer = (), Random = (), Storage = ()> + Send + Sync + 'static,
    A::Msg: Ord + Send + Sync + 'static,
    A::State: Elects + Send + Sync + 'static,
{
    let place = |i: usize| Place { id: (nodes - i) as Value, next: Id::from((i + 1) % nodes) };
    let checker = ActorModel::new(nodes as Value, ())
        .actors((0..nodes).map(|i| actor(place(i))))
        .init_network(Network::new_ordered([]))
        .property(Expectation::Always, "at most one leader, the largest id", |model, state| {
            let ids = (1..=model.cfg).rev();
            state.actor_states.iter().zip(ids).all(|(node, id)| node.leader() != Some(id) || id == model.cfg)
        })
        .property(Expectation::Eventually, "all know the leader", |model, state| {
            state.actor_states.iter().all(|node| node.leader() == Some(model.cfg))
        })
        .checker()
        .threads(threads)
        .spawn_bfs()
        .join();
    checker.assert_properties();
    println!("{}", checker.unique_state_count());
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, algorithm, nodes, threads] = &arguments[..] else {
        panic!("usage: peer-stateright ALGORITHM NODES THREADS");
    };
    let [nodes, threads] = [nodes, threads].map(|number| number.parse().expect("a number"));
    match algorithm.as_str() {
        "chang-roberts" => check(nodes, threads, ChangRoberts),
        "dolev-klawe-rodeh" => check(nodes, threads, DolevKlaweRodeh),
        other => panic!("no algorithm {other}"),
    }
}
