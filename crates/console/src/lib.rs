//! What commands share at the terminal: styles, tables, progress, files, pictures and failures.

#![warn(clippy::unwrap_used)]

pub mod draft;
pub mod drawing;
pub mod failure;
pub mod files;
mod here;
pub mod progress;
pub mod style;
pub mod table;

pub use here::Here;
