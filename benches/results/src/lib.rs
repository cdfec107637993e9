//! The results of benchmarks, where they were measured, and their tables.

pub mod environment;
pub mod measurement;
pub mod table;
