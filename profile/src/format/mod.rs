//! A profile in memory, and pprof's format: read from any bytes within bounded memory, and written.

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
