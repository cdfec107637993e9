//! A profile in memory, and its conversion from and to pprof's format within bounded memory.

mod error;
mod limits;
mod profile;
mod read;
pub(crate) mod wire;

pub use error::ProfileError;
pub use profile::Profile;
