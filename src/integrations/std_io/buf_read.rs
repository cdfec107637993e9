//! Varints from `std::io::BufRead`.

use std::io::{self, BufRead, ErrorKind::Interrupted};

use super::read::{missing, read};
use crate::buffered_input::{BufferedInput, read_buffered, read_slice};
use crate::decoder::Decoder;
use crate::error::{BulkError, DecodeError};
use crate::varint_trait::Varint;

/// Reads varints from any [`BufRead`], directly from its buffer.
///
/// The methods read the same values as those of [`ReadVarint`](crate::ReadVarint), and are several
/// times faster: [`read_varints`](Self::read_varints) for many values, the others for one. They never
/// read past the last byte of a value. `Interrupted` is retried.
///
/// An invalid varint is an [`io::Error`] that contains a [`DecodeError`]. Its kind is `UnexpectedEof` for
/// `Truncated`, and `InvalidData` for the others. The bytes of an invalid value up to the offset of the
/// error are lost.
///
/// ```
/// use std::io::BufReader;
/// use zigzag_varint::BufReadVarint;
///
/// let mut input = BufReader::new(&[0x03, 0x01, 0xac, 0x02, 0x07][..]);
/// let mut values = vec![0; input.read_buffered_varint::<usize>()?];
/// assert_eq!(input.read_varints::<u64>(&mut values)?, 3);
/// assert_eq!(values, [1, 300, 7]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait BufReadVarint: BufRead {
    /// Reads values until `dst` is full or the input ends, and returns the number of values read. O(n).
    ///
    /// It decodes in bulk, like [`decode_slice`](crate::decode_slice). No state is kept between calls.
    ///
    /// # Errors
    ///
    /// [`BulkError`] at the first error of the reader, or at the first invalid varint. The values before
    /// it are in `dst` and counted in `progress`. The offset of a [`DecodeError`] counts from the first
    /// byte that this call reads. If the reader fails inside a value, the bytes read of it are lost.
    ///
    /// ```
    /// use zigzag_varint::{BufReadVarint, DecodeError, ErrorKind, Progress};
    ///
    /// let mut input: &[u8] = &[0x01, 0xac, 0x02, 0x07, 0x80];
    /// let mut values = [0u64; 2];
    /// assert_eq!(input.read_varints::<u64>(&mut values)?, 2);
    /// assert_eq!(values, [1, 300]);
    ///
    /// let failed = input.read_varints::<u64>(&mut values).unwrap_err();
    /// assert_eq!(failed.progress, Progress { values: 1, bytes: 1 });
    /// assert_eq!(values[0], 7);
    /// let error: DecodeError = failed.error.downcast()?;
    /// assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, 2));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn read_varints<W: Varint>(&mut self, dst: &mut [W::Value]) -> Result<usize, BulkError<io::Error>> {
        read_slice::<W, _>(Input(self), dst)
    }

    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// Those of [`ReadVarint::read_varint`](crate::ReadVarint::read_varint).
    ///
    /// ```
    /// use zigzag_varint::BufReadVarint;
    ///
    /// let mut input: &[u8] = &[0xac, 0x02];
    /// assert_eq!(input.read_buffered_varint::<u32>()?, 300);
    /// assert!(input.read_buffered_varint::<u32>().is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    fn read_buffered_varint<W: Varint>(&mut self) -> io::Result<W::Value> {
        next::<W>(self)?.ok_or_else(missing::<DecodeError>)
    }

    /// Reads the next value, or returns `None` if the input ends before it.
    ///
    /// # Errors
    ///
    /// Those of [`ReadVarint::next_varint`](crate::ReadVarint::next_varint).
    ///
    /// ```
    /// use zigzag_varint::BufReadVarint;
    ///
    /// let mut input: &[u8] = &[0xac, 0x02, 0x07];
    /// let mut sum = 0;
    /// while let Some(value) = input.next_buffered_varint::<u32>()? {
    ///     sum += value;
    /// }
    /// assert_eq!(sum, 307);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    fn next_buffered_varint<W: Varint>(&mut self) -> io::Result<Option<W::Value>> {
        next::<W>(self)
    }
}

impl<R: BufRead + ?Sized> BufReadVarint for R {}

/// Reads one value, from the buffer if all of it is there.
#[inline]
fn next<W: Varint>(input: &mut (impl BufRead + ?Sized)) -> io::Result<Option<W::Value>> {
    match read_buffered(Input(input), W::decode)? {
        Some(value) => Ok(Some(value)),
        None => next_in_parts::<W>(input),
    }
}

/// Reads a value that is invalid or not in the buffer as a whole, if there is one.
#[cold]
fn next_in_parts<W: Varint>(input: &mut (impl BufRead + ?Sized)) -> io::Result<Option<W::Value>> {
    read::<_, DecodeError>(input, Decoder::<W>::new())
}

struct Input<'r, R: ?Sized>(&'r mut R);

impl<R: BufRead + ?Sized> BufferedInput for Input<'_, R> {
    type Error = io::Error;

    #[inline]
    fn fill_buffer(&mut self) -> io::Result<Option<&[u8]>> {
        match self.0.fill_buf() {
            Ok(buffer) => Ok(Some(buffer)),
            Err(error) if error.kind() == Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[inline]
    fn consume(&mut self, bytes: usize) {
        self.0.consume(bytes);
    }

    fn invalid(error: DecodeError) -> io::Error {
        error.into()
    }
}
