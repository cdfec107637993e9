//! Zigzag and varint (unsigned LEB128, the wire format of Protocol Buffers) for every integer width.
//!
//! ```
//! use zigzag_varint::{Reader, VarInt, decode_slice, encode_slice};
//!
//! // One value, in an inline buffer. Signed types are zigzag-coded.
//! let encoded = (-150i64).encode();
//! assert_eq!(*encoded, [0xab, 0x02]);
//! assert_eq!(i64::decode(&encoded), Ok((-150, 2)));
//!
//! // Many values at once.
//! let mut bytes = [0; 16];
//! let len = encode_slice(&[1u64, 300, 70_000], &mut bytes)?;
//! let mut values = [0u64; 3];
//! decode_slice(&bytes[..len], &mut values)?;
//! assert_eq!(values, [1, 300, 70_000]);
//!
//! // Many values, one at a time.
//! let mut reader = Reader::new(&bytes[..len]);
//! assert_eq!(reader.read::<u8>()?, 1);
//! assert_eq!(reader.read::<u32>()?, 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which door
//!
//! | you have | use |
//! |---|---|
//! | one value | [`VarInt::encode`], [`VarInt::encode_to_slice`], [`VarInt::decode`] |
//! | one value, in `const` context | [`encode_u64`], [`decode_u64`] and their twins for each width |
//! | a slice of values | [`encode_slice`], [`decode_slice`], [`encoded_len_slice`] |
//! | bytes with values of mixed types | [`Reader`] |
//! | input in pieces | [`Decoder`] |
//! | `std::io` | `ReadVarint`, `WriteVarint` (feature `std`) |
//! | a sequence whose neighbours are close | [`delta`]: differences, zigzag-coded |
//! | a length that is known only later | [`encode_padded`]: a fixed width, to be patched in place |
//! | fields of protobuf | [`protobuf`]: `int32`, `sint64`, `bool` and the others by name |
//! | signed LEB128, as in WebAssembly and DWARF | [`sleb128`] |
//! | a payload behind its length | [`LengthPrefix`], for slices and every door below |
//! | the buffers of `bytes` | `BufVarint`, `BufMutVarint` (feature `bytes`) |
//! | a `tokio` socket, `Framed` | `codec::LengthPrefixedCodec`, `codec::VarintCodec` (feature `tokio-util`) |
//! | `embedded-io` | `embedded_io::ReadVarint`, `embedded_io::WriteVarint` (feature `embedded-io`) |
//! | untrusted input that must have one form only | the `_canonical` twin of each |
//!
//! Every door gives the same value or the same error at the same offset for the same bytes: the table is at [`VarInt`].
//! No input makes any of them panic, read outside its slice, or return a value that was cut short. The last two rows are wire
//! formats of their own, with their own tables; protobuf wants 32-bit fields cut short, and its canonical decoders refuse to.
//!
//! # Features
//!
//! * `std` (default): CPU features are found at run time; `std::io`. Without it the crate is `no_std`.
//! * `alloc` (part of `std`): functions that return a `Vec`.
//! * `bytes`, `embedded-io`, `tokio-util`: doors to the crates of these names, each of which brings that crate. The first two work
//!   without `std`.
//! * `defmt`: every error implements `defmt::Format`.
//! * `sweep`: the engine behind the `sweep` program, to check any codec. Brings many dependencies.
//!
//! Without the last five the crate has no dependency. No feature changes a result.
//!
//! # Not included, and why
//!
//! * `serde`: the format decides how an integer is written, and varints are what postcard and bincode 2 write by themselves.
//!   A module for `#[serde(with)]` could only hand the format a sequence of bytes, which binary formats may prefix with its length
//!   and JSON shows as `[172, 2]`.
//! * Traits for `AsyncRead`: there are three (`tokio`, `futures`, `embedded-io-async`), and a [`Decoder`] fed from any of them is
//!   five lines without a dependency, as its page shows. For `tokio` there are the codecs.
//! * `asynchronous-codec`: its traits are not those of `tokio-util` and change with its versions. [`LengthPrefix::decode`]
//!   is all that an implementation needs.

// The engine is written in everyday Rust; the codec never leaves `core`, whatever the features.
#![cfg_attr(not(feature = "sweep"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(all(feature = "std", not(feature = "sweep")))]
extern crate std;

mod backend;
#[cfg(feature = "bytes")]
mod buf;
mod bulk;
mod decoder;
mod encoded;
mod error;
#[cfg(feature = "std")]
mod io;
mod kernel;
mod length_prefix;
mod padded;
mod reader;
mod scalar;
#[allow(unsafe_code)]
mod simd;
mod varint;
#[cfg(feature = "alloc")]
mod vec;
mod width;

#[cfg(feature = "tokio-util")]
pub mod codec;
pub mod delta;
#[cfg(feature = "embedded-io")]
pub mod embedded_io;
pub mod protobuf;
pub mod sleb128;
#[cfg(feature = "sweep")]
pub mod sweep;
pub mod zigzag;

#[cfg(feature = "bytes")]
pub use buf::{BufMutVarint, BufVarint};
pub use bulk::{count, decode_slice, decode_slice_canonical, encode_slice, encoded_len_slice, skip};
pub use decoder::Decoder;
pub use encoded::Encoded;
pub use error::{BufferTooSmall, BulkError, DecodeError, ErrorKind, PaddedWidthError, Progress};
#[cfg(feature = "std")]
pub use io::{ReadVarint, WriteVarint};
pub use kernel::Kernel;
pub use length_prefix::{FrameError, LengthPrefix};
pub use padded::{
    encode_padded, encode_padded_i8, encode_padded_i16, encode_padded_i32, encode_padded_i64,
    encode_padded_i128, encode_padded_isize, encode_padded_u8, encode_padded_u16, encode_padded_u32,
    encode_padded_u64, encode_padded_u128, encode_padded_usize,
};
pub use reader::{Reader, Values};
pub use scalar::value::{
    decode_canonical_i8, decode_canonical_i16, decode_canonical_i32, decode_canonical_i64,
    decode_canonical_i128, decode_canonical_isize, decode_canonical_u8, decode_canonical_u16,
    decode_canonical_u32, decode_canonical_u64, decode_canonical_u128, decode_canonical_usize, decode_i8,
    decode_i16, decode_i32, decode_i64, decode_i128, decode_isize, decode_u8, decode_u16, decode_u32,
    decode_u64, decode_u128, decode_usize, encode_i8, encode_i16, encode_i32, encode_i64, encode_i128,
    encode_isize, encode_u8, encode_u16, encode_u32, encode_u64, encode_u128, encode_usize, encoded_len_i8,
    encoded_len_i16, encoded_len_i32, encoded_len_i64, encoded_len_i128, encoded_len_isize, encoded_len_u8,
    encoded_len_u16, encoded_len_u32, encoded_len_u64, encoded_len_u128, encoded_len_usize,
};
pub use varint::VarInt;
#[cfg(feature = "alloc")]
pub use vec::{decode_to_vec, encode_to_vec};

/// README's examples, tested with the others.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
