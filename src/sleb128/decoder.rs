//! The decoder for signed LEB128 that arrives in pieces.

use core::marker::PhantomData;

use super::signed::Signed;
use crate::error::{DecodeError, ErrorKind};
use crate::scalar::value::CONTINUE;
use crate::varint_trait::Varint;

/// A decoder for signed LEB128 that arrives in pieces of any size.
///
/// It stores at most one incomplete value and never allocates. Offsets in errors count from the
/// first byte given since the decoder was created or last failed. After an error the decoder is in
/// its initial state.
///
/// ```
/// use zigzag_varint::sleb128;
///
/// let mut decoder = sleb128::Decoder::<i32>::new();
/// assert_eq!(decoder.push(0xff)?, None);
/// assert_eq!(decoder.push(0x7e)?, Some(-129));
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder<T: Signed> {
    bytes: [u8; i128::MAX_LEN],
    /// The number of bytes of the incomplete value.
    pending: usize,
    /// The number of bytes of the complete values.
    finished: usize,
    canonical: bool,
    value: PhantomData<fn() -> T>,
}

impl<T: Signed> Decoder<T> {
    /// Creates a decoder that accepts overlong encodings.
    ///
    /// ```
    /// use zigzag_varint::sleb128;
    ///
    /// let decoder = sleb128::Decoder::<i32>::new();
    /// assert_eq!(decoder.pending(), 0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; i128::MAX_LEN], pending: 0, finished: 0, canonical: false, value: PhantomData }
    }

    /// Creates a decoder that rejects overlong encodings.
    ///
    /// ```
    /// use zigzag_varint::{ErrorKind, sleb128};
    ///
    /// let mut decoder = sleb128::Decoder::<i32>::canonical();
    /// assert_eq!(decoder.push(0xfe), Ok(None));
    /// assert_eq!(decoder.push(0x7f).unwrap_err().kind(), ErrorKind::NonCanonical);
    /// ```
    #[must_use]
    pub const fn canonical() -> Self {
        Self { canonical: true, ..Self::new() }
    }

    /// Consumes one byte, and returns the value if the byte completes one.
    ///
    /// # Errors
    ///
    /// `Overflow`, and from a canonical decoder `NonCanonical`. The offset is that of this byte.
    ///
    /// ```
    /// use zigzag_varint::sleb128;
    ///
    /// let mut decoder = sleb128::Decoder::<i32>::new();
    /// let mut values = Vec::new();
    /// for byte in [0xff, 0x7e, 0x07] {
    ///     values.extend(decoder.push(byte)?);
    /// }
    /// assert_eq!(values, [-129, 7]);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[inline]
    pub fn push(&mut self, byte: u8) -> Result<Option<T>, DecodeError> {
        self.bytes[self.pending] = byte;
        self.pending += 1;
        if byte >= CONTINUE && self.pending < T::MAX_LEN {
            return Ok(None);
        }
        let bytes = &self.bytes[..self.pending];
        let decoded =
            if self.canonical { T::from_sleb128::<true>(bytes) } else { T::from_sleb128::<false>(bytes) };
        match decoded {
            Ok((value, len)) => {
                self.finished = self.finished.saturating_add(len);
                self.pending = 0;
                Ok(Some(value))
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Consumes bytes from `chunk` until a value is complete. Returns the value, or `None` if `chunk`
    /// ends first, and the number of bytes consumed.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push).
    ///
    /// ```
    /// use zigzag_varint::sleb128;
    ///
    /// let mut decoder = sleb128::Decoder::<i64>::new();
    /// assert_eq!(decoder.push_slice(&[0xff])?, (None, 1));
    /// assert_eq!(decoder.push_slice(&[0x7e, 0x07])?, (Some(-129), 1));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    pub fn push_slice(&mut self, chunk: &[u8]) -> Result<(Option<T>, usize), DecodeError> {
        for (index, &byte) in chunk.iter().enumerate() {
            if let Some(value) = self.push(byte)? {
                return Ok((Some(value), index + 1));
            }
        }
        Ok((None, chunk.len()))
    }

    /// Checks that the input may end here.
    ///
    /// # Errors
    ///
    /// `Truncated` if a value is incomplete.
    ///
    /// ```
    /// use zigzag_varint::sleb128;
    ///
    /// let mut decoder = sleb128::Decoder::<i64>::new();
    /// assert!(decoder.finish().is_ok());
    /// decoder.push(0xff)?;
    /// assert_eq!(decoder.finish().unwrap_err().offset(), 1);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    pub fn finish(&mut self) -> Result<(), DecodeError> {
        match self.pending {
            0 => Ok(()),
            pending => Err(self.fail(DecodeError::new(ErrorKind::Truncated, pending))),
        }
    }

    /// Returns the number of bytes consumed of a value that is incomplete, or 0 between two values.
    ///
    /// ```
    /// use zigzag_varint::sleb128;
    ///
    /// let mut decoder = sleb128::Decoder::<i64>::new();
    /// decoder.push(0xff)?;
    /// assert_eq!(decoder.pending(), 1);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn pending(&self) -> usize {
        self.pending
    }

    #[cold]
    fn fail(&mut self, error: DecodeError) -> DecodeError {
        let error = error.shifted(self.finished);
        *self = Self { canonical: self.canonical, ..Self::new() };
        error
    }
}

impl<T: Signed> Default for Decoder<T> {
    fn default() -> Self {
        Self::new()
    }
}
