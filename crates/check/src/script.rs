//! Enumerates all outcomes of random choices.

use bellwether_core::Draws;

/// The largest number of draws in one step. A step that draws more may go on for ever.
const MOST_DRAWS: usize = 256;

/// From this number of values on, a draw is a nonce: nobody draws the same again. So one value stands for all.
const NONCE: u64 = 1 << 32;

/// The values for the choices of a step. After the last of them the first value (0) is chosen.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The values, each with the number of values to choose from.
    values: Vec<(u64, u64)>,
    drawn: usize,
}

impl Script {
    /// Whether there were too many draws to follow.
    pub fn is_too_long(&self) -> bool {
        self.drawn > MOST_DRAWS
    }

    /// One over the probability of these choices.
    pub fn ways(&self) -> u64 {
        let taken = &self.values[..self.drawn.min(self.values.len())];
        taken.iter().fold(1, |ways, (_, arity)| ways.saturating_mul(*arity))
    }

    /// The next script: the last value that can still grow is increased. `None` after the last script.
    pub fn next(mut self) -> Option<Self> {
        self.values.truncate(self.drawn);
        while let Some((value, arity)) = self.values.pop() {
            if value + 1 < arity {
                self.values.push((value + 1, arity));
                return Some(Self { values: self.values, drawn: 0 });
            }
        }
        None
    }
}

impl Draws for Script {
    fn draw(&mut self, arity: u64) -> u64 {
        if arity >= NONCE {
            return arity - 1;
        }
        self.drawn += 1;
        if self.is_too_long() {
            // Nothing is recorded any more. The values rotate: one of them may let the step end.
            return (self.drawn as u64 / 7) % arity;
        }
        if self.drawn > self.values.len() {
            self.values.push((0, arity));
        }
        self.values[self.drawn - 1].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_drawn_in_one_way() {
        let mut script = Script::default();
        assert_eq!((script.draw(NONCE), script.ways()), (NONCE - 1, 1));
        assert!(script.next().is_none());
    }

    #[test]
    fn later_choices_may_depend_on_earlier_ones() {
        // A coin, and after a 1 a die with three sides.
        let (mut script, mut seen) = (Some(Script::default()), vec![]);
        while let Some(mut now) = script {
            let mut draws = vec![now.draw(2)];
            if draws == [1] {
                draws.push(now.draw(3));
            }
            seen.push((draws, now.ways()));
            script = now.next();
        }
        assert_eq!(seen, [(vec![0], 2), (vec![1, 0], 6), (vec![1, 1], 6), (vec![1, 2], 6)]);
    }
}
