//! Varints and length-prefixed payloads in the buffers of the crate `bytes`.

use ::bytes::{Buf, BufMut, Bytes};

use crate::decoder::Decoder;
use crate::error::{BufferTooSmall, DecodeError, ErrorKind};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// Reads varints and length-prefixed payloads from any [`Buf`].
///
/// Values may be split over several chunks. Offsets in errors count from the first byte of the value.
///
/// # What an error consumes
///
/// If the value lies within the first [`chunk`](Buf::chunk), an error consumes nothing. This is always
/// so for `&[u8]`, `Bytes` and `BytesMut`, which have only one chunk.
///
/// If the value continues in the next chunk, the buffer has to be advanced to see the rest. After an
/// error, the bytes before the error's offset are consumed. For input that arrives in pieces,
/// [`Decoder`] stores the bytes of an incomplete value.
///
/// ```
/// use bytes::Buf;
/// use zigzag_varint::{BufVarint, ErrorKind};
///
/// let mut split = (&[0x01, 0xac][..]).chain(&[0x02, 0x80][..]);
/// assert_eq!(split.try_get_varint::<i64>()?, -1);
/// assert_eq!(split.try_get_varint::<u64>()?, 300); // one byte of it in each chunk
/// let error = split.try_get_varint::<u64>().unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, 1));
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
pub trait BufVarint: Buf {
    /// Consumes and decodes the next value.
    ///
    /// # Errors
    ///
    /// Those of [`Varint::decode`].
    ///
    /// ```
    /// use zigzag_varint::BufVarint;
    ///
    /// let mut buf = &[0xac, 0x02, 0x01][..];
    /// assert_eq!(buf.try_get_varint::<u64>(), Ok(300));
    /// assert_eq!(buf, [0x01]);
    /// ```
    #[inline]
    fn try_get_varint<T: Varint>(&mut self) -> Result<T, DecodeError> {
        get(self, T::decode, Decoder::new())
    }

    /// Consumes and decodes the next value, and rejects overlong encodings.
    ///
    /// # Errors
    ///
    /// Those of [`Varint::decode_canonical`].
    ///
    /// ```
    /// use zigzag_varint::BufVarint;
    ///
    /// let mut buf = &[0x87, 0x00][..];
    /// assert!(buf.try_get_varint_canonical::<u32>().is_err());
    /// assert_eq!(buf.try_get_varint::<u32>(), Ok(7)); // nothing was consumed
    /// ```
    #[inline]
    fn try_get_varint_canonical<T: Varint>(&mut self) -> Result<T, DecodeError> {
        get(self, T::decode_canonical, Decoder::canonical())
    }

    /// Consumes the next length-prefixed payload, and returns it. It is not copied if the buffer is a
    /// `Bytes` or `BytesMut`.
    ///
    /// # Errors
    ///
    /// Those of [`LengthPrefix::decode`]. No byte of an invalid or truncated payload is consumed. The prefix
    /// is not consumed either if it lies within the first chunk; a valid prefix that continues in the next
    /// chunk is.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use zigzag_varint::{BufVarint, FrameError, LengthPrefix};
    ///
    /// let mut buf = Bytes::from_static(b"\x05hello\x05he");
    /// assert_eq!(buf.try_get_length_prefixed(LengthPrefix::new(100))?, "hello");
    ///
    /// let error = buf.try_get_length_prefixed(LengthPrefix::new(100)).unwrap_err();
    /// assert_eq!(error, FrameError::Truncated { len: 5, missing: 3 });
    /// assert_eq!(buf, b"\x05he"[..]); // unchanged: try again when more bytes have arrived
    /// # Ok::<(), FrameError>(())
    /// ```
    fn try_get_length_prefixed(&mut self, prefix: LengthPrefix) -> Result<Bytes, FrameError> {
        let (len, prefix_len) = match prefix.decode_prefix(self.chunk()) {
            Ok(decoded) => decoded,
            Err(error) if error.is_incomplete() && self.chunk().len() < self.remaining() => {
                let claimed = if prefix.is_u32() {
                    push_bytes::<u32>(self, prefix.decoder())?.into()
                } else {
                    push_bytes::<u64>(self, prefix.decoder())?
                };
                (prefix.within_limit(claimed)?, 0)
            }
            Err(error) => return Err(error),
        };
        let available = self.remaining() - prefix_len;
        if len > available {
            return Err(FrameError::Truncated { len, missing: len - available });
        }
        self.advance(prefix_len);
        Ok(self.copy_to_bytes(len))
    }
}

impl<B: Buf + ?Sized> BufVarint for B {}

#[inline]
fn get<T: Varint>(
    buf: &mut (impl Buf + ?Sized),
    decode: impl FnOnce(&[u8]) -> Result<(T, usize), DecodeError>,
    decoder: Decoder<T>,
) -> Result<T, DecodeError> {
    match decode(buf.chunk()) {
        Ok((value, len)) => {
            buf.advance(len);
            Ok(value)
        }
        Err(error) if error.is_incomplete() && buf.chunk().len() < buf.remaining() => {
            push_bytes(buf, decoder)
        }
        Err(error) => Err(error),
    }
}

/// Decodes a value that is split over chunks.
#[cold]
fn push_bytes<T: Varint>(buf: &mut (impl Buf + ?Sized), mut decoder: Decoder<T>) -> Result<T, DecodeError> {
    while let Some(&byte) = buf.chunk().first() {
        let value = decoder.push(byte)?;
        buf.advance(1);
        if let Some(value) = value {
            return Ok(value);
        }
    }
    Err(DecodeError::new(ErrorKind::Truncated, decoder.pending()))
}

/// Writes varints and length-prefixed payloads to any [`BufMut`].
///
/// ```
/// use bytes::BytesMut;
/// use zigzag_varint::{BufMutVarint, LengthPrefix};
///
/// let mut buf = BytesMut::new();
/// assert_eq!(buf.put_varint(300u64), 2);
/// buf.put_length_prefixed(LengthPrefix::new(100), b"hello")?;
/// assert_eq!(buf, b"\xac\x02\x05hello"[..]);
/// # Ok::<(), zigzag_varint::FrameError>(())
/// ```
pub trait BufMutVarint: BufMut {
    /// Appends the encoding of `value`, and returns its length in bytes.
    ///
    /// # Panics
    ///
    /// If the buffer has too little space and cannot grow, like every `put_` method of [`BufMut`]. `BytesMut` and
    /// `Vec` grow. For others, use [`try_put_varint`](Self::try_put_varint).
    ///
    /// ```
    /// use zigzag_varint::BufMutVarint;
    ///
    /// let mut buf = vec![];
    /// assert_eq!(buf.put_varint(300u64), 2);
    /// assert_eq!(buf.put_varint(-1i64), 1);
    /// assert_eq!(buf, [0xac, 0x02, 0x01]);
    /// ```
    #[inline]
    fn put_varint<T: Varint>(&mut self, value: T) -> usize {
        let encoded = value.encode();
        self.put_slice(&encoded);
        encoded.len()
    }

    /// Appends the encoding of `value` if it fits, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`]; nothing is written then.
    ///
    /// ```
    /// use zigzag_varint::{BufMutVarint, BufferTooSmall};
    ///
    /// let mut buf = &mut [0; 3][..];
    /// assert_eq!(buf.try_put_varint(300u64), Ok(2));
    /// assert_eq!(buf.try_put_varint(300u64), Err(BufferTooSmall { needed: 2, available: 1 }));
    /// ```
    #[inline]
    fn try_put_varint<T: Varint>(&mut self, value: T) -> Result<usize, BufferTooSmall> {
        let encoded = value.encode();
        let (needed, available) = (encoded.len(), self.remaining_mut());
        if needed > available {
            return Err(BufferTooSmall { needed, available });
        }
        self.put_slice(&encoded);
        Ok(needed)
    }

    /// Appends the length of `payload` and then `payload`, and returns the number of bytes appended.
    ///
    /// It never panics.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`], [`BufferTooSmall`](FrameError::BufferTooSmall); nothing is written then.
    ///
    /// ```
    /// use zigzag_varint::{BufMutVarint, FrameError, LengthPrefix};
    ///
    /// let mut buf = vec![];
    /// assert_eq!(buf.put_length_prefixed(LengthPrefix::new(5), b"hello"), Ok(6));
    /// let refused = buf.put_length_prefixed(LengthPrefix::new(5), b"hello!");
    /// assert_eq!(refused, Err(FrameError::TooLong { len: 6, max_len: 5 }));
    /// assert_eq!(buf, b"\x05hello");
    /// ```
    fn put_length_prefixed(&mut self, prefix: LengthPrefix, payload: &[u8]) -> Result<usize, FrameError> {
        let len = prefix.encode_prefix(payload.len())?;
        let (needed, available) = (len.len() + payload.len(), self.remaining_mut());
        if needed > available {
            return Err(BufferTooSmall { needed, available }.into());
        }
        self.put_slice(&len);
        self.put_slice(payload);
        Ok(needed)
    }
}

impl<B: BufMut + ?Sized> BufMutVarint for B {}
