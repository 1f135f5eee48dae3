//! Linear equations of a Markov chain, solved exactly.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;

use crate::components::components;
use crate::ledger::{Ledger, Stop};

/// x = constant + Σ factor · x of another state.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The part that does not depend on other states.
    pub constant: BigRational,
    /// The part that does: each state with its factor.
    pub terms: Vec<(u32, BigRational)>,
}

/// The solution, by state; `None` where the chain may stay for ever.
///
/// The components are solved one by one. Within a component the last state is eliminated first: chains of an election
/// are long and thin, so the substituted terms stay short.
///
/// # Errors
/// If it was told to stop.
pub fn solve(equations: &[Equation], ledger: &Ledger) -> Result<Vec<Option<BigRational>>, Stop> {
    let zero = BigRational::default();
    let states = equations.len();
    let component = components(states, |state| equations[state as usize].terms.iter().map(|(to, _)| *to));
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for state in 0..states as u32 {
        members.entry(component[state as usize]).or_default().push(state);
    }
    let mut solution: Vec<Option<BigRational>> = vec![None; states];
    for members in members.values() {
        // The equations of this component, with the known values put in; and for each state the equations that refer to
        // it.
        let mut rows: BTreeMap<u32, Elimination> = BTreeMap::new();
        let mut users: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for &state in members {
            let equation = &equations[state as usize];
            let mut row = Elimination { constant: Some(equation.constant.clone()), terms: BTreeMap::new() };
            for (to, factor) in equation.terms.iter().filter(|(_, factor)| *factor != zero) {
                if component[*to as usize] == component[state as usize] {
                    *row.terms.entry(*to).or_default() += factor;
                    users.entry(*to).or_default().insert(state);
                } else {
                    row.add(solution[*to as usize].as_ref().map(|value| value * factor));
                }
            }
            rows.insert(state, row);
        }
        let mut eliminated: Vec<(u32, Elimination)> = Vec::new();
        for &state in members.iter().rev() {
            ledger.ask()?;
            let mut row = rows.remove(&state).expect("each is eliminated once");
            row.resolve(state);
            for user in users.remove(&state).unwrap_or_default() {
                let Some(other) = rows.get_mut(&user) else { continue };
                let Some(factor) = other.terms.remove(&state) else { continue };
                other.add(row.constant.as_ref().map(|constant| constant * &factor));
                for (to, share) in &row.terms {
                    *other.terms.entry(*to).or_default() += share * &factor;
                    users.entry(*to).or_default().insert(user);
                }
            }
            eliminated.push((state, row));
        }
        for (state, row) in eliminated.into_iter().rev() {
            let mut value = row.constant;
            for (to, factor) in row.terms {
                value = value.zip(solution[to as usize].as_ref()).map(|(sum, other)| sum + factor * other);
            }
            solution[state as usize] = value;
        }
    }
    Ok(solution)
}

/// An equation under way; without a constant it has no solution.
struct Elimination {
    constant: Option<BigRational>,
    terms: BTreeMap<u32, BigRational>,
}

impl Elimination {
    fn add(&mut self, more: Option<BigRational>) {
        self.constant = self.constant.take().zip(more).map(|(sum, more)| sum + more);
    }

    /// Brings the term of the state itself to the other side.
    fn resolve(&mut self, state: u32) {
        let one = BigRational::from_integer(1.into());
        let Some(own) = self.terms.remove(&state) else { return };
        if own == one {
            self.constant = None;
            self.terms.clear();
            return;
        }
        let factor = (&one - own).recip();
        self.constant = self.constant.take().map(|constant| constant * &factor);
        self.terms.values_mut().for_each(|share| *share *= &factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> BigRational {
        BigRational::new(p.into(), q.into())
    }

    #[test]
    fn a_coin_until_heads_and_a_trap() {
        let equations = [
            // Two tosses on average.
            Equation { constant: ratio(1, 1), terms: vec![(0, ratio(1, 2)), (1, ratio(1, 2))] },
            Equation { constant: ratio(0, 1), terms: vec![] },
            // The chain alternates between two states for ever.
            Equation { constant: ratio(1, 1), terms: vec![(3, ratio(1, 1))] },
            Equation { constant: ratio(1, 1), terms: vec![(2, ratio(1, 1))] },
            // A random walk on three states, with an exit at one end.
            Equation { constant: ratio(1, 1), terms: vec![(5, ratio(1, 2)), (1, ratio(1, 2))] },
            Equation { constant: ratio(1, 1), terms: vec![(4, ratio(1, 2)), (6, ratio(1, 2))] },
            Equation { constant: ratio(1, 1), terms: vec![(5, ratio(1, 1))] },
        ];
        let solution = solve(&equations, &Ledger::new(0)).unwrap();
        assert_eq!(solution[..4], [Some(ratio(2, 1)), Some(ratio(0, 1)), None, None]);
        assert_eq!(solution[4..], [Some(ratio(5, 1)), Some(ratio(8, 1)), Some(ratio(9, 1))]);
    }
}
