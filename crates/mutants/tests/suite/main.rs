//! The algorithms with planted bugs, in one program: together they are compiled once.

mod checked;
mod lease;
mod member;
mod planted;
mod shrink;
