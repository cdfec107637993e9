//! Profiles of the sweep program, taken and shown.

mod panics;
mod program;
