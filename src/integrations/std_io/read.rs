//! Varints and length-prefixed payloads from `std::io::Read`.

use std::io::{self, ErrorKind::Interrupted, Read};
use std::vec::Vec;

use crate::decoder::{ByteDecoder, Decoder};
use crate::error::{DecodeError, ErrorKind};
use crate::length_prefix::{FrameError, LengthPrefix};
use crate::varint_trait::Varint;

/// The memory in bytes that is allocated for a payload before any of it has arrived. Beyond that the
/// buffer grows as the payload arrives, whatever its length prefix is.
const INITIAL_PAYLOAD_CAPACITY: usize = 8 * 1024;

/// Reads varints and length-prefixed payloads from any [`Read`].
///
/// The methods never read past the last byte of a value. They read one byte at a time, so wrap slow
/// sources in a [`BufReader`](std::io::BufReader), for which [`BufReadVarint`](crate::BufReadVarint) has
/// faster methods. `Interrupted` is retried.
///
/// An invalid varint is an [`io::Error`] that contains a [`DecodeError`]. Its kind is `UnexpectedEof` for
/// `Truncated`, and `InvalidData` for the others. Its offset counts from the first byte of the value, not
/// from the start of the stream. The bytes read of an invalid value are lost.
///
/// ```
/// use zigzag_varint::ReadVarint;
///
/// let mut input: &[u8] = &[0x01, 0xac, 0x02];
/// assert_eq!(input.read_varint::<i64>()?, -1);
/// assert_eq!(input.next_varint::<u64>()?, Some(300));
/// assert_eq!(input.next_varint::<u64>()?, None); // the end of the input
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ReadVarint: Read {
    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// Those of the reader, `Truncated` if the input ends before or inside the value, and `Overflow`.
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
        read_required::<_, DecodeError>(self, Decoder::<W>::new())
    }

    /// Reads the next value, or returns `None` if the input ends before it.
    ///
    /// # Errors
    ///
    /// Those of the reader, `Truncated` if the input ends inside the value, and `Overflow`.
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
        read::<_, DecodeError>(self, Decoder::<W>::new())
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
        self.next_length_prefixed(prefix)?.ok_or_else(missing::<FrameError>)
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
    /// assert_eq!(inner, Some(&FrameError::TooLong { len: 268_435_455, max_len: 1000 }));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn next_length_prefixed(&mut self, prefix: LengthPrefix) -> io::Result<Option<Vec<u8>>> {
        let claimed = read::<_, FrameError>(self, prefix.decoder())?;
        let Some(claimed) = claimed else { return Ok(None) };
        let len = prefix.within_limit(claimed)?;
        let mut payload = Vec::with_capacity(len.min(INITIAL_PAYLOAD_CAPACITY));
        let received = Read::take(self, claimed).read_to_end(&mut payload)?;
        if received < len {
            return Err(FrameError::Truncated { len, missing: len - received }.into());
        }
        Ok(Some(payload))
    }
}

impl<R: Read + ?Sized> ReadVarint for R {}

/// Reads one value, or returns `None` at the end of the input. An invalid value is reported as an `E`.
pub(super) fn read<D: ByteDecoder, E>(
    input: &mut (impl Read + ?Sized),
    mut decoder: D,
) -> io::Result<Option<D::Value>>
where
    E: From<DecodeError> + Into<io::Error>,
{
    let invalid = |error| E::from(error).into();
    let mut byte = [0];
    loop {
        match input.read(&mut byte) {
            Ok(0) => return decoder.finish().map(|()| None).map_err(invalid),
            Ok(_) => {
                if let Some(value) = decoder.push(byte[0]).map_err(invalid)? {
                    return Ok(Some(value));
                }
            }
            Err(error) if error.kind() == Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[inline]
fn read_required<D: ByteDecoder, E>(input: &mut (impl Read + ?Sized), decoder: D) -> io::Result<D::Value>
where
    E: From<DecodeError> + Into<io::Error>,
{
    read::<D, E>(input, decoder)?.ok_or_else(missing::<E>)
}

#[cold]
pub(super) fn missing<E: From<DecodeError> + Into<io::Error>>() -> io::Error {
    E::from(DecodeError::new(ErrorKind::Truncated, 0)).into()
}
