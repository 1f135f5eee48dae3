//! The program, as a person or another program uses it.

mod assumptions;
mod behaviour;
mod console;
mod gallery;
mod pictures;
mod ring;
mod sweep;
