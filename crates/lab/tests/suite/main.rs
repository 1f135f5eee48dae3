//! What the lab answers.

mod runs;
