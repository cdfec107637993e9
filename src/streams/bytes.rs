//! Varints and length-prefixed payloads in the buffers of the crate `bytes`.

use core::convert::{Infallible, identity};

use ::bytes::{Buf, BufMut, Bytes};

use super::sink::{write_slice, write_value};
use super::source::{Source, missing, next_len, read, read_slice};
use crate::error::{BufferTooSmall, BulkError, DecodeError};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::{Unlimited, Varint};
use crate::wire::Wire;

/// Reads varints and length-prefixed payloads from any [`Buf`].
///
/// Values may be split over several chunks. Offsets in errors count from the first byte of the value.
///
/// # What an error consumes
///
/// An invalid varint that begins in the last [`chunk`](Buf::chunk) stays there. `&[u8]`, `Bytes` and
/// `BytesMut` have only one chunk: when more bytes have arrived, try again.
///
/// To see the next chunk, the buffer has to be advanced. Of an invalid varint that begins before the last
/// chunk, therefore, the bytes up to the one at the error's offset are consumed, or all if it is
/// `Truncated`, [as by readers](crate#after-an-error). For input that arrives in pieces,
/// [`Decoder`](crate::Decoder) stores the bytes of an incomplete value.
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
/// assert_eq!(split.remaining(), 1); // it is in the last chunk
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
    fn try_get_varint<W: Varint>(&mut self) -> Result<W::Value, DecodeError> {
        read::<W, _>(self, identity)
    }

    /// Consumes and decodes values until `dst` is full or the buffer is empty, and returns their number. O(n).
    ///
    /// It decodes each chunk in bulk, like [`decode_slice`](crate::decode_slice).
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint. The values before it are in `dst`, counted in `progress`,
    /// and consumed. Of the invalid varint, the same bytes are consumed [as by a call for one
    /// value](#what-an-error-consumes). The offset counts from the first byte that this call decodes.
    ///
    /// ```
    /// use bytes::Buf;
    /// use zigzag_varint::{BufVarint, ErrorKind, Progress};
    ///
    /// let mut split = (&[0x01, 0xac][..]).chain(&[0x02, 0x07, 0x80][..]);
    /// let mut values = [0u64; 2];
    /// assert_eq!(split.try_get_varints::<u64>(&mut values)?, 2);
    /// assert_eq!(values, [1, 300]); // one byte of 300 in each chunk
    ///
    /// let failed = split.try_get_varints::<u64>(&mut values).unwrap_err();
    /// assert_eq!(failed.progress, Progress { values: 1, bytes: 1 });
    /// assert_eq!((failed.error.kind(), failed.error.offset()), (ErrorKind::Truncated, 2));
    /// assert_eq!((values[0], split.chunk()), (7, &[0x80][..])); // it is in the last chunk
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    fn try_get_varints<W: Varint>(&mut self, dst: &mut [W::Value]) -> Result<usize, BulkError> {
        read_slice::<W, _>(self, dst, identity)
    }

    /// Consumes the next length-prefixed payload, and returns it. It is not copied if the buffer is a
    /// `Bytes` or `BytesMut`.
    ///
    /// # Errors
    ///
    /// Those of [`LengthPrefix::decode`]. In the last chunk, an error consumes nothing. Before it, a valid
    /// prefix is consumed and no byte of its payload: [`FrameError::Truncated`] and
    /// [`TooLong`](FrameError::TooLong) have the length of what follows. Of an invalid prefix, the same bytes
    /// are consumed [as of a varint](#what-an-error-consumes).
    ///
    /// ```
    /// use bytes::Bytes;
    /// use zigzag_varint::{BufVarint, FrameError, LengthPrefix};
    ///
    /// let mut buf = Bytes::from_static(b"\x05hello\x05he");
    /// assert_eq!(buf.try_get_length_prefixed(LengthPrefix::new(100))?, "hello");
    ///
    /// let error = buf.try_get_length_prefixed(LengthPrefix::new(100)).unwrap_err();
    /// assert_eq!(error, FrameError::Truncated { len: 5, missing: 3, offset: 3 });
    /// assert_eq!(buf, b"\x05he"[..]); // unchanged: try again when more bytes have arrived
    /// # Ok::<(), FrameError>(())
    /// ```
    fn try_get_length_prefixed(&mut self, prefix: LengthPrefix) -> Result<Bytes, FrameError> {
        let (len, prefix_len, to_skip) = if Source::<FrameError>::is_last(self) {
            prefix.decode_prefix(self.chunk()).map(|(len, prefix_len)| (len, prefix_len, prefix_len))?
        } else {
            let next = next_len(self, prefix, identity)?;
            let (len, prefix_len) = next.ok_or_else(|| missing::<FrameError, _>(identity))?;
            (len, prefix_len, 0)
        };
        let available = self.remaining() - to_skip;
        if len > available {
            return Err(FrameError::truncated(len, available, prefix_len));
        }
        self.advance(to_skip);
        Ok(self.copy_to_bytes(len))
    }
}

impl<B: Buf + ?Sized> BufVarint for B {}

/// An error of the data in a buffer, from which reading cannot fail.
trait Invalid {}
impl Invalid for DecodeError {}
impl Invalid for FrameError {}

impl<B: Buf + ?Sized, E: Invalid> Source<E> for B {
    #[inline]
    fn fill_buffer(&mut self) -> Result<Option<&[u8]>, E> {
        Ok(Some(B::chunk(self)))
    }

    #[inline]
    fn remove(&mut self, bytes: usize) {
        self.advance(bytes);
    }

    fn is_last(&self) -> bool {
        self.chunk().len() == self.remaining()
    }
}

/// The number of bytes that are encoded before each `put_slice`, on the stack.
const BLOCK_BYTES: usize = 4 * 1024;

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
    #[inline(always)] // a call would take as long as the work
    fn put_varint<W: Varint>(&mut self, value: W) -> usize {
        let Ok(len) = write_value::<W, Infallible>(W::value(value), |bytes| {
            self.put_slice(bytes);
            Ok(())
        });
        len
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
    #[inline(always)] // as above
    fn try_put_varint<W: Varint>(&mut self, value: W) -> Result<usize, BufferTooSmall> {
        write_value::<W, _>(W::value(value), |bytes| {
            let (needed, available) = (bytes.len(), self.remaining_mut());
            if needed > available {
                return Err(BufferTooSmall { needed, available });
            }
            self.put_slice(bytes);
            Ok(())
        })
    }

    /// Appends the encodings of all of `values`, and returns their length in bytes. O(n).
    ///
    /// It encodes in bulk, like [`encode_slice`](crate::encode_slice). Nothing is allocated except by the buffer.
    ///
    /// # Panics
    ///
    /// If the buffer has too little space and cannot grow, after the values of the blocks that fit. For such
    /// buffers, use [`try_put_varints`](Self::try_put_varints).
    ///
    /// ```
    /// use zigzag_varint::BufMutVarint;
    ///
    /// let mut buf = vec![];
    /// assert_eq!(buf.put_varints::<u64>(&[1, 300, 7]), 4);
    /// assert_eq!(buf, [0x01, 0xac, 0x02, 0x07]);
    /// ```
    fn put_varints<W: Unlimited>(&mut self, values: &[W::Value]) -> usize {
        let Ok(len) = write_slice::<BLOCK_BYTES, W, Infallible>(values, |bytes| {
            self.put_slice(bytes);
            Ok(())
        });
        len
    }

    /// Appends the encodings of all of `values` if they fit, and returns their length in bytes. O(n).
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`]; nothing is written then.
    ///
    /// ```
    /// use zigzag_varint::{BufMutVarint, BufferTooSmall};
    ///
    /// let mut buf = &mut [0; 3][..];
    /// assert_eq!(buf.try_put_varints::<u64>(&[300, 300]), Err(BufferTooSmall { needed: 4, available: 3 }));
    /// assert_eq!(buf.try_put_varints::<u64>(&[300, 7]), Ok(3));
    /// ```
    fn try_put_varints<W: Unlimited>(&mut self, values: &[W::Value]) -> Result<usize, BufferTooSmall> {
        let available = self.remaining_mut();
        // The longest encodings fit into a buffer that can grow, so their length need not be known.
        if available / W::Format::WRITTEN_MAX < values.len() {
            let needed = W::encoded_len_slice(values);
            if needed > available {
                return Err(BufferTooSmall { needed, available });
            }
        }
        Ok(self.put_varints::<W>(values))
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
    /// assert_eq!(refused, Err(FrameError::TooLong { len: 6, max_len: 5, offset: None }));
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
