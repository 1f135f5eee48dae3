//! Elections on trees: there is exactly one way between any two nodes.

mod tree_sequential;
mod tree_waves;

pub use tree_sequential::TreeSequential;
pub use tree_waves::TreeWaves;
