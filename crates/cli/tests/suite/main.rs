//! The program, as users and other programs see it.

mod assumptions;
mod behaviour;
mod console;
mod gallery;
mod lab;
mod pictures;
mod reference;
mod ring;
mod sweep;
mod teaching;
