//! The tests of virtual time, in one program: together they are compiled once.

mod allocations;
mod registers;
mod stage;
mod streams;
mod support;
