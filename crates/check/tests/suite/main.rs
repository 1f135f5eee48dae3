//! The tests of the checker, in one program: together they are compiled once.

mod endings;
mod exact;
mod perpetual;
