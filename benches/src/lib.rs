//! What the programs beside the benchmarks share: reading criterion's results, naming the machine, and statistics.

pub mod failure;
pub mod host;
pub mod name;
pub mod results;
pub mod statistics;
