//! All small networks, with their numberings, orders of ids and sets of nodes. Every case is listed exactly once.

mod assignments;
mod numberings;
mod shapes;
mod symmetries;

pub use assignments::{orders, sets};
pub use numberings::numberings;
pub use shapes::{graphs, trees};
pub use symmetries::symmetries;
