//! Pictures of elections: space-time diagrams and networks, as SVG, PNG and text; and charts of what they cost.
//!
//! A picture is taken from a trace, whoever wrote it: a simulation, a checker or threads. A [`Recorder`] follows the
//! events and makes a [`Diagram`], which [`spacetime`] and [`text`] draw; a [`Portrait`] follows the same events
//! and draws the network. A [`chart`] shows what many runs cost by their size, [`bars`] what several take side by side.
//! The same data gives the same bytes on every machine.

#![warn(clippy::unwrap_used)]

mod axis;
pub mod bars;
mod caption;
pub mod chart;
pub mod density;
pub mod diagram;
mod html;
mod lanes;
mod layout;
mod legend;
mod page;
mod palette;
mod png;
mod portrait;
mod recorder;
mod reel;
mod remarks;
mod sheet;
mod signs;
pub mod spacetime;
mod states;
mod svg;
pub mod text;

pub use diagram::{Caption, Diagram};
pub use lanes::Lanes;
pub use png::{Ground, png};
pub use portrait::Portrait;
pub use recorder::{MOST_LANES, MOST_MESSAGES, Recorder};
pub use reel::{MOST_EVENTS, Reel};
pub use remarks::{Remarks, Stop};
