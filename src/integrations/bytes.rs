//! Varints and length-prefixed payloads over the buffers of the crate `bytes`.

use ::bytes::{Buf, BufMut, Bytes};

use crate::decoder::Decoder;
use crate::error::{BufferTooSmall, DecodeError, ErrorKind};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// Reads varints and length-prefixed payloads from any [`Buf`], also where they are split over several chunks.
///
/// # What an error leaves
///
/// Offsets in errors count from the first byte of the value. What lies within [`chunk`](Buf::chunk) is looked at
/// before it is taken, so that after an error nothing has been: always so for a `&[u8]`, `Bytes` or `BytesMut`, whose
/// chunk is all there is. Of a varint that runs over the end of the chunk, a [`Buf`] does not show the rest without
/// letting go of the start: after an error the bytes before the offset have been taken, and the byte at fault has not. Where input
/// comes in pieces that are not joined, [`Decoder`] keeps what it was given.
///
/// ```
/// use bytes::Buf;
/// use zigzag_varint::{BufVarint, ErrorKind};
///
/// let mut split = (&[0x01, 0xac][..]).chain(&[0x02, 0x80][..]);
/// assert_eq!(split.try_get_varint::<i64>()?, -1);
/// assert_eq!(split.try_get_varint::<u64>()?, 300); // half of it in each part
/// let error = split.try_get_varint::<u64>().unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, 1));
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
pub trait BufVarint: Buf {
    /// Takes the next value.
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

    /// Takes the next value, rejecting overlong forms.
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
    /// assert_eq!(buf.try_get_varint::<u32>(), Ok(7)); // nothing was taken
    /// ```
    #[inline]
    fn try_get_varint_canonical<T: Varint>(&mut self) -> Result<T, DecodeError> {
        get(self, T::decode_canonical, Decoder::canonical())
    }

    /// Takes the next length-prefixed payload; without a copy from a `Bytes` or `BytesMut`.
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
    /// assert_eq!(buf, b"\x05he"[..]); // to be tried again when more has come
    /// # Ok::<(), FrameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`LengthPrefix::decode`]. No byte of a bad or truncated payload is taken, and none of its prefix if
    /// that lies within the chunk; a prefix that runs over the chunk's end has been taken, if it is sound.
    fn try_get_length_prefixed(&mut self, prefix: LengthPrefix) -> Result<Bytes, FrameError> {
        let (len, ahead) = match prefix.decode_prefix(self.chunk()) {
            Ok(decoded) => decoded,
            Err(error) if error.is_incomplete() && self.chunk().len() < self.remaining() => {
                let said = if prefix.is_narrow() {
                    pushed::<u32>(self, prefix.decoder())?.into()
                } else {
                    pushed::<u64>(self, prefix.decoder())?
                };
                (prefix.within_limit(said)?, 0)
            }
            Err(error) => return Err(error),
        };
        let there = self.remaining() - ahead;
        if len > there {
            return Err(FrameError::Truncated { len, missing: len - there });
        }
        self.advance(ahead);
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
        Err(error) if error.is_incomplete() && buf.chunk().len() < buf.remaining() => pushed(buf, decoder),
        Err(error) => Err(error),
    }
}

/// The next value, over the ends of chunks.
#[cold]
fn pushed<T: Varint>(buf: &mut (impl Buf + ?Sized), mut decoder: Decoder<T>) -> Result<T, DecodeError> {
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
    /// Appends the encoding of `value`; its bytes.
    ///
    /// # Panics
    ///
    /// Where the buffer cannot grow and has no room, as every `put_` method of [`BufMut`]. `BytesMut` and `Vec` grow;
    /// for others there is [`try_put_varint`](Self::try_put_varint).
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

    /// Appends the encoding of `value`, if it fits; its bytes.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`]; nothing is written.
    ///
    /// ```
    /// use zigzag_varint::{BufMutVarint, BufferTooSmall};
    ///
    /// let mut room = &mut [0; 3][..];
    /// assert_eq!(room.try_put_varint(300u64), Ok(2));
    /// assert_eq!(room.try_put_varint(300u64), Err(BufferTooSmall { needed: 2, available: 1 }));
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

    /// Appends the length of `payload` and `payload`; the bytes of both. Never panics.
    ///
    /// # Errors
    ///
    /// [`FrameError::TooLong`], [`BufferTooSmall`](FrameError::BufferTooSmall); nothing is written.
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
