//! Zigzag and varint (unsigned LEB128, the wire format of Protocol Buffers) for every integer width.
//!
//! ```
//! use zigzag_varint::{Reader, Varint, decode_slice, encode_slice};
//!
//! // One value, in an inline buffer. Signed types are zigzag-coded.
//! let encoded = (-150i64).encode();
//! assert_eq!(encoded, [0xab, 0x02]);
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
//! | one value | [`Varint::encode`], [`Varint::encode_to_slice`], [`Varint::decode`] |
//! | one value, in `const` context | [`encode_u64`], [`decode_u64`] and their twins for each width |
//! | a slice of values | [`encode_slice`], [`decode_slice`], [`encoded_len_slice`]; `encode_to_vec`, `decode_to_vec` (feature `alloc`) |
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
//! Every door gives the same value or the same error at the same offset for the same bytes: the table is below.
//! No input makes any of them panic, read outside its slice, or return a value that was cut short. Signed LEB128 and protobuf's
//! fields are wire formats of their own, with their own tables; protobuf wants 32-bit fields cut short, and its canonical decoders refuse to.
//!
//! # Verdicts
//!
//! For `u64`; the other widths have their own limits, 2 to 19 bytes:
//!
//! | bytes | `decode` | `decode_canonical` |
//! |---|---|---|
//! | none; `80`; nine times `80` | `Truncated` | `Truncated` |
//! | `80` ten times or more | `Overflow` | `Overflow` |
//! | nine times `ff`, `01` | `u64::MAX`, 10 bytes | the same |
//! | nine times `ff`, `02` or more | `Overflow`, never a value cut short | `Overflow` |
//! | `80 00` | 0, 2 bytes | `NonCanonical` |
//! | nine times `80`, `00` | 0, 10 bytes | `NonCanonical` |
//!
//! `Truncated` may be cured by more bytes ([`DecodeError::is_incomplete`]), the others are final; each names the byte at fault. Decode leniently where the
//! format allows padding (protobuf, WebAssembly, DWARF), canonically where bytes are compared, hashed or signed:
//! [`docs/policy.md`](https://docs.rs/crate/zigzag-varint/latest/source/docs/policy.md) has the formats one by one.
//!
//! # Speed
//!
//! Nanoseconds per value, and in brackets how many times as fast as the best published crate in the same run: streams of 65,536 values of one byte, of two,
//! as protobuf messages mix them, of every length alike, uniform, consecutive from 1e8, consecutive from the least `i64`. Some rows of README's tables; Intel Xeon
//! (AVX-512), rustc 1.95.0. By `cargo bench`, then `cargo run -p zigzag-varint-benches --bin ratios -- encode/u64 decode/u64`, in the repository.
//!
//! `encode_slice` and `encode` of `u64`:
//!
//! |  | 1B | 2B | mix | log | rand | 1e8 | MIN |
//! |---|--:|--:|--:|--:|--:|--:|--:|
//! | best peer | bytes-varint 0.37 | bytes-varint 0.79 | varint-simd 3.37 | varint-simd 2.99 | varint-simd 3.03 | unsigned-varint 1.38 | unsigned-varint 2.47 |
//! | ours-avx512 | **0.06 (6.0×)** | **0.14 (5.6×)** | **0.25 (13.7×)** | **0.38 (7.9×)** | **0.31 (9.7×)** | **0.17 (7.9×)** | **0.28 (8.8×)** |
//! | ours-avx2 | 0.12 (3.0×) | 0.14 (5.6×) | 0.62 (5.4×) | 0.57 (5.3×) | 0.58 (5.2×) | 0.18 (7.5×) | 0.40 (6.2×) |
//! | ours-single | 1.00 (0.4×) | 1.00 (0.8×) | 1.01 (3.3×) | 1.02 (2.9×) | 1.00 (3.0×) | 1.02 (1.3×) | 1.10 (2.2×) |
//!
//! `decode_slice`, the `Reader` and `decode` of `u64`:
//!
//! |  | 1B | 2B | mix | log | rand | 1e8 | MIN |
//! |---|--:|--:|--:|--:|--:|--:|--:|
//! | best peer | leb128fmt 0.37 | plain 0.80 | plain 3.75 | varint-simd-unsafe 4.87 | varint-simd-unsafe 5.02 | plain 1.47 | prost 3.39 |
//! | ours-avx512 | 0.14 (2.7×) | 0.17 (4.8×) | **0.29 (12.8×)** | **0.50 (9.8×)** | **0.69 (7.3×)** | 0.20 (7.5×) | **0.29 (11.9×)** |
//! | ours-avx2 | **0.13 (2.9×)** | **0.13 (6.1×)** | 0.36 (10.4×) | 0.86 (5.7×) | 1.02 (4.9×) | **0.14 (10.3×)** | 0.47 (7.2×) |
//! | ours-reader | 1.17 (0.3×) | 1.29 (0.6×) | 1.43 (2.6×) | 1.85 (2.6×) | 1.72 (2.9×) | 1.60 (0.9×) | 1.83 (1.9×) |
//! | ours-single | 0.49 (0.8×) | 0.80 (1.0×) | 4.15 (0.9×) | 7.58 (0.6×) | 2.76 (1.8×) | 1.48 (1.0×) | 3.06 (1.1×) |
//!
//! One value at a time (`single`) does not always win, as its rows say: slices are the fast door. The kernel is chosen at run time: [`Kernel`].
//!
//! # Features
//!
//! * `std` (default): CPU features are found at run time; `std::io`. Without it the crate is `no_std`.
//! * `alloc` (part of `std`): functions that return a `Vec`.
//! * `bytes`, `embedded-io`, `tokio-util`: doors to the crates of these names, each of which brings that crate. The first two work
//!   without `std`.
//! * `defmt`: every error implements `defmt::Format`.
//! * `sweep`, `http`, `profile`: for the program `sweep` alone, which checks codecs. They bring many dependencies and
//!   add nothing to this library: the engine is the crate `varint-sweep`.
//!
//! With `std` and `alloc` alone the crate has no dependency. No feature changes a result.
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

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod backend;
mod bulk;
mod decoder;
mod encoded;
mod error;
mod integrations;
mod kernel;
mod length_prefix;
mod padded;
mod reader;
mod scalar;
#[allow(unsafe_code)]
mod simd;
#[cfg(test)]
mod tests;
mod varint_trait;
#[cfg(feature = "alloc")]
mod vec;
mod width;

pub mod delta;
#[cfg(any(doc, doctest))]
pub mod guide;
pub mod protobuf;
pub mod sleb128;
pub mod varint;
pub mod zigzag;

pub use bulk::{count, decode_slice, decode_slice_canonical, encode_slice, encoded_len_slice, skip};
pub use decoder::Decoder;
pub use encoded::EncodedBytes;
pub use error::{BufferTooSmall, BulkError, DecodeError, ErrorKind, PaddedWidthError, Progress};
#[cfg(feature = "bytes")]
pub use integrations::bytes::{BufMutVarint, BufVarint};
#[cfg(feature = "embedded-io")]
pub use integrations::embedded_io;
#[cfg(feature = "std")]
pub use integrations::std_io::{ReadVarint, WriteVarint};
#[cfg(feature = "tokio-util")]
pub use integrations::tokio_util as codec;
pub use kernel::Kernel;
pub use length_prefix::{FrameError, LengthPrefix};
pub use padded::encode_padded;
pub use reader::{Reader, Values};
pub use varint_trait::{Encoded, Varint};
#[cfg(feature = "alloc")]
pub use vec::{decode_to_vec, encode_to_vec};

/// README's examples, tested with the others.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
