//! The locks that the hand-over is made of; its model puts others in their place.

pub use std::sync::{Condvar, Mutex, MutexGuard};
