//! Codecs for `tokio_util::codec`: [`VarintCodec`] and [`VarintsCodec`] for streams of varints, [`LengthPrefixedCodec`]
//! for streams of length-prefixed payloads.
//!
//! ```
//! use tokio_util::bytes::{Bytes, BytesMut};
//! use tokio_util::codec::{Decoder, Encoder};
//! use zigzag_varint::{LengthPrefix, codec::LengthPrefixedCodec};
//!
//! let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(1024 * 1024));
//! let mut buffer = BytesMut::new();
//! codec.encode(Bytes::from("hello"), &mut buffer)?;
//! codec.encode(Bytes::from_static(b"world"), &mut buffer)?;
//!
//! assert_eq!(codec.decode(&mut buffer)?.as_deref(), Some(&b"hello"[..]));
//! assert_eq!(codec.decode(&mut buffer)?.as_deref(), Some(&b"world"[..]));
//! assert_eq!(codec.decode(&mut buffer)?, None);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! `tokio_util::codec::Framed` makes a stream and a sink of a socket and a codec; the example
//! `examples/framed_tcp.rs` shows a server and a client.
//!
//! Errors are [`io::Error`](std::io::Error)s that contain a [`DecodeError`](crate::DecodeError) or [`FrameError`](crate::FrameError). Their kind is `InvalidData`, or
//! `UnexpectedEof` if the stream ends inside a varint or payload, or `InvalidInput` for a payload that is
//! too long to be sent. Offsets count from the first byte of the value. A codec has no state: after an error the
//! buffer still begins with the invalid bytes, and decoding again returns the same error.

mod incomplete;
mod length_prefixed_codec;
mod varint_codec;
mod varints_codec;

pub use length_prefixed_codec::LengthPrefixedCodec;
pub use varint_codec::VarintCodec;
pub use varints_codec::VarintsCodec;
