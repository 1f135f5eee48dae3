//! Plays a recorded run again.
