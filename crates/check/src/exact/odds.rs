//! What is to be expected of an election, for every adversary that orders its steps.

use num_rational::BigRational;

use super::equations::{Equation, solve};
use super::{Branch, DecisionProcess};
use crate::ledger::{Ledger, Stop};

/// Expectations over all draws: for each the minimum and the maximum over all schedules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// Election messages.
    pub messages: Range,
    /// Phases.
    pub phases: Range,
    /// The probability that it is over within 1, 2, … phases.
    pub within: Vec<Range>,
}

/// The smallest and the largest value that a schedule can cause; `None` is unbounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// At least.
    pub least: Option<BigRational>,
    /// At most.
    pub most: Option<BigRational>,
}

impl Range {
    /// The value, if no schedule makes a difference.
    #[must_use]
    pub fn same(&self) -> Option<&BigRational> {
        self.least.as_ref().filter(|least| self.most.as_ref() == Some(*least))
    }
}

/// What an adversary aims at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Least,
    Most,
}

/// Expectations, and the table of probabilities for up to `rows` phases.
///
/// # Errors
/// If it was told to stop.
pub fn odds(process: &DecisionProcess, rows: u32, ledger: &Ledger) -> Result<Odds, Stop> {
    let zero = || BigRational::default();
    let count = |what: fn(&Branch) -> u32| {
        let expected = |aim| {
            let reward = |outcome: &Branch| (BigRational::from_integer(what(outcome).into()), true);
            Ok::<_, Stop>(best(process, aim, &zero(), &reward, ledger)?.map(|mut values| values.swap_remove(0)))
        };
        Ok::<_, Stop>(Range { least: expected(Aim::Least)?, most: expected(Aim::Most)? })
    };
    let (messages, phases) = (count(|outcome| outcome.messages)?, count(|outcome| outcome.phases)?);
    // By number of phases, then by state: the probability that the election ends within this many more phases.
    let table = |aim| {
        let mut table: Vec<Vec<BigRational>> = Vec::new();
        let mut row = Vec::new();
        for within in 0..=rows as usize {
            let one = BigRational::from_integer(1.into());
            let reward = |outcome: &Branch| match outcome.phases as usize {
                0 => (zero(), true),
                phases if phases <= within => (table[within - phases][outcome.to as usize].clone(), false),
                _ => (zero(), false),
            };
            let values = best(process, aim, &one, &reward, ledger)?;
            let values = values.unwrap_or_else(|| vec![zero(); process.states.len()]);
            row.push(values[0].clone());
            table.push(values);
        }
        Ok::<_, Stop>(row)
    };
    let least = table(Aim::Least)?;
    let most = if process.has_choice() { table(Aim::Most)? } else { least.clone() };
    let within =
        least.into_iter().zip(most).skip(1).map(|(least, most)| Range { least: Some(least), most: Some(most) });
    Ok(Odds { messages, phases, within: within.collect() })
}

/// The immediate value of an outcome, and whether the value of the state that it leads to is added.
type Reward<'a> = dyn Fn(&Branch) -> (BigRational, bool) + 'a;

/// The value of each state under the best choice of actions, if an end is worth `end`; `None` if there is no bound. It
/// uses policy iteration. A choice of actions is a chain, which is solved exactly. An action that does better there
/// replaces the chosen one, until there is none.
fn best(
    process: &DecisionProcess,
    aim: Aim,
    end: &BigRational,
    reward: &Reward<'_>,
    ledger: &Ledger,
) -> Result<Option<Vec<BigRational>>, Stop> {
    let Some(mut policy) = towards_the_end(process) else { return Ok(None) };
    loop {
        let equation = |(state, actions): (usize, &Vec<Vec<Branch>>)| match actions.get(policy[state] as usize) {
            None => Equation { constant: end.clone(), terms: vec![] },
            Some(outcomes) => {
                let mut equation = Equation { constant: BigRational::default(), terms: vec![] };
                for outcome in outcomes {
                    let (worth, goes_on) = reward(outcome);
                    equation.constant += &outcome.chance * worth;
                    if goes_on {
                        equation.terms.push((outcome.to, outcome.chance.clone()));
                    }
                }
                equation
            }
        };
        let equations: Vec<Equation> = process.states.iter().enumerate().map(equation).collect();
        let values: Option<Vec<BigRational>> = solve(&equations, ledger)?.into_iter().collect();
        let Some(values) = values else { return Ok(None) };
        let mut changed = false;
        for (state, actions) in process.states.iter().enumerate().filter(|(_, actions)| actions.len() > 1) {
            let value = |outcomes: &Vec<Branch>| {
                outcomes.iter().fold(BigRational::default(), |sum, outcome| {
                    let (worth, goes_on) = reward(outcome);
                    let worth = if goes_on { worth + &values[outcome.to as usize] } else { worth };
                    sum + &outcome.chance * worth
                })
            };
            for (index, outcomes) in actions.iter().enumerate() {
                let (new, old) = (value(outcomes), value(&actions[policy[state] as usize]));
                if if aim == Aim::Least { new < old } else { new > old } {
                    policy[state] = index as u32;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(Some(values));
        }
    }
}

/// A choice of actions under which every state reaches an end with probability 1; `None` if there is no such choice.
fn towards_the_end(process: &DecisionProcess) -> Option<Vec<u32>> {
    let states = process.states.len();
    let mut users: Vec<Vec<(u32, u32)>> = vec![vec![]; states];
    for (state, actions) in process.states.iter().enumerate() {
        for (action, outcomes) in actions.iter().enumerate() {
            for outcome in outcomes {
                users[outcome.to as usize].push((state as u32, action as u32));
            }
        }
    }
    let ends = (0..states as u32).filter(|state| process.states[*state as usize].is_empty());
    let mut policy: Vec<Option<u32>> = vec![None; states];
    let mut ahead: Vec<u32> = ends.clone().collect();
    ends.for_each(|state| policy[state as usize] = Some(0));
    // Breadth first, backwards from the ends: each state takes an action that may bring it nearer to an end.
    let mut next = 0;
    while next < ahead.len() {
        for &(state, action) in &users[ahead[next] as usize] {
            if policy[state as usize].is_none() {
                policy[state as usize] = Some(action);
                ahead.push(state);
            }
        }
        next += 1;
    }
    policy.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> BigRational {
        BigRational::new(p.into(), q.into())
    }

    #[test]
    fn an_adversary_chooses_between_a_coin_and_a_die() {
        // In state 0 either a coin is tossed or a die is thrown. A success ends it; each try is a phase of one message.
        let coin = vec![Branch::new(1, 2, 0, 1, 1), Branch::new(1, 2, 1, 1, 1)];
        let die = vec![Branch::new(5, 6, 0, 1, 1), Branch::new(1, 6, 1, 1, 1)];
        let process = DecisionProcess { states: vec![vec![coin, die], vec![]] };
        let odds = odds(&process, 2, &Ledger::new(0)).unwrap();
        assert_eq!(odds.messages, Range { least: Some(ratio(2, 1)), most: Some(ratio(6, 1)) });
        assert_eq!(odds.phases, odds.messages);
        assert_eq!(odds.within[0], Range { least: Some(ratio(1, 6)), most: Some(ratio(1, 2)) });
        assert_eq!(odds.within[1], Range { least: Some(ratio(11, 36)), most: Some(ratio(3, 4)) });
        assert_eq!(odds.messages.same(), None);
    }

    #[test]
    fn what_never_ends_has_no_expectation() {
        let process = DecisionProcess { states: vec![vec![vec![Branch::new(1, 1, 0, 1, 1)]]] };
        assert_eq!(odds(&process, 1, &Ledger::new(0)).unwrap().messages, Range { least: None, most: None });
    }
}
