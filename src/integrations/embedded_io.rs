//! Varints and length-prefixed payloads over the blocking readers and writers of the crate `embedded-io`: no `std`, no allocation.
//!
//! The traits have the names of those for `std::io`; payloads go into a buffer of the caller's.
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

use ::embedded_io::{Error as _, ErrorKind::Interrupted, Read, Write};

use crate::decoder::Decoder;
use crate::error::{BufferTooSmall, DecodeError, ErrorKind};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// The reader or writer failed (`Io`), or what it carries is at fault (`Data`): a [`DecodeError`] or a [`FrameError`].
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
    /// The error of the reader or writer.
    Io(E),
    /// What is wrong with the varint or the payload.
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

/// Reads varints and length-prefixed payloads from any [`Read`], one byte of a varint at a time and never past its last.
/// `Interrupted` is retried.
///
/// Offsets in errors count from the first byte of the value. What was read of a bad or truncated one is lost.
///
/// ```
/// use zigzag_varint::embedded_io::ReadVarint;
///
/// let mut input = &[0x01, 0xac, 0x02][..];
/// assert_eq!(input.read_varint::<i64>(), Ok(-1));
/// assert_eq!(input.next_varint::<u64>(), Ok(Some(300)));
/// ```
pub trait ReadVarint: Read {
    /// The next value, which must be there.
    ///
    /// # Errors
    ///
    /// Those of the reader; `Truncated` where the input ends (at offset 0: before the value), `Overflow`.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let mut input = &[0xac, 0x02][..];
    /// assert_eq!(input.read_varint::<u64>()?, 300);
    /// assert!(input.read_varint::<u64>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read_varint<T: Varint>(&mut self) -> Result<T, Error<Self::Error>> {
        read(self, Decoder::new())?.ok_or_else(missing)
    }

    /// The next value, or `None` where the input ends before it.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let mut input = &[0xac, 0x02][..];
    /// assert_eq!(input.next_varint::<u64>()?, Some(300));
    /// assert_eq!(input.next_varint::<u64>()?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the reader; `Truncated` where the input ends inside a value, `Overflow`.
    fn next_varint<T: Varint>(&mut self) -> Result<Option<T>, Error<Self::Error>> {
        read(self, Decoder::new())
    }

    /// [`read_varint`](Self::read_varint), rejecting overlong forms.
    ///
    /// # Errors
    ///
    /// Those of `read_varint`, and `NonCanonical`.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// assert_eq!((&[0x87, 0x00][..]).read_varint::<u32>(), Ok(7));
    /// assert!((&[0x87, 0x00][..]).read_varint_canonical::<u32>().is_err());
    /// ```
    fn read_varint_canonical<T: Varint>(&mut self) -> Result<T, Error<Self::Error>> {
        read(self, Decoder::canonical())?.ok_or_else(missing)
    }

    /// [`next_varint`](Self::next_varint), rejecting overlong forms.
    ///
    /// # Errors
    ///
    /// Those of `next_varint`, and `NonCanonical`.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// assert_eq!((&[][..]).next_varint_canonical::<u32>(), Ok(None));
    /// assert!((&[0x87, 0x00][..]).next_varint_canonical::<u32>().is_err());
    /// ```
    fn next_varint_canonical<T: Varint>(&mut self) -> Result<Option<T>, Error<Self::Error>> {
        read(self, Decoder::canonical())
    }

    /// The next length-prefixed payload, which must be there: read to the front of `dst`, of which it is a part.
    ///
    /// # Errors
    ///
    /// Those of the reader, and those of [`LengthPrefix::decode`];
    /// [`BufferTooSmall`](FrameError::BufferTooSmall) where the payload is allowed but longer than `dst`. Its prefix has been read then.
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
        self.next_length_prefixed(prefix, dst)?.ok_or_else(missing)
    }

    /// The next length-prefixed payload, or `None` where the input ends before it.
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
    /// Those of [`read_length_prefixed`](Self::read_length_prefixed), but for the missing of everything.
    fn next_length_prefixed<'b>(
        &mut self,
        prefix: LengthPrefix,
        dst: &'b mut [u8],
    ) -> Result<Option<&'b mut [u8]>, Error<Self::Error, FrameError>> {
        let said = if prefix.is_narrow() {
            read::<u32, _, _>(self, prefix.decoder())?.map(u64::from)
        } else {
            read::<u64, _, _>(self, prefix.decoder())?
        };
        let Some(said) = said else { return Ok(None) };
        let len = prefix.within_limit(said).map_err(Error::Data)?;
        let available = dst.len();
        let Some(payload) = dst.get_mut(..len) else {
            return Err(Error::Data(BufferTooSmall { needed: len, available }.into()));
        };
        let got = fill(self, payload).map_err(Error::Io)?;
        if got < len {
            return Err(Error::Data(FrameError::Truncated { len, missing: len - got }));
        }
        Ok(Some(payload))
    }
}

impl<R: Read + ?Sized> ReadVarint for R {}

/// One value. What is wrong with its bytes is told as a `D`.
fn read<T: Varint, R: Read + ?Sized, D: From<DecodeError>>(
    input: &mut R,
    mut decoder: Decoder<T>,
) -> Result<Option<T>, Error<R::Error, D>> {
    let bad = |error| Error::Data(D::from(error));
    let mut byte = [0];
    loop {
        if fill(input, &mut byte).map_err(Error::Io)? == 0 {
            return decoder.finish().map(|()| None).map_err(bad);
        }
        if let Some(value) = decoder.push(byte[0]).map_err(bad)? {
            return Ok(Some(value));
        }
    }
}

/// Reads until `dst` is full or the input ends; the bytes read.
fn fill<R: Read + ?Sized>(input: &mut R, dst: &mut [u8]) -> Result<usize, R::Error> {
    let mut filled = 0;
    while let Some(rest) = dst.get_mut(filled..)
        && !rest.is_empty()
    {
        match input.read(rest) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cold]
fn missing<E, D: From<DecodeError>>() -> Error<E, D> {
    Error::Data(DecodeError::new(ErrorKind::Truncated, 0).into())
}

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
    /// Writes the encoding of `value` with one `write_all`; the bytes written.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// let mut bytes = [0; 4];
    /// assert_eq!((&mut bytes[..]).write_varint(300u64), Ok(2));
    /// assert_eq!(bytes, [0xac, 0x02, 0, 0]);
    /// ```
    fn write_varint<T: Varint>(&mut self, value: T) -> Result<usize, Self::Error> {
        let encoded = value.encode();
        self.write_all(&encoded)?;
        Ok(encoded.len())
    }

    /// Writes the length of `payload` and `payload`, each with one `write_all`; the bytes written.
    ///
    /// # Errors
    ///
    /// Those of the writer; [`FrameError::TooLong`], and nothing is written then.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    /// use zigzag_varint::embedded_io::WriteVarint;
    ///
    /// let mut bytes = [0; 4];
    /// assert_eq!((&mut bytes[..]).write_length_prefixed(LengthPrefix::new(64), b"hi"), Ok(3));
    /// assert_eq!(bytes, *b"\x02hi\0");
    /// ```
    fn write_length_prefixed(
        &mut self,
        prefix: LengthPrefix,
        payload: &[u8],
    ) -> Result<usize, Error<Self::Error, FrameError>> {
        let len = prefix.encode_prefix(payload.len()).map_err(Error::Data)?;
        self.write_all(&len).map_err(Error::Io)?;
        self.write_all(payload).map_err(Error::Io)?;
        Ok(len.len() + payload.len())
    }
}

impl<W: Write + ?Sized> WriteVarint for W {}
