//! What the benchmarks and the programs of this package share: results, tables and the history of
//! commits, names of the machine and of benchmarks, errors.

pub mod commits;
pub mod failure;
pub mod history;
pub mod host;
pub mod name;
pub mod results;
pub mod table;
