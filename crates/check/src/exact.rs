//! Exact costs and exact odds.
//!
//! If processes draw, the states of a network and its moves are a Markov decision process: an adversary chooses the
//! move, chance chooses its outcome. Expectations are the solution of linear equations. It is computed in rational
//! numbers, without rounding.

mod equations;
mod lockstep;
mod odds;
mod orders;
mod process;

pub use odds::{Odds, Range, odds};
pub use orders::{Chances, Cost, Costs, Expected, Extreme, MOST_STATES, Spread, costs, expected, over_schedules};
pub use process::{Branch, DecisionProcess};

pub use crate::rounds::RoundAutomaton;
