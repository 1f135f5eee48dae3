//! Random choices, all ways in which they may turn out, one after the other.

/// A step that draws more values may go on for ever.
const MOST_DRAWS: usize = 256;

/// The values that the choices of a step take; beyond them the first value is taken.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Values, each with the number of values that there are to choose from.
    values: Vec<(u64, u64)>,
    drawn: usize,
}

impl Script {
    /// The next value, out of so many.
    pub fn choose(&mut self, arity: u64) -> u64 {
        self.drawn += 1;
        if self.is_too_long() {
            // Nothing is recorded any more, and by turns every value comes: one of them may let the step end.
            return (self.drawn as u64 / 7) % arity;
        }
        if self.drawn > self.values.len() {
            self.values.push((0, arity));
        }
        self.values[self.drawn - 1].0
    }

    /// Whether more was drawn than can be followed.
    pub fn is_too_long(&self) -> bool {
        self.drawn > MOST_DRAWS
    }

    fn taken(&self) -> &[(u64, u64)] {
        &self.values[..self.drawn.min(self.values.len())]
    }

    /// What was chosen.
    pub fn draws(&self) -> Vec<u64> {
        self.taken().iter().map(|(value, _)| *value).collect()
    }

    /// One over the probability of these choices.
    pub fn ways(&self) -> u64 {
        self.taken().iter().fold(1, |ways, (_, arity)| ways.saturating_mul(*arity))
    }

    /// The script after this one: the last value that can still grow does. `None` after the last.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_choices_may_depend_on_earlier_ones() {
        // A coin, and after heads a die of three sides.
        let (mut script, mut seen) = (Some(Script::default()), vec![]);
        while let Some(mut now) = script {
            if now.choose(2) == 1 {
                now.choose(3);
            }
            seen.push((now.draws(), now.ways()));
            script = now.next();
        }
        assert_eq!(seen, [(vec![0], 2), (vec![1, 0], 6), (vec![1, 1], 6), (vec![1, 2], 6)]);
    }
}
