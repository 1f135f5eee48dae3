//! Things that were met, each once and with a number.
//!
//! Threads that search together must give the same numbers to the same things. So what any of them meets is written down
//! in one list that only grows; each has a copy of its beginning, and looks at the list itself only when it meets
//! something that is not in its copy: thousands of times while it looks at millions of states.

use std::hash::Hash;
use std::ops::Index;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;

type List<T> = IndexSet<T, FxBuildHasher>;

/// Numbers for things, in the order in which they were met. Clones of shared ones agree on them.
#[derive(Clone, Debug)]
pub struct Numbers<T> {
    /// What is known here: the beginning of what all have met.
    known: List<T>,
    /// What all have met, if there are others.
    all: Option<Arc<Mutex<List<T>>>>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { known: List::default(), all: None }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    /// From now on all clones give the same numbers to the same things.
    pub fn share(&mut self) {
        self.all.get_or_insert_with(|| Arc::new(Mutex::new(self.known.clone())));
    }

    /// The number of something, which is a new one if it was not met before.
    #[inline]
    pub fn of(&mut self, thing: T) -> u32 {
        self.get(&thing).unwrap_or_else(|| self.meet(thing))
    }

    /// The number of something, if it is known here.
    #[inline]
    pub fn get<Q: ?Sized + Hash + Equivalent<T>>(&self, thing: &Q) -> Option<u32> {
        self.known.get_index_of(thing).map(|number| number as u32)
    }

    #[cold]
    fn meet(&mut self, thing: T) -> u32 {
        let number = match &self.all {
            None => self.known.insert_full(thing).0,
            Some(all) => {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                let (number, _) = all.insert_full(thing);
                self.known.extend(all.iter().skip(self.known.len()).cloned());
                number
            }
        };
        number as u32
    }

    /// Something by its number, if it is known here.
    pub fn by(&self, number: u32) -> Option<&T> {
        self.known.get_index(number as usize)
    }

    /// How many things are known here.
    pub fn len(&self) -> usize {
        self.known.len()
    }
}

impl<T> Index<u32> for Numbers<T> {
    type Output = T;

    #[inline]
    fn index(&self, number: u32) -> &T {
        &self.known[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_shares_numbers_agrees_on_them() {
        let mut here = Numbers::default();
        assert_eq!([here.of("a"), here.of("b"), here.of("a")], [0, 1, 0]);
        let mut alone = here.clone();
        here.share();
        let mut there = here.clone();
        assert_eq!([there.of("c"), alone.of("d")], [2, 2]);
        // Met here for the first time, but not by all.
        assert_eq!([here.get("c"), Some(here.of("d")), Some(here.of("c"))], [None, Some(3), Some(2)]);
        assert_eq!(there.by(3), None);
        assert_eq!((there.of("d"), there[2], there.len()), (3, "c", 4));
    }
}
