//! Shared code of the programs `ratios`, `history` and `instructions`: criterion's results, the
//! names of the machine and the benchmarks, statistics, errors.

pub mod failure;
pub mod host;
pub mod name;
pub mod results;
pub mod statistics;
