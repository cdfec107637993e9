//! The results of benchmarks, where they were measured, their tables, and what fails a run.

pub mod default_kernel;
pub mod environment;
pub mod measurement;
pub mod table;
