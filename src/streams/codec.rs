//! A codec for `tokio_util::codec`: [`LengthPrefixedCodec`] for streams of length-prefixed payloads.
//!
//! `tokio_util::codec::Framed` makes a stream and a sink of a socket and a codec.
//!
//! Errors are [`io::Error`]s that contain a [`FrameError`]. Their kind is `InvalidData`, or
//! `UnexpectedEof` if the stream ends inside a payload, or `InvalidInput` for a payload that is too long to be sent.
//! Offsets count from the first byte of the payload's prefix. A codec has no state: after an error the buffer still
//! begins with the invalid bytes, and decoding again returns the same error.

use std::io;

use tokio_util::bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use crate::length_prefix::{FrameError, LengthPrefix};

/// A codec for payloads that are prefixed with their length as a varint.
///
/// It is the counterpart of `tokio_util`'s `LengthDelimitedCodec`, whose lengths have a fixed width. Like that
/// codec it sends [`Bytes`] and receives `BytesMut` without copying. Payloads longer than
/// [`LengthPrefix::max_len`] are rejected in both directions, when receiving as soon as the prefix is
/// complete. The buffer grows with the bytes that arrive, never because a prefix asks for it.
///
/// ```
/// use tokio_util::bytes::{Bytes, BytesMut};
/// use tokio_util::codec::{Decoder, Encoder};
/// use zigzag_varint::LengthPrefix;
/// use zigzag_varint::codec::LengthPrefixedCodec;
///
/// let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(1024));
/// let mut buffer = BytesMut::new();
/// codec.encode(Bytes::from("hello"), &mut buffer)?;
/// assert_eq!(codec.decode(&mut buffer)?.as_deref(), Some(&b"hello"[..]));
/// assert_eq!(codec.decode(&mut buffer)?, None); // the next payload has not arrived
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "LengthDelimitedCodec")]
pub struct LengthPrefixedCodec {
    prefix: LengthPrefix,
}

impl LengthPrefixedCodec {
    /// Creates a codec for that format.
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, codec::LengthPrefixedCodec};
    ///
    /// let codec = LengthPrefixedCodec::new(LengthPrefix::new(64 * 1024).canonical());
    /// ```
    #[must_use]
    pub const fn new(prefix: LengthPrefix) -> Self {
        Self { prefix }
    }
}

impl Decoder for LengthPrefixedCodec {
    type Item = BytesMut;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<BytesMut>> {
        match split_frame(self.prefix, src) {
            Ok(payload) => Ok(Some(payload)),
            Err(error) if error.is_incomplete() => Ok(None), // more input may arrive
            Err(error) => Err(error.into()),
        }
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<BytesMut>> {
        if src.is_empty() { Ok(None) } else { Ok(Some(split_frame(self.prefix, src)?)) }
    }
}

fn split_frame(prefix: LengthPrefix, src: &mut BytesMut) -> Result<BytesMut, FrameError> {
    let (payload, used) = prefix.decode(src)?;
    let len = payload.len();
    let mut frame = src.split_to(used);
    frame.advance(used - len);
    Ok(frame)
}

// One implementation only: with several, `SinkExt::close` and other calls without a payload would be ambiguous.
impl Encoder<Bytes> for LengthPrefixedCodec {
    type Error = io::Error;

    fn encode(&mut self, payload: Bytes, dst: &mut BytesMut) -> io::Result<()> {
        let len = self
            .prefix
            .encode_prefix(payload.len())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        dst.reserve(len.len() + payload.len());
        dst.put_slice(&len);
        dst.put_slice(&payload);
        Ok(())
    }
}
