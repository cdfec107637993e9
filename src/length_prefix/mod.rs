//! Length-prefixed payloads: the length as a varint, then that many bytes.

mod error;

pub use error::FrameError;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::const_functions::Const;
use crate::encoded::Encoded;
use crate::error::{BufferTooSmall, DecodeError};
use crate::scalar::value::Scalar;
#[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
use crate::varint_trait::Varint;

/// The format of length-prefixed payloads: their greatest length, and which prefixes are valid.
///
/// A frame is the payload's length in bytes as a varint, followed by the payload. This is the format of
/// `writeDelimitedTo` and of every string, byte field and submessage in Protocol Buffers, of the
/// messages of libp2p and of the vectors of WebAssembly. There is no default limit: the right one
/// depends on who sends the input. Input in memory needs none ([`without_limit`](Self::without_limit)).
/// All APIs of the crate accept a `LengthPrefix` and follow the same rules:
///
/// | API | reading | writing |
/// |---|---|---|
/// | slices | [`decode`](Self::decode), [`Reader::read_length_prefixed`](crate::Reader::read_length_prefixed) | [`encode_to_slice`](Self::encode_to_slice), `encode_append` |
/// | `std::io` | `ReadVarint::read_length_prefixed`, `next_length_prefixed` | `WriteVarint::write_length_prefixed` |
/// | `bytes` | `BufVarint::try_get_length_prefixed` | `BufMutVarint::put_length_prefixed` |
/// | `embedded-io` | `embedded_io::ReadVarint::read_length_prefixed` | `embedded_io::WriteVarint::write_length_prefixed` |
/// | `tokio-util` | `codec::LengthPrefixedCodec` | the same |
///
/// No function allocates memory because a prefix asks for it: the memory of a reader stays in proportion
/// to the bytes received.
///
/// ```
/// use zigzag_varint::LengthPrefix;
///
/// const FRAMES: LengthPrefix = LengthPrefix::new(64 * 1024).canonical();
///
/// let mut bytes = [0; 32];
/// let used = FRAMES.encode_to_slice(b"hello", &mut bytes)?;
/// assert_eq!(bytes[..used], *b"\x05hello");
///
/// let (payload, used) = FRAMES.decode(&bytes)?; // borrowed from `bytes`
/// assert_eq!((payload, used), (&b"hello"[..], 6));
/// # Ok::<(), zigzag_varint::FrameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a `LengthPrefix` does nothing by itself; its builder methods return a new one"]
pub struct LengthPrefix {
    max_len: usize,
    u32_prefix: bool,
    canonical: bool,
}

impl LengthPrefix {
    /// Creates the format for payloads of at most `max_len` bytes.
    ///
    /// The prefix is a `u64`, and overlong prefixes are accepted, as in Protocol Buffers.
    ///
    /// ```
    /// use zigzag_varint::{FrameError, LengthPrefix};
    ///
    /// let frames = LengthPrefix::new(4);
    /// assert_eq!(frames.decode(&[2, b'h', b'i']), Ok((&b"hi"[..], 3)));
    /// assert!(matches!(frames.decode(&[5]), Err(FrameError::TooLong { .. })));
    /// ```
    pub const fn new(max_len: usize) -> Self {
        Self { max_len, u32_prefix: false, canonical: false }
    }

    /// Creates the format for payloads of any length, for input that is in memory.
    ///
    /// It is safe for slices and for [`Reader`](crate::Reader): the payload is borrowed, so it is never
    /// longer than the input, and a prefix that announces more is [`Truncated`](FrameError::Truncated).
    ///
    /// The functions for streams accept it too. They keep as many bytes as arrive, so a peer that sends
    /// without end fills the memory. For streams, state a limit with [`new`](Self::new).
    ///
    /// It is the same as `new(usize::MAX)`. A length that a `usize` cannot have, which only 32-bit
    /// machines see, is [`TooLong`](FrameError::TooLong).
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// // The vectors of WebAssembly.
    /// const VECTOR: LengthPrefix = LengthPrefix::without_limit().prefix_u32();
    ///
    /// assert_eq!(VECTOR.decode(b"\x02hi!")?, (&b"hi"[..], 3));
    /// let error = VECTOR.decode(b"\xff\xff\xff\xff\x0fhi").unwrap_err();
    /// assert_eq!(error.missing(), Some(4_294_967_293));
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    pub const fn without_limit() -> Self {
        Self::new(usize::MAX)
    }

    /// Makes the prefix a `u32`, as in WebAssembly ("Vectors" in the binary format). A prefix of more than
    /// five bytes is `TooLong` then.
    ///
    /// A limit greater than `u32::MAX` is reduced to `u32::MAX`.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let padded = [0x81, 0x80, 0x80, 0x80, 0x80, 0x00, b'x'];
    /// assert_eq!(LengthPrefix::new(10).decode(&padded), Ok((&b"x"[..], 7)));
    /// assert!(LengthPrefix::new(10).prefix_u32().decode(&padded).is_err());
    /// ```
    pub const fn prefix_u32(self) -> Self {
        let max_len = if self.max_len as u64 > u32::MAX as u64 { u32::MAX as usize } else { self.max_len };
        Self { max_len, u32_prefix: true, ..self }
    }

    /// Rejects overlong prefixes, so that a payload has exactly one encoding, as libp2p requires
    /// ("unsigned-varint" of Multiformats).
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let overlong = [0x81, 0x00, b'x'];
    /// assert_eq!(LengthPrefix::new(10).decode(&overlong), Ok((&b"x"[..], 3)));
    /// assert!(LengthPrefix::new(10).canonical().decode(&overlong).is_err());
    /// ```
    pub const fn canonical(self) -> Self {
        Self { canonical: true, ..self }
    }

    /// Returns the length in bytes of the longest valid payload.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::LengthPrefix::new(1000).max_len(), 1000);
    /// ```
    #[must_use]
    pub const fn max_len(&self) -> usize {
        self.max_len
    }

    /// Decodes the frame at the start of `src`, and returns the payload with the length of the frame in
    /// bytes.
    ///
    /// The payload is not copied. Bytes past the frame are ignored.
    ///
    /// # Errors
    ///
    /// [`FrameError::Prefix`], [`TooLong`](FrameError::TooLong), [`Truncated`](FrameError::Truncated).
    /// [`FrameError::missing`] returns how many bytes to wait for.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let (mut rest, mut payloads) = (&b"\x02hi\x00\x05there"[..], vec![]);
    /// while !rest.is_empty() {
    ///     let (payload, used) = LengthPrefix::new(100).decode(rest)?;
    ///     payloads.push(payload);
    ///     rest = &rest[used..];
    /// }
    /// assert_eq!(payloads, [&b"hi"[..], b"", b"there"]);
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    #[inline]
    pub const fn decode<'a>(&self, src: &'a [u8]) -> Result<(&'a [u8], usize), FrameError> {
        let (len, prefix) = match self.decode_prefix(src) {
            Ok(decoded) => decoded,
            Err(error) => return Err(error),
        };
        let (_, rest) = src.split_at(prefix);
        match rest.split_at_checked(len) {
            Some((payload, _)) => Ok((payload, prefix + len)),
            None => Err(FrameError::truncated(len, rest.len(), prefix)),
        }
    }

    /// Decodes the prefix at the start of `src`, and returns the length of the payload with the length of
    /// the prefix in bytes.
    ///
    /// # Errors
    ///
    /// [`FrameError::Prefix`], [`TooLong`](FrameError::TooLong).
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// assert_eq!(LengthPrefix::new(1000).decode_prefix(&[0xac, 0x02]), Ok((300, 2)));
    /// ```
    #[inline]
    pub const fn decode_prefix(&self, src: &[u8]) -> Result<(usize, usize), FrameError> {
        match self.decode_len(src) {
            Ok((len, prefix)) => match self.within_limit(len, Some(0)) {
                Ok(len) => Ok((len, prefix)),
                Err(error) => Err(error),
            },
            Err(error) => Err(FrameError::Prefix(error)),
        }
    }

    /// Encodes the prefix of a payload of `len` bytes, for programs that write the payload themselves.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`].
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// assert_eq!(LengthPrefix::new(1000).encode_prefix(300)?, [0xac, 0x02]);
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    #[inline]
    pub const fn encode_prefix(&self, len: usize) -> Result<Encoded<[u8; 10]>, FrameError> {
        match self.within_limit(len as u64, None) {
            Ok(_) => Ok(Const::<u64>::encode(len as u64)),
            Err(error) => Err(error),
        }
    }

    /// Writes prefix and payload to the start of `dst`, and returns the length of the frame in bytes.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`], [`BufferTooSmall`](FrameError::BufferTooSmall); `dst` is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let mut dst = [0; 8];
    /// assert_eq!(LengthPrefix::new(100).encode_to_slice(b"hi", &mut dst), Ok(3));
    /// assert_eq!(dst[..3], *b"\x02hi");
    /// ```
    pub fn encode_to_slice(&self, payload: &[u8], dst: &mut [u8]) -> Result<usize, FrameError> {
        let prefix = self.encode_prefix(payload.len())?;
        // No overflow: no slice is longer than `isize::MAX`.
        let (needed, available) = (prefix.len() + payload.len(), dst.len());
        let Some(frame) = dst.get_mut(..needed) else {
            return Err(BufferTooSmall { needed, available }.into());
        };
        frame[..prefix.len()].copy_from_slice(&prefix);
        frame[prefix.len()..].copy_from_slice(payload);
        Ok(needed)
    }

    /// Appends prefix and payload to `dst`, and returns the number of bytes appended.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`]; `dst` is unchanged then.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let mut bytes = vec![];
    /// for line in ["one", "two"] {
    ///     LengthPrefix::new(100).encode_append(line.as_bytes(), &mut bytes)?;
    /// }
    /// assert_eq!(bytes, b"\x03one\x03two");
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn encode_append(&self, payload: &[u8], dst: &mut Vec<u8>) -> Result<usize, FrameError> {
        let prefix = self.encode_prefix(payload.len())?;
        let frame = prefix.len() + payload.len();
        dst.reserve(frame);
        dst.extend_from_slice(&prefix);
        dst.extend_from_slice(payload);
        Ok(frame)
    }

    /// Checks a length against the limit. `offset` is that of the prefix when reading.
    pub(crate) const fn within_limit(&self, len: u64, offset: Option<usize>) -> Result<usize, FrameError> {
        let max_len = self.max_len;
        if len > max_len as u64 {
            Err(FrameError::TooLong { len, max_len, offset })
        } else {
            Ok(len as usize)
        }
    }

    /// Returns the length in bytes of the longest valid prefix.
    #[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
    pub(crate) const fn longest(&self) -> usize {
        if self.u32_prefix { u32::MAX_LEN } else { u64::MAX_LEN }
    }

    /// Decodes the length, which may be above the limit.
    pub(crate) const fn decode_len(&self, src: &[u8]) -> Result<(u64, usize), DecodeError> {
        if self.u32_prefix {
            return match Scalar::<u32>::decode(src, self.canonical) {
                Ok((len, prefix)) => Ok((len as u64, prefix)),
                Err(error) => Err(error),
            };
        }
        Scalar::<u64>::decode(src, self.canonical)
    }
}
