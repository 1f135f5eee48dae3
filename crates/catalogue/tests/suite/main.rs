//! The checker on the whole catalogue.

mod broken;
mod counts;
mod holds;
mod reduction;
mod stages;
mod support;
mod tables;
