//! A profile in memory, and its conversion from and to pprof's format within bounded memory.

mod budget;
mod error;
mod fields;
pub(crate) mod model;
mod prune;
mod read;
mod wire;
mod write;

pub use error::ProfileError;
pub use model::Profile;
