//! A Markov decision process.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::costs;
use crate::graph::Graph;

/// States with actions to choose from, each of which goes one of several ways by chance. State 0 is the first.
#[derive(Clone, Debug, Default)]
pub struct DecisionProcess {
    /// By state: its actions, each a list of outcomes; a state without actions is an end.
    pub states: Vec<Vec<Vec<Outcome>>>,
}

/// One way in which an action may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its probability.
    pub chance: BigRational,
    /// The state that it leads to.
    pub to: u32,
    /// Election messages sent.
    pub messages: u32,
    /// By how many stages the election advances.
    pub stages: u32,
}

impl Outcome {
    /// An outcome that is so many out of so many equally likely ones.
    #[must_use]
    pub fn new(count: u64, of: u64, to: u32, messages: u32, stages: u32) -> Self {
        let chance = BigRational::new(BigInt::from(count), BigInt::from(of));
        Self { chance, to, messages, stages }
    }
}

impl DecisionProcess {
    /// Whether anybody has a choice.
    #[must_use]
    pub fn has_choice(&self) -> bool {
        self.states.iter().any(|actions| actions.len() > 1)
    }

    /// The fewest messages that chance and a schedule can bring about, and the most; `None` if there is no bound.
    #[must_use]
    pub fn extremes(&self) -> (Option<u64>, Option<u64>) {
        let edges = |state: u32| {
            let outcomes = self.states[state as usize].iter().flatten();
            outcomes.map(|outcome| (outcome.to, outcome.messages))
        };
        let most = costs::most(self.states.len(), edges).map(|(component, most)| most[component[0] as usize]);
        (costs::least(self.states.len(), |state| self.states[state as usize].is_empty(), edges), most)
    }
}

impl From<&Graph> for DecisionProcess {
    fn from(graph: &Graph) -> Self {
        let state = |state: u32| {
            if graph.settled[state as usize].is_some() {
                return vec![];
            }
            let outcomes = |action: usize| {
                let edges = graph.edges_of(action).iter();
                edges.map(|edge| Outcome::new(1, edge.ways, edge.to, edge.cost, edge.stages)).collect()
            };
            graph.actions_of(state).map(outcomes).collect()
        };
        Self { states: (0..graph.states() as u32).map(state).collect() }
    }
}
