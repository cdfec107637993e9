//! What the benchmarks and the program `history` share: results with their names, tables, the runs of
//! commits, and errors.

pub mod failure;
pub mod history;
pub mod results;
pub mod table;
