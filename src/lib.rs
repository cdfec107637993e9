//! Zigzag and varint encoding for every integer type: unsigned LEB128, the wire format of Protocol Buffers.
//!
//! ```
//! use zigzag_varint::{Reader, Varint, decode_slice, encode_slice};
//!
//! // One value, in an inline buffer. Signed types are zigzag-coded.
//! let encoded = i64::encode(-150);
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
//! // One value after another, of any types.
//! let mut reader = Reader::new(&bytes[..len]);
//! assert_eq!(reader.read::<u8>()?, 1);
//! assert_eq!(reader.read::<u32>()?, 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * **Small.** `no_std`, no dependencies, no allocation unless a function returns or extends a `Vec`.
//! * **Exact.** A decoding error has a kind and the offset of a byte. No bytes that are decoded cause a panic, a
//!   read outside of the slice, or a truncated value. Only the fields of Protocol Buffers cut a number to
//!   their type, as [their format requires](protobuf#decoding-rules).
//! * **Fast.** Slices are encoded and decoded by kernels for AVX-512, AVX2, SSE4.1, NEON, SIMD128 of
//!   WebAssembly or any CPU. On x86-64, a default build chooses the kernel at run time; elsewhere the compiler
//!   does. See [`guide::speed`].
//!
//! # Choosing an API
//!
//! | you have | use |
//! |---|---|
//! | a slice of values | [`encode_slice`], [`decode_slice`], [`encoded_len_slice`] |
//! | a `Vec` (feature `alloc`) | `encode_to_vec`, `decode_to_vec`; `encode_append` and `decode_append` extend one, `Varint::append_exact` by `n` values |
//! | bytes that contain values of several types | [`Reader`] |
//! | bytes to validate or count without decoding | [`Varint::validate`], [`count`], [`skip_values`] |
//! | one value | [`Varint::encode`], [`Varint::encode_to_slice`], [`Varint::decode`]: `u32::encode(300)`, `u32::decode(bytes)`; in `const` context [`Const`] |
//! | input in pieces | [`Decoder`]: [`Decoder::push`] for bytes, [`Decoder::decode_slice`] for chunks |
//! | a `std::io::BufRead` (feature `std`) | `ReadVarint`: `read_varints` for many values, `next_varint` for one; around another `std::io::Read` a `std::io::BufReader` |
//! | a `std::io::Write` | `WriteVarint`: `write_varints` for many values, `write_varint` for one |
//! | the buffers of `bytes`, a `tokio` socket, or `embedded-io` (features `bytes`, `tokio-util`, `embedded-io`) | `BufVarint` and `BufMutVarint`; the modules `codec` and `embedded_io` |
//! | a length-prefixed payload | [`LengthPrefix`], which all of the above accept |
//! | values close to their predecessors | [`Delta`]: differences in zigzag form, or gaps of sorted values |
//! | a length to fill in afterwards | [`Varint::encode_padded`], which writes a fixed width |
//!
//! The call for many values stands first: it is several times faster than a loop over single values
//! ([times](guide::speed)). To decode one value after another, a [`Reader`] is faster than [`Varint::decode`] if
//! lengths vary.
//!
//! # Choosing a wire type
//!
//! | values | wire type |
//! |---|---|
//! | unsigned LEB128; zigzag for signed types | the integer: `u64`, `i32` |
//! | signed LEB128, as in WebAssembly and DWARF | [`Signed`], [`S33`] |
//! | integers of another number of bits, such as 36 | [`Bits`] of an integer or of [`Signed`] |
//! | fields of Protocol Buffers | those in [`protobuf`]: [`Int32`](protobuf::Int32), [`Sint64`](protobuf::Sint64), [`Bool`](protobuf::Bool) and the others; tags by [`Tag`](protobuf::Tag) |
//! | exactly one encoding for each value | [`Canonical`] of one of these |
//! | encodings of a limited length, such as nine bytes | [`MaxLen`] of one of these |
//!
//! [A table](guide::formats#what-the-formats-require) has the wire types of Protocol Buffers, WebAssembly, DWARF,
//! multiformats, Avro and other formats, with the source of each rule.
//!
//! Name the wire type to write and to read. Methods of writers infer it from a wrapped value:
//!
//! ```
//! use zigzag_varint::{Canonical, MaxLen, Reader, Signed, Varint};
//!
//! let bytes = [&*Signed::encode(-129), &*u64::encode(300)].concat();
//! let mut reader = Reader::new(&bytes);
//! assert_eq!(reader.read::<Signed<i32>>()?, -129);
//! assert_eq!(reader.read::<MaxLen<Canonical<u64>, 9>>()?, 300);
//! # #[cfg(feature = "std")] {
//! use zigzag_varint::WriteVarint;
//!
//! let mut output = Vec::new();
//! output.write_varint(Signed(-129i32))?;
//! assert_eq!(output, [0xff, 0x7e]);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Decoding rules
//!
//! All decoders agree: the same bytes give the same value, or the same error at the same offset. The table at
//! [`Varint`](Varint#decoding-rules) has the cases, and [`guide::formats`] the rules of the formats that use varints.
//!
//! [`DecodeError::offset`] and [`FrameError::offset`] count bytes [from a place that depends on the
//! API](guide::formats#offsets).
//!
//! More input can resolve `Truncated` ([`DecodeError::is_incomplete`]); the other errors are permanent. With `std`,
//! all errors of the crate convert into `std::io::Error`, except those of the module `embedded_io`. [`BulkError`]
//! converts into [`DecodeError`] and [`FrameError`], so that `?` works in a parser that mixes the APIs.
//!
//! [`Signed`] and the wire types in [`protobuf`] are other formats, whose documentation has their rules.
//!
//! # After an error
//!
//! The offset is that of the byte that makes the input invalid: the bytes before it could be the start of a valid
//! varint. For `Truncated` it is the end of the input. So the position after an error follows from the offset,
//! however the input is split:
//!
//! | input | position after an error |
//! |---|---|
//! | `std::io`; `embedded-io`; [`Decoder`]; [`Varint::decode_from`]; a `bytes::Buf` if the varint begins before its last chunk | after the byte at the offset, or for `Truncated` at the end of the input |
//! | [`Reader`]; a `Buf` if it begins in the last chunk, as in every `&[u8]`, `Bytes` and `BytesMut` | at the first byte of the invalid varint |
//!
//! # Crate features
//!
//! * `std` (default): CPU features are detected at run time; `std::io`. Without it the crate is `no_std`.
//! * `alloc` (part of `std`): functions that return or extend a `Vec`.
//! * `bytes`, `embedded-io`, `tokio-util`: traits and codecs for these crates, each of which becomes a dependency. The
//!   first two work without `std`.
//! * `defmt`: all errors implement `defmt::Format`.
//! * `sweep`, `profile`, `http`: for the program `sweep`, which checks codecs. They bring many
//!   dependencies and add nothing to this library: the program's engine is the crate `every-input`.
//!
//! With `std` and `alloc` alone the crate has no dependencies. No feature changes a result.
//!
//! # What is not included
//!
//! * `serde`: the data format decides how an integer is written, and postcard and bincode 2 write varints
//!   already. A module for `#[serde(with)]` could only pass a sequence of bytes to the format, which
//!   binary formats may prefix with its length and JSON shows as `[172, 2]`.
//! * Traits for `AsyncRead`: there are three (`tokio`, `futures`, `embedded-io-async`). With any of them, five
//!   lines and a [`Decoder`] are enough, as its documentation shows. For frames over `tokio` there is a codec.
//! * `asynchronous-codec`: its traits differ from those of `tokio-util` and change with its versions.
//!   [`LengthPrefix::decode`] is all that an implementation needs.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod bulk;
mod const_functions;
mod decoder;
mod delta;
mod dispatch;
mod encoded;
mod error;
mod kernel;
mod length_prefix;
mod reader;
mod scalar;
#[allow(unsafe_code)]
mod simd;
mod streams;
#[cfg(test)]
mod tests;
mod varint_trait;
#[cfg(feature = "alloc")]
mod vec;
mod width;
mod wire;
mod wire_types;

#[cfg(any(doc, doctest))]
pub mod guide;
pub mod protobuf;
pub mod zigzag;

pub use bulk::{count, decode_slice, encode_slice, encoded_len_slice, skip_values};
pub use const_functions::Const;
pub use decoder::Decoder;
pub use delta::Delta;
pub use encoded::Encoded;
pub use error::{BufferTooSmall, BulkError, DecodeError, DeltaError, ErrorKind, PaddedWidthError, Progress};
pub use kernel::Kernel;
#[cfg(feature = "std")]
pub use kernel::default::DefaultKernelError;
pub use length_prefix::{FrameError, LengthPrefix};
pub use reader::Reader;
pub use reader::values::{IntoValues, Values};
#[cfg(feature = "bytes")]
pub use streams::bytes::{BufMutVarint, BufVarint};
#[cfg(feature = "tokio-util")]
pub use streams::codec;
#[cfg(feature = "embedded-io")]
pub use streams::embedded_io;
#[cfg(feature = "std")]
pub use streams::std_io::{ReadVarint, WriteVarint};
pub use varint_trait::{Unlimited, Varint};
#[cfg(feature = "alloc")]
pub use vec::{decode_append, decode_to_vec, encode_append, encode_to_vec};
pub use wire_types::{Bits, Canonical, Integer, MaxLen, S33, Signed, SignedInteger};

/// Fails to compile if an error does not implement `defmt::Format`. `tests/codec/auto_traits.rs` checks that
/// all errors are here.
#[cfg(feature = "defmt")]
const _: () = {
    const fn formatted<E: defmt::Format>() {}
    formatted::<BufferTooSmall>();
    formatted::<BulkError>();
    formatted::<DecodeError>();
    #[cfg(feature = "std")]
    formatted::<DefaultKernelError>();
    formatted::<DeltaError>();
    #[cfg(feature = "embedded-io")]
    formatted::<embedded_io::Error<DecodeError, FrameError>>();
    formatted::<FrameError>();
    formatted::<protobuf::FieldError>();
    formatted::<PaddedWidthError>();
};
