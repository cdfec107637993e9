//! Codecs for `tokio_util::codec`: [`VarintCodec`] for streams of varints, [`LengthPrefixedCodec`] for
//! streams of length-prefixed payloads.
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

use std::io;
use std::marker::PhantomData;
use std::vec::Vec;

use tokio_util::bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::bytes::BufMutVarint;
use crate::error::{BulkError, DecodeError, ErrorKind};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::scalar::slice::complete_len;
use crate::varint_trait::Varint;

/// A codec for varints of one type, many at a time.
///
/// Each received item is a vector of all values that are complete in the buffer. There is one allocation
/// for each item, whose length is at most the number of bytes in the buffer. The values before an invalid
/// varint are an item of their own. Where one sent item ends, and the next begins, is not transmitted.
///
/// ```
/// use tokio_util::bytes::BytesMut;
/// use tokio_util::codec::{Decoder, Encoder};
/// use zigzag_varint::codec::VarintCodec;
///
/// let mut codec = VarintCodec::<u64>::new();
/// let mut buffer = BytesMut::new();
/// codec.encode(vec![1, 300], &mut buffer)?;
/// codec.encode(vec![7], &mut buffer)?;
/// buffer.extend_from_slice(&[0x80]); // an incomplete value
/// assert_eq!(codec.decode(&mut buffer)?, Some(vec![1, 300, 7]));
/// assert_eq!(codec.decode(&mut buffer)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarintCodec<W> {
    item: PhantomData<W>,
}

impl<W: Varint> VarintCodec<W> {
    /// Creates a codec.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintCodec;
    ///
    /// let mut bytes = BytesMut::from(&[0xac, 0x02, 0x87, 0x00][..]);
    /// assert_eq!(VarintCodec::<u32>::new().decode(&mut bytes)?, Some(vec![300, 7]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { item: PhantomData }
    }

    /// Takes all values before the first one that is incomplete or invalid. If there are none, the
    /// error is that of the first one.
    fn take_values(src: &mut BytesMut) -> Result<Vec<W::Value>, DecodeError> {
        let complete = &src[..complete_len(src, W::MAX_LEN)];
        let mut values = Vec::new();
        let (used, error) = match W::decode_append(complete, &mut values) {
            Ok(_) => (complete.len(), DecodeError::new(ErrorKind::Truncated, src.len())),
            Err(BulkError { progress, error }) => (progress.bytes, error),
        };
        if values.is_empty() {
            return Err(error);
        }
        src.advance(used);
        Ok(values)
    }
}

impl<W: Varint> Default for VarintCodec<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: Varint> Decoder for VarintCodec<W> {
    type Item = Vec<W::Value>;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<W::Value>>> {
        or_wait(Self::take_values(src), DecodeError::is_incomplete)
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<W::Value>>> {
        if src.is_empty() { Ok(None) } else { Ok(Some(Self::take_values(src)?)) }
    }
}

impl<W: Varint> Encoder<Vec<W::Value>> for VarintCodec<W> {
    type Error = io::Error;

    fn encode(&mut self, values: Vec<W::Value>, dst: &mut BytesMut) -> io::Result<()> {
        dst.put_varints::<W>(&values);
        Ok(())
    }
}

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
        or_wait(split_frame(self.prefix, src), FrameError::is_incomplete)
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

/// Turns an incomplete item into `None`: more input may arrive.
fn or_wait<T, E: Into<io::Error>>(
    decoded: Result<T, E>,
    incomplete: fn(&E) -> bool,
) -> io::Result<Option<T>> {
    match decoded {
        Ok(item) => Ok(Some(item)),
        Err(error) if incomplete(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
