//! Varints and length-prefixed payloads to `bytes::BufMut`.

use core::convert::Infallible;

use ::bytes::BufMut;

use crate::encoded_blocks::encode_blocks;
use crate::error::BufferTooSmall;
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// The number of bytes that are encoded before each `put_slice`, on the stack.
const BLOCK: usize = 4 * 1024;

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
    fn put_varint<W: Varint>(&mut self, value: W) -> usize {
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
    fn try_put_varint<W: Varint>(&mut self, value: W) -> Result<usize, BufferTooSmall> {
        let encoded = value.encode();
        let (needed, available) = (encoded.len(), self.remaining_mut());
        if needed > available {
            return Err(BufferTooSmall { needed, available });
        }
        self.put_slice(&encoded);
        Ok(needed)
    }

    /// Appends the encodings of all of `values`, and returns their length in bytes. O(n).
    ///
    /// It encodes in bulk, like [`encode_slice`](crate::encode_slice). Nothing is allocated except by the buffer.
    ///
    /// # Panics
    ///
    /// If the buffer has too little space and cannot grow. For such buffers, use
    /// [`try_put_varints`](Self::try_put_varints).
    ///
    /// ```
    /// use zigzag_varint::BufMutVarint;
    ///
    /// let mut buf = vec![];
    /// assert_eq!(buf.put_varints::<u64>(&[1, 300, 7]), 4);
    /// assert_eq!(buf, [0x01, 0xac, 0x02, 0x07]);
    /// ```
    fn put_varints<W: Varint>(&mut self, values: &[W::Value]) -> usize {
        let put = encode_blocks::<BLOCK, W, Infallible>(values, |bytes| {
            self.put_slice(bytes);
            Ok(())
        });
        match put {
            Ok(len) => len,
            Err(never) => match never {},
        }
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
    fn try_put_varints<W: Varint>(&mut self, values: &[W::Value]) -> Result<usize, BufferTooSmall> {
        let available = self.remaining_mut();
        // The longest encodings fit into a buffer that can grow, so their length need not be known.
        if available / W::WRITTEN_MAX < values.len() {
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
