//! Varints and length-prefixed payloads for the blocking readers and writers of the crate `embedded-io`, without `std` and
//! without allocation.
//!
//! The traits have the names of those for `std::io`. A payload is read into a buffer of the caller.
//!
//! ```
//! use zigzag_varint::LengthPrefix;
//! use zigzag_varint::embedded_io::{ReadVarint, WriteVarint};
//!
//! const NAME: LengthPrefix = LengthPrefix::new(16);
//!
//! let mut flash = [0; 16];
//! let mut output = &mut flash[..];
//! output.write_varint(-150i32)?;
//! output.write_length_prefixed(NAME, b"probe 7")?;
//!
//! let mut input = &flash[..];
//! let mut name = [0; 16];
//! assert_eq!(input.read_varint::<i32>()?, -150);
//! assert_eq!(input.read_length_prefixed(NAME, &mut name)?, b"probe 7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;

use ::embedded_io::{BufRead, Error as _, ErrorKind::Interrupted, Read, Write};

use super::sink::{write_frame, write_slice, write_value};
use super::source::{Source, missing, next, next_len, read, read_slice};
use crate::error::{BufferTooSmall, BulkError, DecodeError};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::{Unlimited, Varint};

/// Reads varints and length-prefixed payloads from any [`BufRead`]: wrap a reader without a buffer,
/// such as a serial port, in a type that has one.
///
/// [`read_varints`](Self::read_varints) is the fastest method for many values. The methods never
/// consume a byte past the last one of a value or payload. `Interrupted` is retried. Offsets in errors
/// count from the first byte that the call reads. The bytes of an invalid value up to the one at that
/// offset are consumed, whatever is in the buffer of the reader ([after an error](crate#after-an-error)).
///
/// Where there is no space for a buffer, pass each byte to a [`Decoder`](crate::Decoder).
///
/// ```
/// use zigzag_varint::embedded_io::ReadVarint;
///
/// let mut input = &[0x03, 0x01, 0xac, 0x02, 0x07, 0x01][..];
/// let mut values = [0; 3];
/// assert_eq!(input.read_varint::<usize>()?, 3);
/// assert_eq!(input.read_varints::<u64>(&mut values)?, 3);
/// assert_eq!(values, [1, 300, 7]);
/// assert_eq!(input.next_varint::<i64>()?, Some(-1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ReadVarint: BufRead {
    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// Those of the reader, those of [`Varint::decode`], and `Truncated` if the input ends before the
    /// value.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let mut input = &[0xac, 0x02][..];
    /// assert_eq!(input.read_varint::<u64>()?, 300);
    /// assert!(input.read_varint::<u64>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn read_varint<W: Varint>(&mut self) -> Result<W::Value, Error<Self::Error>> {
        read::<W, _>(self, Error::Data)
    }

    /// Reads the next value, or returns `None` if the input ends before it.
    ///
    /// # Errors
    ///
    /// Those of the reader, and those of [`Varint::decode`].
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let mut input = &[0xac, 0x02][..];
    /// assert_eq!(input.next_varint::<u64>()?, Some(300));
    /// assert_eq!(input.next_varint::<u64>()?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn next_varint<W: Varint>(&mut self) -> Result<Option<W::Value>, Error<Self::Error>> {
        next::<W, _>(self, Error::Data)
    }

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
    /// use zigzag_varint::embedded_io::{Error, ReadVarint};
    /// use zigzag_varint::{ErrorKind, Progress};
    ///
    /// let mut input: &[u8] = &[0x01, 0xac, 0x02, 0x07, 0x80];
    /// let mut values = [0u64; 2];
    /// assert_eq!(input.read_varints::<u64>(&mut values)?, 2);
    /// assert_eq!(values, [1, 300]);
    ///
    /// let failed = input.read_varints::<u64>(&mut values).unwrap_err();
    /// assert_eq!(failed.progress, Progress { values: 1, bytes: 1 });
    /// assert_eq!(values[0], 7);
    /// match failed.error {
    ///     Error::Data(error) => assert_eq!((error.kind(), error.offset()), (ErrorKind::Truncated, 2)),
    ///     Error::Io(never) => match never {},
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read_varints<W: Varint>(
        &mut self,
        dst: &mut [W::Value],
    ) -> Result<usize, BulkError<Error<Self::Error>>> {
        read_slice::<W, _>(self, dst, Error::Data)
    }

    /// Reads the next length-prefixed payload to the start of `dst`, and returns that part of `dst`.
    ///
    /// # Errors
    ///
    /// Those of the reader, those of [`LengthPrefix::decode`], and
    /// [`BufferTooSmall`](FrameError::BufferTooSmall) if the payload is within the limit but longer than `dst`. The prefix
    /// has been read then.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let mut buffer = [0; 64];
    /// let payload = (&b"\x05hello"[..]).read_length_prefixed(LengthPrefix::new(64), &mut buffer)?;
    /// assert_eq!(payload, b"hello");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read_length_prefixed<'b>(
        &mut self,
        prefix: LengthPrefix,
        dst: &'b mut [u8],
    ) -> Result<&'b mut [u8], Error<Self::Error, FrameError>> {
        self.next_length_prefixed(prefix, dst)?.ok_or_else(|| missing(Error::Data))
    }

    /// Reads the next length-prefixed payload like [`read_length_prefixed`](Self::read_length_prefixed), or returns
    /// `None` if the input ends before it.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let (mut input, mut buffer, mut lens) = (&b"\x03one\x05three"[..], [0; 8], vec![]);
    /// while let Some(payload) = input.next_length_prefixed(LengthPrefix::new(8), &mut buffer)? {
    ///     lens.push(payload.len());
    /// }
    /// assert_eq!(lens, [3, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `read_length_prefixed`, except for input that ends before the prefix.
    fn next_length_prefixed<'b>(
        &mut self,
        prefix: LengthPrefix,
        dst: &'b mut [u8],
    ) -> Result<Option<&'b mut [u8]>, Error<Self::Error, FrameError>> {
        let Some((len, prefix_len)) = next_len(self, prefix, Error::Data)? else { return Ok(None) };
        let available = dst.len();
        let Some(payload) = dst.get_mut(..len) else {
            return Err(Error::Data(BufferTooSmall { needed: len, available }.into()));
        };
        let received = fill(self, payload).map_err(Error::Io)?;
        if received < len {
            return Err(Error::Data(FrameError::truncated(len, received, prefix_len)));
        }
        Ok(Some(payload))
    }
}

impl<R: BufRead + ?Sized> ReadVarint for R {}

impl<R: BufRead + ?Sized, D> Source<Error<R::Error, D>> for R {
    #[inline]
    fn fill_buffer(&mut self) -> Result<Option<&[u8]>, Error<R::Error, D>> {
        match self.fill_buf() {
            Ok(buffer) => Ok(Some(buffer)),
            Err(error) if error.kind() == Interrupted => Ok(None),
            Err(error) => Err(Error::Io(error)),
        }
    }

    #[inline]
    fn remove(&mut self, bytes: usize) {
        self.consume(bytes);
    }
}

/// Reads until `dst` is full or the input ends, and returns the number of bytes read.
fn fill<R: Read + ?Sized>(input: &mut R, dst: &mut [u8]) -> Result<usize, R::Error> {
    let mut filled = 0;
    while let Some(rest @ [_, ..]) = dst.get_mut(filled..) {
        match input.read(rest) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The number of bytes that are encoded before each `write_all`, on the stack.
const BLOCK_BYTES: usize = 256;

/// Writes varints and length-prefixed payloads to any [`Write`].
///
/// ```
/// use zigzag_varint::embedded_io::WriteVarint;
///
/// let mut flash = [0; 4];
/// let mut output = &mut flash[..];
/// output.write_varint(300u64)?;
/// assert_eq!(flash, [0xac, 0x02, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WriteVarint: Write {
    /// Writes the encoding of `value` with one `write_all`, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// assert_eq!((&mut [0; 4][..]).write_varint(300u32)?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_varint<W: Varint>(&mut self, value: W) -> Result<usize, Self::Error> {
        write_value::<W, _>(W::value(value), |bytes| self.write_all(bytes))
    }

    /// Writes the encodings of all of `values`, and returns their length in bytes. O(n).
    ///
    /// It encodes in bulk, like [`encode_slice`](crate::encode_slice), and writes blocks of at most 256
    /// bytes, each with one `write_all`.
    ///
    /// # Errors
    ///
    /// Those of the writer. The number of values written is unknown then.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// assert_eq!((&mut [0; 8][..]).write_varints::<u64>(&[1, 300, 7])?, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_varints<W: Unlimited>(&mut self, values: &[W::Value]) -> Result<usize, Self::Error> {
        write_slice::<BLOCK_BYTES, W, _>(values, |bytes| self.write_all(bytes))
    }

    /// Writes the length of `payload` and then `payload`, and returns the number of bytes written. Each
    /// part is one `write_all`.
    ///
    /// # Errors
    ///
    /// Those of the writer, and [`FrameError::TooLong`]; nothing is written then.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// let mut flash = [0; 8];
    /// assert_eq!((&mut flash[..]).write_length_prefixed(LengthPrefix::new(64), b"hello")?, 6);
    /// assert_eq!(flash, *b"\x05hello\0\0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_length_prefixed(
        &mut self,
        prefix: LengthPrefix,
        payload: &[u8],
    ) -> Result<usize, Error<Self::Error, FrameError>> {
        write_frame(prefix, payload, Error::Data, |bytes| self.write_all(bytes).map_err(Error::Io))
    }
}

impl<W: Write + ?Sized> WriteVarint for W {}

/// The error of a reader or writer, or of the data that it carries.
///
/// `E` is the error of the reader or writer, `D` is [`DecodeError`] for varints and
/// [`FrameError`] for payloads.
///
/// ```
/// use zigzag_varint::embedded_io::{Error, ReadVarint};
///
/// let mut input = &[0xff, 0x7f][..];
/// match input.read_varint::<u8>() {
///     Err(Error::Data(error)) => assert_eq!(error.offset(), 1),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error<E, D = DecodeError> {
    /// The reader or writer failed.
    Io(E),
    /// The varint or payload is invalid.
    Data(D),
}

impl<E: fmt::Display, D: fmt::Display> fmt::Display for Error<E, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Data(error) => error.fmt(f),
        }
    }
}

impl<E, D> core::error::Error for Error<E, D>
where
    E: core::error::Error + 'static,
    D: core::error::Error + 'static,
{
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            Self::Data(error) => error.source(),
        }
    }
}
