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
//! Errors are [`io::Error`]s that contain a [`DecodeError`] or [`FrameError`]. Their kind is `InvalidData`, or
//! `UnexpectedEof` if the stream ends inside a varint or payload, or `InvalidInput` for a payload that is
//! too long to be sent. Offsets count from the first byte of the value. A codec has no state: after an error the
//! buffer still begins with the invalid bytes, and decoding again returns the same error.

use std::io;
use std::marker::PhantomData;
use std::vec::Vec;

use tokio_util::bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use crate::error::DecodeError;
use crate::integrations::bytes::BufMutVarint;
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::scalar::slice::complete_len;
use crate::varint_trait::Varint;
use crate::vec::{decode_append, decode_append_canonical};

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

/// A codec for varints of one type.
///
/// Each item is one value. [`VarintsCodec`] passes many values at a time, which is many times faster.
///
/// ```
/// use tokio_util::bytes::BytesMut;
/// use tokio_util::codec::{Decoder, Encoder};
/// use zigzag_varint::codec::VarintCodec;
///
/// let mut codec = VarintCodec::<i64>::new();
/// let mut buffer = BytesMut::new();
/// codec.encode(-150, &mut buffer)?;
/// assert_eq!(codec.decode(&mut buffer)?, Some(-150));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarintCodec<T> {
    canonical: bool,
    item: PhantomData<T>,
}

impl<T: Varint> VarintCodec<T> {
    /// Creates a codec that accepts overlong encodings.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintCodec;
    ///
    /// let mut bytes = BytesMut::from(&[0xac, 0x02, 0x80][..]);
    /// assert_eq!(VarintCodec::<u32>::new().decode(&mut bytes)?, Some(300));
    /// assert_eq!(VarintCodec::<u32>::new().decode(&mut bytes)?, None); // incomplete
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { canonical: false, item: PhantomData }
    }

    /// Creates a codec that rejects overlong encodings.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintCodec;
    ///
    /// let mut overlong = BytesMut::from(&[0x87, 0x00][..]);
    /// assert!(VarintCodec::<u32>::canonical().decode(&mut overlong).is_err());
    /// ```
    #[must_use]
    pub const fn canonical() -> Self {
        Self { canonical: true, item: PhantomData }
    }

    fn take_value(&self, src: &mut BytesMut) -> Result<T, DecodeError> {
        let (value, used) = if self.canonical { T::decode_canonical(src) } else { T::decode(src) }?;
        src.advance(used);
        Ok(value)
    }
}

impl<T: Varint> Default for VarintCodec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Varint> Decoder for VarintCodec<T> {
    type Item = T;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<T>> {
        or_wait(self.take_value(src), DecodeError::is_incomplete)
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<T>> {
        if src.is_empty() { Ok(None) } else { Ok(Some(self.take_value(src)?)) }
    }
}

impl<T: Varint> Encoder<T> for VarintCodec<T> {
    type Error = io::Error;

    fn encode(&mut self, value: T, dst: &mut BytesMut) -> io::Result<()> {
        dst.extend_from_slice(&value.encode());
        Ok(())
    }
}

/// A codec for varints of one type, many at a time.
///
/// Each received item is a vector of all values that are complete in the buffer. There is one allocation
/// for each item, whose length is at most the number of bytes in the buffer. The values before an invalid
/// varint are an item of their own. Where one sent item ends, and the next begins, is not transmitted.
///
/// ```
/// use tokio_util::bytes::BytesMut;
/// use tokio_util::codec::{Decoder, Encoder};
/// use zigzag_varint::codec::VarintsCodec;
///
/// let mut codec = VarintsCodec::<u64>::new();
/// let mut buffer = BytesMut::new();
/// codec.encode(vec![1, 300], &mut buffer)?;
/// codec.encode(vec![7], &mut buffer)?;
/// buffer.extend_from_slice(&[0x80]); // an incomplete value
/// assert_eq!(codec.decode(&mut buffer)?, Some(vec![1, 300, 7]));
/// assert_eq!(codec.decode(&mut buffer)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarintsCodec<T>(VarintCodec<T>);

impl<T: Varint> VarintsCodec<T> {
    /// Creates a codec that accepts overlong encodings.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintsCodec;
    ///
    /// let mut bytes = BytesMut::from(&[0xac, 0x02, 0x87, 0x00][..]);
    /// assert_eq!(VarintsCodec::<u32>::new().decode(&mut bytes)?, Some(vec![300, 7]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self(VarintCodec::new())
    }

    /// Creates a codec that rejects overlong encodings.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintsCodec;
    ///
    /// let (mut codec, mut bytes) = (VarintsCodec::<u32>::canonical(), BytesMut::from(&[0xac, 0x02, 0x87, 0x00][..]));
    /// assert_eq!(codec.decode(&mut bytes)?, Some(vec![300]));
    /// assert!(codec.decode(&mut bytes).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn canonical() -> Self {
        Self(VarintCodec::canonical())
    }

    /// Takes all values before the first one that is incomplete or invalid.
    fn take_values(&self, src: &mut BytesMut) -> Option<Vec<T>> {
        let complete = &src[..complete_len::<T>(src)];
        let append = if self.0.canonical { decode_append_canonical } else { decode_append };
        let mut values = Vec::new();
        let used =
            append(complete, &mut values).map_or_else(|failed| failed.progress.bytes, |_| complete.len());
        src.advance(used);
        (!values.is_empty()).then_some(values)
    }
}

impl<T: Varint> Default for VarintsCodec<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Varint> Decoder for VarintsCodec<T> {
    type Item = Vec<T>;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<T>>> {
        match self.take_values(src) {
            Some(values) => Ok(Some(values)),
            // The buffer is empty or begins with a value that is incomplete or invalid.
            None => Ok(self.0.decode(src)?.map(|value| Vec::from([value]))),
        }
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Vec<T>>> {
        match self.take_values(src) {
            Some(values) => Ok(Some(values)),
            None => Ok(self.0.decode_eof(src)?.map(|value| Vec::from([value]))),
        }
    }
}

impl<T: Varint> Encoder<Vec<T>> for VarintsCodec<T> {
    type Error = io::Error;

    fn encode(&mut self, values: Vec<T>, dst: &mut BytesMut) -> io::Result<()> {
        dst.put_varints(&values);
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
