//! Traits and codecs for the readers, writers and buffers of other crates and of `std`: one file
//! for each of them.

#[cfg(feature = "bytes")]
pub(crate) mod bytes;
#[cfg(feature = "embedded-io")]
pub mod embedded_io;
#[cfg(feature = "std")]
pub(crate) mod std_io;
#[cfg(feature = "tokio-util")]
pub mod tokio_util;
