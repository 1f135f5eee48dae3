//! The catalogue as a table: one line an algorithm.

use bellwether_core::{Info, Process, Rounds};

use crate::{complete, graph, lease, ring, tree};

/// What a caller does with an algorithm once its name has become a type.
pub trait Visitor {
    /// The result of the visit.
    type Output;

    /// An asynchronous algorithm.
    fn process<P: Process>(self) -> Self::Output;

    /// A round-based algorithm.
    fn rounds<R: Rounds>(self) -> Self::Output;
}

macro_rules! registry {
    (elections { $($model:ident $algorithm:ty;)* } perpetual { $($perpetual:ty;)* }) => {
        /// The entries of the catalogue, in its order: algorithms that hold an election.
        pub const CATALOGUE: &[&Info] = &[$(registry!(@trait $model, $algorithm)),*];

        /// The entries of algorithms that never end.
        pub const PERPETUAL: &[&Info] = &[$(<$perpetual as Process>::INFO),*];

        /// Turns a name into a type and visits it; `None` if there is no such algorithm.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(
                if registry!(@trait $model, $algorithm).name == name {
                    return Some(visitor.$model::<$algorithm>());
                }
            )*
            $(
                if <$perpetual as Process>::INFO.name == name {
                    return Some(visitor.process::<$perpetual>());
                }
            )*
            None
        }
    };
    (@trait process, $algorithm:ty) => { <$algorithm as Process>::INFO };
    (@trait rounds, $algorithm:ty) => { <$algorithm as Rounds>::INFO };
}

registry! {
    elections {
        process ring::ChangRoberts;
        rounds  ring::Clockwise;
        process ring::ClockwiseAsync;
        process ring::LeLann;
        rounds  ring::TimeSlice;
        rounds  ring::VariableSpeeds;
        process ring::Peterson;
        process ring::DolevKlaweRodeh;
        process ring::ItaiRodeh;
        rounds  ring::ItaiRodehSync;
        process ring::ChangRobertsBidirectional;
        process ring::Franklin;
        process ring::HirschbergSinclair;
        process tree::TreeSequential;
        process tree::TreeWaves;
        process graph::TraversalPath;
        process graph::TraversalEdgeColouring;
        process graph::EchoElection;
        process graph::Adoption;
        rounds  graph::Floodmax;
        process graph::BroadcastMax;
        process complete::Bully;
        rounds  complete::RandomCandidacy;
    }
    perpetual {
        lease::Lease;
        lease::Member;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether_core::{Informs, Model, Winner};

    struct ModelOfTrait;

    impl Visitor for ModelOfTrait {
        type Output = Model;

        fn process<P: Process>(self) -> Model {
            Model::Asynchronous
        }

        fn rounds<R: Rounds>(self) -> Model {
            Model::Synchronous
        }
    }

    #[test]
    fn every_entry_has_the_base_of_its_model() {
        for info in CATALOGUE {
            assert_eq!(visit(info.name, ModelOfTrait), Some(info.model), "{}", info.name);
        }
    }

    #[test]
    fn no_entry_leaves_a_text_or_a_promise_to_its_base() {
        for info in CATALOGUE {
            let texts = [info.name, info.summary, info.paper, info.source, info.example];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", info.name);
            let (by_chance, untold) = (info.winner == Winner::Random, info.informs == Informs::End);
            assert_eq!((by_chance, untold), (info.is_anonymous(), info.is_anonymous()), "{}", info.name);
        }
    }
}
