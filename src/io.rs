//! Varints over `std::io`.

use std::io::{self, ErrorKind::Interrupted, Read, Write};

use crate::decoder::Decoder;
use crate::error::{DecodeError, ErrorKind};
use crate::varint::VarInt;

/// Reads varints from any [`Read`]. Never reads past the last byte of a value; wrap slow sources in a
/// [`BufReader`](std::io::BufReader). `Interrupted` is retried.
///
/// A bad varint is an [`io::Error`] around a [`DecodeError`], whose offset counts from the first byte of that value:
/// kind `UnexpectedEof` for `Truncated`, `InvalidData` for the others.
///
/// ```
/// use zigzag_varint::ReadVarint;
///
/// let mut input: &[u8] = &[0x01, 0xac, 0x02];
/// let first: i64 = input.read_varint()?;
/// assert_eq!(first, -1);
/// assert_eq!(input.next_varint::<u64>()?, Some(300));
/// assert_eq!(input.next_varint::<u64>()?, None); // the clean end
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ReadVarint: Read {
    /// The next value, which must be there.
    ///
    /// # Errors
    ///
    /// Those of the reader; `Truncated` where the input ends (at offset 0: before the value), `Overflow`.
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
    fn read_varint<T: VarInt>(&mut self) -> io::Result<T> {
        read(self, Decoder::new())?.ok_or_else(missing)
    }

    /// The next value, or `None` where the input ends before it.
    ///
    /// # Errors
    ///
    /// Those of the reader; `Truncated` where the input ends inside a value, `Overflow`.
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
    fn next_varint<T: VarInt>(&mut self) -> io::Result<Option<T>> {
        read(self, Decoder::new())
    }

    /// [`read_varint`](Self::read_varint), rejecting overlong forms.
    ///
    /// # Errors
    ///
    /// Those of `read_varint`, and `NonCanonical`.
    ///
    /// ```
    /// use zigzag_varint::ReadVarint;
    ///
    /// let mut input: &[u8] = &[0x07, 0x87, 0x00];
    /// assert_eq!(input.read_varint_canonical::<u32>()?, 7);
    /// assert_eq!(input.read_varint_canonical::<u32>().unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    fn read_varint_canonical<T: VarInt>(&mut self) -> io::Result<T> {
        read(self, Decoder::canonical())?.ok_or_else(missing)
    }

    /// [`next_varint`](Self::next_varint), rejecting overlong forms.
    ///
    /// # Errors
    ///
    /// Those of `next_varint`, and `NonCanonical`.
    ///
    /// ```
    /// use zigzag_varint::ReadVarint;
    ///
    /// let mut input: &[u8] = &[0x07];
    /// assert_eq!(input.next_varint_canonical::<u32>()?, Some(7));
    /// assert_eq!(input.next_varint_canonical::<u32>()?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    fn next_varint_canonical<T: VarInt>(&mut self) -> io::Result<Option<T>> {
        read(self, Decoder::canonical())
    }
}

impl<R: Read + ?Sized> ReadVarint for R {}

fn read<T: VarInt>(input: &mut (impl Read + ?Sized), mut decoder: Decoder<T>) -> io::Result<Option<T>> {
    let mut byte = [0];
    loop {
        match input.read(&mut byte) {
            Ok(0) => return decoder.finish().map(|()| None).map_err(io::Error::from),
            Ok(_) => {
                if let Some(value) = decoder.push(byte[0])? {
                    return Ok(Some(value));
                }
            }
            Err(error) if error.kind() == Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cold]
fn missing() -> io::Error {
    DecodeError::new(ErrorKind::Truncated, 0).into()
}

/// The kind is `UnexpectedEof` for `Truncated`, `InvalidData` for the others; the [`DecodeError`] is inside.
impl From<DecodeError> for io::Error {
    fn from(error: DecodeError) -> Self {
        let kind = match error.kind() {
            ErrorKind::Truncated => io::ErrorKind::UnexpectedEof,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

/// Writes varints to any [`Write`].
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
    /// Writes the encoding of `value` with one `write_all`; the bytes written.
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
    #[inline]
    fn write_varint<T: VarInt>(&mut self, value: T) -> io::Result<usize> {
        let encoded = value.encode();
        self.write_all(&encoded)?;
        Ok(encoded.len())
    }
}

impl<W: Write + ?Sized> WriteVarint for W {}
