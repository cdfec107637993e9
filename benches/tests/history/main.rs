//! The `history` program, on made-up commits and criterion folders.

mod commits;
#[path = "../common/mod.rs"]
mod common;
mod errors;
mod noise;
mod pictures;
mod world;
