//! The locks of the hand-over. Its model replaces them.

pub use std::sync::{Condvar, Mutex, MutexGuard};
