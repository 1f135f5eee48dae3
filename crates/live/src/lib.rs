//! Elections on real threads: [`threads`] plays any algorithm like a simulated run, [`ring`] is a ring of workers that
//! elect again and again and survive failures.

#![warn(clippy::unwrap_used)]

pub mod ring;
pub mod threads;
