//! Elections played and compared with theory, one file per layer. They are one program because every file plays every
//! algorithm on every host, and compiling that once is enough.

mod bounds;
mod closed_forms;
mod complete;
mod determinism;
mod faults;
mod golden;
mod graphs;
mod hosts;
mod judge;
mod live;
mod numbering;
mod papers;
mod phases;
mod properties;
mod repeated;
mod rules;
mod tables;
mod timers;
mod trees;

use bellwether_trials as support;
