//! Elections where everybody is linked to everybody.

mod bully;
mod random_candidacy;

pub use bully::Bully;
pub use random_candidacy::RandomCandidacy;
