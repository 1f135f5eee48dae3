//! One file per command.

pub mod check;
pub mod compare;
pub mod exact;
pub mod exercise;
pub mod explain;
pub mod lab;
pub mod list;
pub mod replay;
pub mod run;
pub mod sweep;
pub mod topology;
