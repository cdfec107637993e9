//! Varints and length-prefixed payloads from `embedded_io::Read`.

use ::embedded_io::{Error as _, ErrorKind::Interrupted, Read};

use super::error::Error;
use crate::decoder::{ByteDecoder, Decoder};
use crate::error::{BufferTooSmall, DecodeError, ErrorKind};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// Reads varints and length-prefixed payloads from any [`Read`].
///
/// The methods read a varint one byte at a time and never past its last byte. If the reader is a
/// `BufRead`, [`BufReadVarint`](super::BufReadVarint) has faster ones. `Interrupted` is retried. Offsets in errors count from the first byte of the value. The bytes read of an invalid
/// value are lost.
///
/// ```
/// use zigzag_varint::embedded_io::ReadVarint;
///
/// let mut input = &[0x01, 0xac, 0x02][..];
/// assert_eq!(input.read_varint::<i64>(), Ok(-1));
/// assert_eq!(input.next_varint::<u64>(), Ok(Some(300)));
/// ```
pub trait ReadVarint: Read {
    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// Those of the reader, `Truncated` if the input ends before or inside the value, and `Overflow`.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let mut input = &[0xac, 0x02][..];
    /// assert_eq!(input.read_varint::<u64>()?, 300);
    /// assert!(input.read_varint::<u64>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read_varint<W: Varint>(&mut self) -> Result<W::Value, Error<Self::Error>> {
        read(self, Decoder::<W>::new())?.ok_or_else(missing)
    }

    /// Reads the next value, or returns `None` if the input ends before it.
    ///
    /// # Errors
    ///
    /// Those of the reader, `Truncated` if the input ends inside the value, and `Overflow`.
    ///
    /// ```
    /// use zigzag_varint::embedded_io::ReadVarint;
    ///
    /// let mut input = &[0xac, 0x02][..];
    /// assert_eq!(input.next_varint::<u64>()?, Some(300));
    /// assert_eq!(input.next_varint::<u64>()?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn next_varint<W: Varint>(&mut self) -> Result<Option<W::Value>, Error<Self::Error>> {
        read(self, Decoder::<W>::new())
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
        self.next_length_prefixed(prefix, dst)?.ok_or_else(missing)
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
        let claimed = read(self, prefix.decoder())?;
        let Some(claimed) = claimed else { return Ok(None) };
        let len = prefix.within_limit(claimed).map_err(Error::Data)?;
        let available = dst.len();
        let Some(payload) = dst.get_mut(..len) else {
            return Err(Error::Data(BufferTooSmall { needed: len, available }.into()));
        };
        let received = fill(self, payload).map_err(Error::Io)?;
        if received < len {
            return Err(Error::Data(FrameError::Truncated { len, missing: len - received }));
        }
        Ok(Some(payload))
    }
}

impl<R: Read + ?Sized> ReadVarint for R {}

/// Reads one value, or returns `None` at the end of the input. An invalid value is reported as a `D`.
pub(super) fn read<V: ByteDecoder, R: Read + ?Sized, D: From<DecodeError>>(
    input: &mut R,
    mut decoder: V,
) -> Result<Option<V::Value>, Error<R::Error, D>> {
    let invalid = |error| Error::Data(D::from(error));
    let mut byte = [0];
    loop {
        if fill(input, &mut byte).map_err(Error::Io)? == 0 {
            return decoder.finish().map(|()| None).map_err(invalid);
        }
        if let Some(value) = decoder.push(byte[0]).map_err(invalid)? {
            return Ok(Some(value));
        }
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

#[cold]
pub(super) fn missing<E, D: From<DecodeError>>() -> Error<E, D> {
    Error::Data(DecodeError::new(ErrorKind::Truncated, 0).into())
}
