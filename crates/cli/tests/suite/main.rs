//! The program, as users and other programs see it.

mod assumptions;
mod behaviour;
mod console;
mod gallery;
mod pictures;
mod reference;
mod ring;
mod sweep;
