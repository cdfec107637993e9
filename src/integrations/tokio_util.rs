//! Codecs for `tokio_util::codec`: streams of varints, and of length-prefixed payloads.
//!
//! ```
//! use tokio_util::bytes::{Bytes, BytesMut};
//! use tokio_util::codec::{Decoder, Encoder};
//! use zigzag_varint::{LengthPrefix, codec::LengthPrefixedCodec};
//!
//! let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(1024 * 1024));
//! let mut buffer = BytesMut::new();
//! codec.encode("hello", &mut buffer)?;
//! codec.encode(Bytes::from_static(b"world"), &mut buffer)?;
//!
//! assert_eq!(codec.decode(&mut buffer)?.as_deref(), Some(&b"hello"[..]));
//! assert_eq!(codec.decode(&mut buffer)?.as_deref(), Some(&b"world"[..]));
//! assert_eq!(codec.decode(&mut buffer)?, None);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! With `tokio_util::codec::Framed` they turn a socket into a stream and a sink: `examples/framed_tcp.rs`. As payloads of any type
//! are taken, a call without one has to name one, as with `LinesCodec`: `SinkExt::<Bytes>::close(&mut framed)`.
//!
//! Errors are [`io::Error`]s with a [`DecodeError`] or [`FrameError`] inside, of kind `InvalidData`; `UnexpectedEof`
//! where the stream ends inside a varint or payload; `InvalidInput` for a payload that is too long to be sent. A codec holds no
//! state: after an error the buffer still begins with what is wrong, and the same error comes again.

use std::io;
use std::marker::PhantomData;

use tokio_util::bytes::{Buf, BufMut, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use crate::error::DecodeError;
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// Payloads behind their length as a varint: what `LengthDelimitedCodec` of `tokio-util` is for lengths of fixed width.
///
/// Takes anything that reads as bytes, gives `BytesMut`, without a copy. Payloads longer than
/// [`LengthPrefix::max_len`] are refused, in both directions: when they come, as soon as their prefix is there. The buffer
/// grows with the bytes that arrive, never because a prefix says so.
///
/// ```
/// use tokio_util::bytes::BytesMut;
/// use tokio_util::codec::{Decoder, Encoder};
/// use zigzag_varint::LengthPrefix;
/// use zigzag_varint::codec::LengthPrefixedCodec;
///
/// let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(1024));
/// let mut buffer = BytesMut::new();
/// codec.encode(&b"hello"[..], &mut buffer)?;
/// assert_eq!(codec.decode(&mut buffer)?.as_deref(), Some(&b"hello"[..]));
/// assert_eq!(codec.decode(&mut buffer)?, None); // the next is not there yet
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "LengthDelimitedCodec")]
pub struct LengthPrefixedCodec {
    prefix: LengthPrefix,
}

impl LengthPrefixedCodec {
    /// A codec with these rules.
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, codec::LengthPrefixedCodec};
    ///
    /// let codec = LengthPrefixedCodec::new(LengthPrefix::new(64 * 1024).canonical());
    /// ```
    pub const fn new(prefix: LengthPrefix) -> Self {
        Self { prefix }
    }
}

impl Decoder for LengthPrefixedCodec {
    type Item = BytesMut;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<BytesMut>> {
        wait(whole(self.prefix, src), FrameError::is_incomplete)
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<BytesMut>> {
        if src.is_empty() { Ok(None) } else { Ok(Some(whole(self.prefix, src)?)) }
    }
}

fn whole(prefix: LengthPrefix, src: &mut BytesMut) -> Result<BytesMut, FrameError> {
    let (payload, used) = prefix.decode(src)?;
    let len = payload.len();
    let mut frame = src.split_to(used);
    frame.advance(used - len);
    Ok(frame)
}

impl<P: AsRef<[u8]>> Encoder<P> for LengthPrefixedCodec {
    type Error = io::Error;

    fn encode(&mut self, payload: P, dst: &mut BytesMut) -> io::Result<()> {
        let payload = payload.as_ref();
        let len = self
            .prefix
            .encode_prefix(payload.len())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        dst.reserve(len.len() + payload.len());
        dst.put_slice(&len);
        dst.put_slice(payload);
        Ok(())
    }
}

/// Varints of one type, one after another.
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
    /// A codec that accepts overlong forms.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintCodec;
    ///
    /// let mut bytes = BytesMut::from(&[0xac, 0x02, 0x80][..]);
    /// assert_eq!(VarintCodec::<u32>::new().decode(&mut bytes)?, Some(300));
    /// assert_eq!(VarintCodec::<u32>::new().decode(&mut bytes)?, None); // not whole yet
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn new() -> Self {
        Self { canonical: false, item: PhantomData }
    }

    /// A codec that rejects overlong forms.
    ///
    /// ```
    /// use tokio_util::bytes::BytesMut;
    /// use tokio_util::codec::Decoder;
    /// use zigzag_varint::codec::VarintCodec;
    ///
    /// let mut overlong = BytesMut::from(&[0x87, 0x00][..]);
    /// assert!(VarintCodec::<u32>::canonical().decode(&mut overlong).is_err());
    /// ```
    pub const fn canonical() -> Self {
        Self { canonical: true, item: PhantomData }
    }

    fn whole(&self, src: &mut BytesMut) -> Result<T, DecodeError> {
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
        wait(self.whole(src), DecodeError::is_incomplete)
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<T>> {
        if src.is_empty() { Ok(None) } else { Ok(Some(self.whole(src)?)) }
    }
}

impl<T: Varint> Encoder<T> for VarintCodec<T> {
    type Error = io::Error;

    fn encode(&mut self, value: T, dst: &mut BytesMut) -> io::Result<()> {
        dst.extend_from_slice(&value.encode());
        Ok(())
    }
}

/// More input may come: what is incomplete is no error yet.
fn wait<T, E: Into<io::Error>>(decoded: Result<T, E>, incomplete: fn(&E) -> bool) -> io::Result<Option<T>> {
    match decoded {
        Ok(item) => Ok(Some(item)),
        Err(error) if incomplete(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
