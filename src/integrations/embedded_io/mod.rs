//! Varints and length-prefixed payloads for the blocking readers and writers of the crate `embedded-io`, without `std` and
//! without allocation.
//!
//! The traits have the names of those for `std::io`. A payload is read into a buffer of the caller.
//!
//! ```
//! use zigzag_varint::LengthPrefix;
//! use zigzag_varint::embedded_io::{ReadVarint, WriteVarint};
//!
//! const NAME: LengthPrefix = LengthPrefix::new(16);
//!
//! let mut flash = [0; 16];
//! let mut output = &mut flash[..];
//! output.write_varint(-150i32)?;
//! output.write_length_prefixed(NAME, b"probe 7")?;
//!
//! let mut input = &flash[..];
//! let mut name = [0; 16];
//! assert_eq!(input.read_varint::<i32>()?, -150);
//! assert_eq!(input.read_length_prefixed(NAME, &mut name)?, b"probe 7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buf_read;
mod error;
mod read;
mod write;

pub use self::buf_read::BufReadVarint;
pub use self::error::Error;
pub use self::read::ReadVarint;
pub use self::write::WriteVarint;
