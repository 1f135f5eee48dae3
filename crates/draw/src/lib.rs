//! Pictures of elections: space-time diagrams and networks as SVG, PNG and text, and charts of costs.
//!
//! A picture is made from the trace of a simulation, a checker or a live run. A [`DiagramBuilder`] follows the events
//! and makes a [`Diagram`], which [`spacetime`] and [`text`] draw. A [`Portrait`] follows the same events and draws the
//! network. A [`chart`] shows costs by size, and [`bars`] shows several costs side by side. The same data gives the
//! same bytes on every machine.

#![warn(clippy::unwrap_used)]

mod axis;
pub mod bars;
pub mod bundle;
mod caption;
pub mod chart;
pub mod density;
pub mod diagram;
mod diagram_builder;
mod html;
mod lanes;
mod layout;
mod legend;
mod page;
mod palette;
mod png;
mod portrait;
mod reel;
mod remarks;
mod sheet;
mod signs;
pub mod single_file;
pub mod spacetime;
mod states;
mod svg;
pub mod text;

pub use diagram::{Caption, Diagram};
pub use diagram_builder::{DiagramBuilder, MOST_LANES, MOST_MESSAGES};
pub use html::player;
pub use lanes::Lanes;
pub use png::{Ground, png};
pub use portrait::Portrait;
pub use reel::{MOST_EVENTS, Reel, drawn_network};
pub use remarks::{Remarks, Stop};
