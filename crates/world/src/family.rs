//! All small networks, and what may be done with each: so that somebody can go through every case, and through each once.

mod assignments;
mod numberings;
mod shapes;
mod symmetries;

pub use assignments::{orders, sets};
pub use numberings::numberings;
pub use shapes::{graphs, trees};
pub use symmetries::symmetries;
