//! Elections on any connected network.

mod adoption;
mod announcement;
mod broadcast_max;
mod echo_election;
mod floodmax;
mod traversal_edge_colouring;
mod traversal_path;

pub use adoption::Adoption;
pub use broadcast_max::BroadcastMax;
pub use echo_election::EchoElection;
pub use floodmax::Floodmax;
pub use traversal_edge_colouring::TraversalEdgeColouring;
pub use traversal_path::TraversalPath;
