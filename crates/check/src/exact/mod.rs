//! Exact costs and exact odds.
//!
//! Where processes draw, the states of a network and its moves are a Markov decision process: an adversary chooses the
//! move, chance chooses how it goes. What is to be expected is the solution of linear equations, and is found here in
//! rational numbers, without any rounding.

mod equations;
mod lockstep;
mod odds;
mod orders;
mod process;

pub use lockstep::Lockstep;
pub use odds::{Odds, Range, odds};
pub use orders::{Chances, Cost, Costs, Expected, Extreme, MOST_STATES, Spread, costs, expected, over_schedules};
pub use process::{DecisionProcess, Outcome};
