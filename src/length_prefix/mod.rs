//! Length-prefixed payloads: a varint that says how many bytes follow, and those bytes.

mod error;

pub use error::FrameError;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
use crate::decoder::Decoder;
use crate::error::{BufferTooSmall, DecodeError};
use crate::varint::{decode_u32, decode_u32_canonical, decode_u64, decode_u64_canonical, encode_u64};
use crate::varint_trait::Encoded;
#[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
use crate::varint_trait::Varint;

/// How payloads are delimited: the longest that is allowed, and what their prefix may look like.
///
/// A frame is the payload's length in bytes as a varint, then the payload: `writeDelimitedTo` and every string,
/// byte field and submessage of Protocol Buffers, the messages of libp2p, the vectors of WebAssembly. There is no default limit:
/// whoever reads what others send has to choose one. Every door of the crate takes the same rules and comes to the same verdict:
///
/// | door | read | write |
/// |---|---|---|
/// | slices | [`decode`](Self::decode), [`Reader::read_length_prefixed`](crate::Reader::read_length_prefixed) | [`encode_to_slice`](Self::encode_to_slice), `append_to_vec` |
/// | `std::io` | `ReadVarint::read_length_prefixed`, `next_length_prefixed` | `WriteVarint::write_length_prefixed` |
/// | `bytes` | `BufVarint::try_get_length_prefixed` | `BufMutVarint::put_length_prefixed` |
/// | `embedded-io` | `embedded_io::ReadVarint::read_length_prefixed` | `embedded_io::WriteVarint::write_length_prefixed` |
/// | `tokio-util` | `codec::LengthPrefixedCodec` | the same |
///
/// No door asks for memory because a prefix says so: what a reader allocates stays in proportion to the bytes that came.
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
/// let (payload, used) = FRAMES.decode(&bytes)?; // no copy: a part of `bytes`
/// assert_eq!((payload, used), (&b"hello"[..], 6));
/// # Ok::<(), zigzag_varint::FrameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LengthPrefix {
    max_len: usize,
    narrow: bool,
    canonical: bool,
}

impl LengthPrefix {
    /// Payloads of up to `max_len` bytes behind a `u64`, of which overlong forms are accepted, as Protocol Buffers have them.
    ///
    /// ```
    /// use zigzag_varint::{FrameError, LengthPrefix};
    ///
    /// let frames = LengthPrefix::new(4);
    /// assert_eq!(frames.decode(&[2, b'h', b'i']), Ok((&b"hi"[..], 3)));
    /// assert!(matches!(frames.decode(&[5]), Err(FrameError::TooLong { .. })));
    /// ```
    pub const fn new(max_len: usize) -> Self {
        Self { max_len, narrow: false, canonical: false }
    }

    /// The prefix is a `u32`, as in WebAssembly ("Vectors" in the binary format): more than five bytes of it are an `Overflow`.
    /// The limit becomes `u32::MAX` if it was greater.
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
        Self { max_len, narrow: true, ..self }
    }

    /// Overlong prefixes are refused, so that a payload has one form only, as libp2p demands ("unsigned-varint" of Multiformats).
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

    /// Bytes of the longest payload that is allowed.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::LengthPrefix::new(1000).max_len(), 1000);
    /// ```
    pub const fn max_len(&self) -> usize {
        self.max_len
    }

    /// The first payload of `src`, without a copy, and the bytes that it takes with its prefix. What follows is not looked at.
    ///
    /// # Errors
    ///
    /// [`FrameError::Prefix`], [`TooLong`](FrameError::TooLong), [`Truncated`](FrameError::Truncated).
    /// [`FrameError::missing`] says how many bytes to wait for.
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
            None => Err(FrameError::Truncated { len, missing: len - rest.len() }),
        }
    }

    /// The length that the prefix at the front of `src` says, within the limit, and the bytes of the prefix itself.
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
            Ok((len, prefix)) => match self.within_limit(len) {
                Ok(len) => Ok((len, prefix)),
                Err(error) => Err(error),
            },
            Err(error) => Err(FrameError::Prefix(error)),
        }
    }

    /// The prefix of a payload of `len` bytes, for who writes the payload himself.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`].
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// assert_eq!(*LengthPrefix::new(1000).encode_prefix(300)?, [0xac, 0x02]);
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    #[inline]
    pub const fn encode_prefix(&self, len: usize) -> Result<Encoded<u64>, FrameError> {
        match self.within_limit(len as u64) {
            Ok(_) => Ok(encode_u64(len as u64)),
            Err(error) => Err(error),
        }
    }

    /// Writes prefix and payload to the front of `dst`; the bytes used.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`], [`BufferTooSmall`](FrameError::BufferTooSmall); `dst` is left as it was.
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

    /// Appends prefix and payload to `dst`; the bytes appended.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`]; nothing is appended.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let mut bytes = vec![];
    /// for line in ["one", "two"] {
    ///     LengthPrefix::new(100).append_to_vec(line.as_bytes(), &mut bytes)?;
    /// }
    /// assert_eq!(bytes, b"\x03one\x03two");
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn append_to_vec(&self, payload: &[u8], dst: &mut Vec<u8>) -> Result<usize, FrameError> {
        let prefix = self.encode_prefix(payload.len())?;
        let frame = prefix.len() + payload.len();
        dst.reserve(frame);
        dst.extend_from_slice(&prefix);
        dst.extend_from_slice(payload);
        Ok(frame)
    }

    /// Whether the prefix is a `u32`.
    #[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
    pub(crate) const fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// A decoder for the prefix, where it comes in pieces.
    #[cfg(any(feature = "bytes", feature = "embedded-io", feature = "std"))]
    pub(crate) const fn decoder<T: Varint>(&self) -> Decoder<T> {
        if self.canonical { Decoder::canonical() } else { Decoder::new() }
    }

    /// The length, if it is allowed.
    pub(crate) const fn within_limit(&self, len: u64) -> Result<usize, FrameError> {
        let max_len = self.max_len;
        if len > max_len as u64 { Err(FrameError::TooLong { len, max_len }) } else { Ok(len as usize) }
    }

    const fn decode_len(&self, src: &[u8]) -> Result<(u64, usize), DecodeError> {
        if self.narrow {
            let decoded = if self.canonical { decode_u32_canonical(src) } else { decode_u32(src) };
            return match decoded {
                Ok((len, prefix)) => Ok((len as u64, prefix)),
                Err(error) => Err(error),
            };
        }
        if self.canonical { decode_u64_canonical(src) } else { decode_u64(src) }
    }
}
