//! `std::io`: reading, writing, and the conversions of the crate's errors to `std::io::Error`, so that
//! `?` works in functions that do I/O.

use std::io::{self, BufRead, ErrorKind::Interrupted, Read, Write};
use std::vec::Vec;

use super::sink::{write_frame, write_slice, write_value};
use super::source::{Source, missing, next, next_len, read, read_slice};
use crate::error::{BufferTooSmall, BulkError, DecodeError, DeltaError, PaddedWidthError, conversions};
use crate::kernel::default::DefaultKernelError;
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::protobuf::FieldError;
use crate::varint_trait::{Unlimited, Varint};

/// The memory in bytes that is allocated for a payload before any of it has arrived. Beyond that the
/// buffer grows as the payload arrives, whatever its length prefix is.
const INITIAL_PAYLOAD_CAPACITY: usize = 8 * 1024;

/// Reads varints and length-prefixed payloads from any [`BufRead`]: wrap a reader without a buffer,
/// such as a file or a socket, in a [`BufReader`](io::BufReader).
///
/// [`read_varints`](Self::read_varints) is the fastest method for many values. The methods never
/// consume a byte past the last one of a value or payload. `Interrupted` is retried.
///
/// An invalid varint is an [`io::Error`] that contains a [`DecodeError`]. Its kind is `UnexpectedEof` for
/// `Truncated`, and `InvalidData` for the others. Its offset counts from the first byte that the call
/// reads, not from the start of the stream. The bytes of an invalid value up to the one at that offset
/// are consumed, whatever is in the buffer of the reader ([after an error](crate#after-an-error)).
///
/// ```
/// use std::io::BufReader;
/// use zigzag_varint::ReadVarint;
///
/// let mut input = BufReader::new(&[0x03, 0x01, 0xac, 0x02, 0x07, 0x01][..]);
/// let mut values = vec![0; input.read_varint::<usize>()?];
/// assert_eq!(input.read_varints::<u64>(&mut values)?, 3);
/// assert_eq!(values, [1, 300, 7]);
/// assert_eq!(input.next_varint::<i64>()?, Some(-1));
/// assert_eq!(input.next_varint::<i64>()?, None); // the end of the input
/// # Ok::<(), std::io::Error>(())
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
    /// use zigzag_varint::ReadVarint;
    ///
    /// let mut input: &[u8] = &[0xac, 0x02];
    /// assert_eq!(input.read_varint::<u32>()?, 300);
    /// assert_eq!(input.read_varint::<u32>().unwrap_err().kind(), std::io::ErrorKind::UnexpectedEof);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    fn read_varint<W: Varint>(&mut self) -> io::Result<W::Value> {
        read::<W, _>(self, io::Error::from)
    }

    /// Reads the next value, or returns `None` if the input ends before it.
    ///
    /// # Errors
    ///
    /// Those of the reader, and those of [`Varint::decode`].
    ///
    /// ```
    /// use zigzag_varint::ReadVarint;
    ///
    /// let mut input: &[u8] = &[0xac, 0x02, 0x07];
    /// let mut sum = 0;
    /// while let Some(value) = input.next_varint::<u32>()? {
    ///     sum += value;
    /// }
    /// assert_eq!(sum, 307);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    fn next_varint<W: Varint>(&mut self) -> io::Result<Option<W::Value>> {
        next::<W, _>(self, io::Error::from)
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
    /// use zigzag_varint::{DecodeError, ErrorKind, Progress, ReadVarint};
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
        read_slice::<W, _>(self, dst, io::Error::from)
    }

    /// Reads the next length-prefixed payload.
    ///
    /// # Errors
    ///
    /// Those of the reader, and those of [`LengthPrefix::decode`] as an [`io::Error`] that contains a
    /// [`FrameError`]. Its kind is `UnexpectedEof` if the input ends too early, and `InvalidData` otherwise.
    /// The bytes read of an invalid payload are lost. If input arrives in pieces, collect it in a
    /// buffer and use [`LengthPrefix::decode`].
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, ReadVarint};
    ///
    /// let mut input: &[u8] = b"\x05hello!";
    /// assert_eq!(input.read_length_prefixed(LengthPrefix::new(1000))?, b"hello");
    /// assert_eq!(input, b"!");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn read_length_prefixed(&mut self, prefix: LengthPrefix) -> io::Result<Vec<u8>> {
        self.next_length_prefixed(prefix)?.ok_or_else(|| missing::<FrameError, _>(io::Error::from))
    }

    /// Reads the next length-prefixed payload, or returns `None` if the input ends before it.
    ///
    /// # Errors
    ///
    /// Those of [`read_length_prefixed`](Self::read_length_prefixed), except for input that ends before the
    /// prefix.
    ///
    /// ```
    /// use zigzag_varint::{FrameError, LengthPrefix, ReadVarint};
    ///
    /// let mut input: &[u8] = b"\x03one\x03two\xff\xff\xff\x7f";
    /// assert_eq!(input.next_length_prefixed(LengthPrefix::new(1000))?.as_deref(), Some(&b"one"[..]));
    /// assert_eq!(input.next_length_prefixed(LengthPrefix::new(1000))?.as_deref(), Some(&b"two"[..]));
    ///
    /// let error = input.next_length_prefixed(LengthPrefix::new(1000)).unwrap_err();
    /// let inner: Option<&FrameError> = error.get_ref().and_then(|inner| inner.downcast_ref());
    /// assert_eq!(
    ///     inner,
    ///     Some(&FrameError::TooLong { len: 268_435_455, max_len: 1000, offset: Some(0) })
    /// );
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn next_length_prefixed(&mut self, prefix: LengthPrefix) -> io::Result<Option<Vec<u8>>> {
        let Some((len, prefix_len)) = next_len(self, prefix, io::Error::from)? else { return Ok(None) };
        let mut payload = Vec::with_capacity(len.min(INITIAL_PAYLOAD_CAPACITY));
        let received = Read::take(self, len as u64).read_to_end(&mut payload)?;
        if received < len {
            return Err(FrameError::truncated(len, received, prefix_len).into());
        }
        Ok(Some(payload))
    }
}

impl<R: BufRead + ?Sized> ReadVarint for R {}

impl<R: BufRead + ?Sized> Source<io::Error> for R {
    #[inline]
    fn fill_buffer(&mut self) -> io::Result<Option<&[u8]>> {
        match self.fill_buf() {
            Ok(buffer) => Ok(Some(buffer)),
            Err(error) if error.kind() == Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[inline]
    fn remove(&mut self, bytes: usize) {
        self.consume(bytes);
    }
}

/// The number of bytes that are encoded before each `write_all`, on the stack.
const BLOCK_BYTES: usize = 16 * 1024;

/// Writes varints and length-prefixed payloads to any [`Write`].
///
/// ```
/// use zigzag_varint::WriteVarint;
///
/// let mut output = Vec::new();
/// output.write_varint(300u64)?;
/// output.write_varint(-1i64)?;
/// assert_eq!(output, [0xac, 0x02, 0x01]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait WriteVarint: Write {
    /// Writes the encoding of `value` with one `write_all`, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// ```
    /// use zigzag_varint::WriteVarint;
    ///
    /// let mut output = Vec::new();
    /// assert_eq!(output.write_varint(300u32)?, 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline(always)] // a call would take as long as the work
    fn write_varint<W: Varint>(&mut self, value: W) -> io::Result<usize> {
        write_value::<W, _>(W::value(value), |bytes| self.write_all(bytes))
    }

    /// Writes the encodings of all of `values`, and returns their length in bytes. O(n).
    ///
    /// It encodes in bulk, like [`encode_slice`](crate::encode_slice), and writes blocks of some kilobytes,
    /// each with one `write_all`. Nothing is allocated.
    ///
    /// # Errors
    ///
    /// Those of the writer. The number of values written is unknown then.
    ///
    /// ```
    /// use zigzag_varint::WriteVarint;
    ///
    /// let mut output = Vec::new();
    /// assert_eq!(output.write_varints::<u64>(&[1, 300, 7])?, 4);
    /// assert_eq!(output, [0x01, 0xac, 0x02, 0x07]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn write_varints<W: Unlimited>(&mut self, values: &[W::Value]) -> io::Result<usize> {
        write_slice::<BLOCK_BYTES, W, _>(values, |bytes| self.write_all(bytes))
    }

    /// Writes the length of `payload` and then `payload`, and returns the number of bytes written.
    ///
    /// Each part is one `write_all`. Wrap sockets in a [`BufWriter`](io::BufWriter), or the parts are
    /// sent in two packets.
    ///
    /// # Errors
    ///
    /// Those of the writer. If `payload` is longer than the limit, the kind is `InvalidInput` with a
    /// [`FrameError::TooLong`] inside, and nothing is written.
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, WriteVarint};
    ///
    /// let mut output = Vec::new();
    /// assert_eq!(output.write_length_prefixed(LengthPrefix::new(1000), b"hello")?, 6);
    /// assert_eq!(output, b"\x05hello");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn write_length_prefixed(&mut self, prefix: LengthPrefix, payload: &[u8]) -> io::Result<usize> {
        let refused = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
        write_frame(prefix, payload, refused, |bytes| self.write_all(bytes))
    }
}

impl<W: Write + ?Sized> WriteVarint for W {}

// The errors of this crate, which are inside of the `io::Error`.
conversions! {
    /// The kind is `UnexpectedEof` for `Truncated` and `InvalidData` for the others. The [`DecodeError`] is inside.
    DecodeError => io::Error: |error| Self::new(eof_or_invalid(error.is_incomplete()), error);
    /// The kind is that of the [`DecodeError`]. The [`BulkError`] is inside.
    BulkError => io::Error: |failed| Self::new(eof_or_invalid(failed.error.is_incomplete()), failed);
    /// The kind is `UnexpectedEof` if more input could help and `InvalidData` otherwise. The [`FrameError`] is inside.
    FrameError => io::Error: |error| Self::new(eof_or_invalid(error.is_incomplete()), error);
    /// The kind is `UnexpectedEof` if more input could help and `InvalidData` otherwise. The [`FieldError`] is inside.
    FieldError => io::Error: |error| Self::new(eof_or_invalid(error.is_incomplete()), error);
    /// The kind is `InvalidInput`. The [`BufferTooSmall`] is inside.
    BufferTooSmall => io::Error: |error| Self::new(io::ErrorKind::InvalidInput, error);
    /// The kind is `InvalidInput`. The [`DeltaError`] is inside.
    DeltaError => io::Error: |error| Self::new(io::ErrorKind::InvalidInput, error);
    /// The kind is `InvalidInput`. The [`PaddedWidthError`] is inside.
    PaddedWidthError => io::Error: |error| Self::new(io::ErrorKind::InvalidInput, error);
    /// The kind is `ResourceBusy`. The [`DefaultKernelError`] is inside.
    DefaultKernelError => io::Error: |error| Self::new(io::ErrorKind::ResourceBusy, error);
    /// Keeps the error and drops the progress.
    BulkError<Self> => io::Error: |failed| failed.error;
}

fn eof_or_invalid(incomplete: bool) -> io::ErrorKind {
    if incomplete { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData }
}
