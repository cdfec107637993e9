//! Varints and length-prefixed payloads from `bytes::Buf`.

use ::bytes::{Buf, Bytes};

use crate::decoder::{ByteDecoder, Decoder};
use crate::error::{BulkError, DecodeError, ErrorKind, Progress, continued};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::scalar::slice::complete_len;
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
    fn try_get_varint<W: Varint>(&mut self) -> Result<W::Value, DecodeError> {
        get::<W>(self)
    }

    /// Consumes and decodes values until `dst` is full or the buffer is empty, and returns their number. O(n).
    ///
    /// It decodes each chunk in bulk, like [`decode_slice`](crate::decode_slice).
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first invalid varint. The values before it are in `dst`, counted in `progress`,
    /// and consumed. Of the invalid varint, the same bytes are consumed as after an error of a single
    /// value: none if it lies within a chunk. The offset counts from the first byte that this call decodes.
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
    /// assert_eq!((values[0], split.chunk()), (7, &[0x80][..]));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    fn try_get_varints<W: Varint>(&mut self, dst: &mut [W::Value]) -> Result<usize, BulkError> {
        get_slice::<W>(self, dst)
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
                let claimed = push_bytes(self, prefix.decoder())?;
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
fn get<W: Varint>(buf: &mut (impl Buf + ?Sized)) -> Result<W::Value, DecodeError> {
    match W::decode(buf.chunk()) {
        Ok((value, len)) => {
            buf.advance(len);
            Ok(value)
        }
        Err(error) if error.is_incomplete() && buf.chunk().len() < buf.remaining() => {
            push_bytes(buf, Decoder::<W>::new())
        }
        Err(error) => Err(error),
    }
}

/// Fills `dst`: the complete values of each chunk in bulk, and those between two chunks one by one.
fn get_slice<W: Varint>(buf: &mut (impl Buf + ?Sized), dst: &mut [W::Value]) -> Result<usize, BulkError> {
    let mut done = Progress::default();
    while done.values < dst.len() && buf.has_remaining() {
        let rest = &mut dst[done.values..];
        let complete = &buf.chunk()[..complete_len(buf.chunk(), W::MAX_LEN)];
        let next = if complete.is_empty() {
            let before = buf.remaining();
            get::<W>(buf)
                .map(|value| {
                    rest[0] = value;
                    Progress { values: 1, bytes: before - buf.remaining() }
                })
                .map_err(|error| BulkError { progress: Progress::default(), error })
        } else {
            let decoded = W::decode_slice(complete, rest);
            buf.advance(decoded.unwrap_or_else(|failed| failed.progress).bytes);
            decoded
        };
        done = continued(done, next)?;
    }
    Ok(done.values)
}

/// Decodes a value that is split over chunks.
#[cold]
fn push_bytes<D: ByteDecoder>(
    buf: &mut (impl Buf + ?Sized),
    mut decoder: D,
) -> Result<D::Value, DecodeError> {
    while let Some(&byte) = buf.chunk().first() {
        let value = decoder.push(byte)?;
        buf.advance(1);
        if let Some(value) = value {
            return Ok(value);
        }
    }
    Err(decoder.finish().err().unwrap_or(DecodeError::new(ErrorKind::Truncated, 0)))
}
