//! Lessons and exercises, held against the program.

mod exercises;
mod lessons;
