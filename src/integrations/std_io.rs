//! Varints and length-prefixed payloads over `std::io`.

use std::io::{self, ErrorKind::Interrupted, Read, Write};
use std::vec::Vec;

use crate::decoder::Decoder;
use crate::error::{DecodeError, ErrorKind};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// Memory that a length prefix gets on trust: beyond it, a payload's buffer grows as its bytes arrive.
const ON_TRUST: usize = 8 * 1024;

/// Reads varints and length-prefixed payloads from any [`Read`]. Never reads past the last byte of a value; wrap slow sources in a
/// [`BufReader`](std::io::BufReader). `Interrupted` is retried.
///
/// A bad varint is an [`io::Error`] around a [`DecodeError`], whose offset counts from the first byte of that value, not of the
/// stream (as a [`Decoder`]'s does): kind `UnexpectedEof` for `Truncated`, `InvalidData` for the others.
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
    fn read_varint<T: Varint>(&mut self) -> io::Result<T> {
        read::<_, DecodeError>(self, Decoder::new())?.ok_or_else(missing::<DecodeError>)
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
    fn next_varint<T: Varint>(&mut self) -> io::Result<Option<T>> {
        read::<_, DecodeError>(self, Decoder::new())
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
    fn read_varint_canonical<T: Varint>(&mut self) -> io::Result<T> {
        read::<_, DecodeError>(self, Decoder::canonical())?.ok_or_else(missing::<DecodeError>)
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
    fn next_varint_canonical<T: Varint>(&mut self) -> io::Result<Option<T>> {
        read::<_, DecodeError>(self, Decoder::canonical())
    }

    /// The next length-prefixed payload, which must be there. Nothing is read behind it.
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, ReadVarint};
    ///
    /// let mut input: &[u8] = b"\x05hello!";
    /// assert_eq!(input.read_length_prefixed(LengthPrefix::new(1000))?, b"hello");
    /// assert_eq!(input, b"!");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the reader, and those of [`LengthPrefix::decode`]: an [`io::Error`] around a [`FrameError`], kind
    /// `UnexpectedEof` where the input ends too early, `InvalidData` for the others. What was read of a bad or
    /// truncated one is lost: where input comes in pieces, gather it and ask [`LengthPrefix::decode`].
    fn read_length_prefixed(&mut self, prefix: LengthPrefix) -> io::Result<Vec<u8>> {
        self.next_length_prefixed(prefix)?.ok_or_else(missing::<FrameError>)
    }

    /// The next length-prefixed payload, or `None` where the input ends before it.
    ///
    /// ```
    /// use zigzag_varint::{FrameError, LengthPrefix, ReadVarint};
    ///
    /// let mut input: &[u8] = b"\x03one\x03two\xff\xff\xff\x7f";
    /// assert_eq!(input.next_length_prefixed(LengthPrefix::new(1000))?.as_deref(), Some(&b"one"[..]));
    /// assert_eq!(input.next_length_prefixed(LengthPrefix::new(1000))?.as_deref(), Some(&b"two"[..]));
    ///
    /// let error = input.next_length_prefixed(LengthPrefix::new(1000)).unwrap_err();
    /// let inside: Option<&FrameError> = error.get_ref().and_then(|inside| inside.downcast_ref());
    /// assert_eq!(inside, Some(&FrameError::TooLong { len: 268_435_455, max_len: 1000 }));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`read_length_prefixed`](Self::read_length_prefixed), but for the missing of everything.
    fn next_length_prefixed(&mut self, prefix: LengthPrefix) -> io::Result<Option<Vec<u8>>> {
        let said = if prefix.is_narrow() {
            read::<u32, FrameError>(self, prefix.decoder())?.map(u64::from)
        } else {
            read::<u64, FrameError>(self, prefix.decoder())?
        };
        let Some(said) = said else { return Ok(None) };
        let len = prefix.within_limit(said)?;
        let mut payload = Vec::with_capacity(len.min(ON_TRUST));
        let got = Read::take(self, said).read_to_end(&mut payload)?;
        if got < len {
            return Err(FrameError::Truncated { len, missing: len - got }.into());
        }
        Ok(Some(payload))
    }
}

impl<R: Read + ?Sized> ReadVarint for R {}

/// One value. What is wrong with its bytes is told as an `E`.
fn read<T: Varint, E>(input: &mut (impl Read + ?Sized), mut decoder: Decoder<T>) -> io::Result<Option<T>>
where
    E: From<DecodeError> + Into<io::Error>,
{
    let bad = |error| E::from(error).into();
    let mut byte = [0];
    loop {
        match input.read(&mut byte) {
            Ok(0) => return decoder.finish().map(|()| None).map_err(bad),
            Ok(_) => {
                if let Some(value) = decoder.push(byte[0]).map_err(bad)? {
                    return Ok(Some(value));
                }
            }
            Err(error) if error.kind() == Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cold]
fn missing<E: From<DecodeError> + Into<io::Error>>() -> io::Error {
    E::from(DecodeError::new(ErrorKind::Truncated, 0)).into()
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

/// The kind is `UnexpectedEof` where more input would help, `InvalidData` for the others; the [`FrameError`] is inside.
impl From<FrameError> for io::Error {
    fn from(error: FrameError) -> Self {
        let kind =
            if error.is_incomplete() { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
        Self::new(kind, error)
    }
}

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
    fn write_varint<T: Varint>(&mut self, value: T) -> io::Result<usize> {
        let encoded = value.encode();
        self.write_all(&encoded)?;
        Ok(encoded.len())
    }

    /// Writes the length of `payload` and `payload`, each with one `write_all`; the bytes written. Wrap sockets in a
    /// [`BufWriter`](io::BufWriter), or they send two packets.
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, WriteVarint};
    ///
    /// let mut output = Vec::new();
    /// assert_eq!(output.write_length_prefixed(LengthPrefix::new(1000), b"hello")?, 6);
    /// assert_eq!(output, b"\x05hello");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer; kind `InvalidInput` around [`FrameError::TooLong`] for a payload that its reader would
    /// refuse: nothing is written then.
    fn write_length_prefixed(&mut self, prefix: LengthPrefix, payload: &[u8]) -> io::Result<usize> {
        let len = prefix
            .encode_prefix(payload.len())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        self.write_all(&len)?;
        self.write_all(payload)?;
        Ok(len.len() + payload.len())
    }
}

impl<W: Write + ?Sized> WriteVarint for W {}
