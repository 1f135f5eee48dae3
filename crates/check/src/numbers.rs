//! Numbers for things: each thing gets one when it is first met.
//!
//! Threads that search together must give the same numbers to the same things. So all things that a thread meets are
//! written into one shared list that only grows. Each thread has a copy of the beginning of the list. It reads the
//! shared list only when it meets something that is not in its copy: thousands of times, for millions of states.

use std::hash::Hash;
use std::ops::Index;
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;

type List<T> = IndexSet<T, FxBuildHasher>;

/// Numbers for things, in the order in which they were met. Clones of shared ones agree on them.
#[derive(Clone, Debug)]
pub struct Numbers<T> {
    /// The things known here: the beginning of the shared list.
    known: List<T>,
    /// The shared list, if there are other threads.
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

    /// Learns all things that other threads have met so far.
    pub fn catch_up(&mut self) {
        if let Some(all) = &self.all {
            let all = all.lock().unwrap_or_else(PoisonError::into_inner);
            self.known.extend(all.iter().skip(self.known.len()).cloned());
        }
    }

    /// The number of a thing; a new number if it was not met before.
    #[inline]
    pub fn of(&mut self, thing: T) -> u32 {
        self.get(&thing).unwrap_or_else(|| self.meet(thing))
    }

    /// The number of a thing, if it is known here.
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

    /// A thing by its number, if it is known here.
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
        // Thing "d" is new here, but thing "c" is not new to all.
        assert_eq!([here.get("c"), Some(here.of("d")), Some(here.of("c"))], [None, Some(3), Some(2)]);
        assert_eq!(there.by(3), None);
        there.catch_up();
        assert_eq!(there.by(3), Some(&"d"));
        assert_eq!((there.of("d"), there[2], there.len()), (3, "c", 4));
    }
}
