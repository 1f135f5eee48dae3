//! The checker on the whole catalogue.

mod agreement;
mod broken;
mod counts;
mod holds;
mod in_rounds;
mod phases;
mod reduction;
mod support;
mod tables;
mod variants;
