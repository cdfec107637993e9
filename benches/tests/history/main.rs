//! The `history` program, on artificial commits and results.

mod commits;
#[path = "../common/mod.rs"]
mod common;
mod errors;
mod fixture;
mod noise;
