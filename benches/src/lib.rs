//! The results of benchmarks, where they were measured, and their tables. They are a library for the sake of their tests, because a
//! benchmark program has no unit tests.

pub mod environment;
pub mod results;
pub mod table;
