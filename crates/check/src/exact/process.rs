//! A Markov decision process.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::costs;
use crate::graph::StateGraph;

/// States with actions to choose from. Each action has one of several outcomes, by chance. State 0 is the first.
#[derive(Clone, Debug, Default)]
pub struct DecisionProcess {
    /// By state: its actions, each a list of outcomes; a state without actions is an end.
    pub states: Vec<Vec<Vec<Branch>>>,
}

/// One way in which an action may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its probability.
    pub chance: BigRational,
    /// The state that it leads to.
    pub to: u32,
    /// Election messages sent.
    pub messages: u32,
    /// By how many phases the election advances.
    pub phases: u32,
}

impl Branch {
    /// An outcome of which there are `count` among `of` equally likely ones.
    #[must_use]
    pub fn new(count: u64, of: u64, to: u32, messages: u32, phases: u32) -> Self {
        let chance = BigRational::new(BigInt::from(count), BigInt::from(of));
        Self { chance, to, messages, phases }
    }
}

impl DecisionProcess {
    /// Whether some state has more than one action.
    #[must_use]
    pub fn has_choice(&self) -> bool {
        self.states.iter().any(|actions| actions.len() > 1)
    }

    /// The fewest messages that chance and a schedule can cause, and the most; `None` if there is no bound.
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

impl From<&StateGraph> for DecisionProcess {
    fn from(graph: &StateGraph) -> Self {
        let state = |state: u32| {
            if graph.is_settled[state as usize] {
                return vec![];
            }
            let outcomes = |action: usize| {
                let edges = graph.edges_of(action).iter();
                edges.map(|edge| Branch::new(1, edge.ways, edge.to, edge.cost, edge.phases)).collect()
            };
            graph.actions_of(state).map(outcomes).collect()
        };
        Self { states: (0..graph.states() as u32).map(state).collect() }
    }
}
