//! Traits and codecs for the readers, writers and buffers of `std` and of other crates, one file for
//! each of them. Those that read share `source`, and those that write share `sink`.

#[cfg(feature = "bytes")]
pub(crate) mod bytes;
#[cfg(feature = "tokio-util")]
pub mod codec;
#[cfg(feature = "embedded-io")]
pub mod embedded_io;
#[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
mod sink;
#[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
mod source;
#[cfg(feature = "std")]
pub(crate) mod std_io;
