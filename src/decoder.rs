//! One byte, or one chunk, at a time: for input that arrives in pieces.

use crate::error::{DecodeError, ErrorKind};
use crate::scalar::value::CONTINUE;
use crate::varint_trait::Varint;

/// Decodes varints from input in pieces, cut anywhere. Holds at most one unfinished value; never allocates.
///
/// Offsets in errors count from the first byte given since the decoder was made or failed. After an error the decoder is as new.
///
/// ```
/// use zigzag_varint::Decoder;
///
/// let mut decoder = Decoder::<u64>::new();
/// assert_eq!(decoder.push(0xac)?, None);
/// assert_eq!(decoder.push(0x02)?, Some(300));
/// # Ok::<(), zigzag_varint::DecodeError>(())
/// ```
///
/// From an asynchronous reader, of `tokio` here, it takes the bytes as they arrive:
///
#[cfg_attr(feature = "std", doc = "```")]
#[cfg_attr(not(feature = "std"), doc = "```ignore")]
/// use tokio::io::{AsyncRead, AsyncReadExt};
/// use zigzag_varint::Decoder;
///
/// async fn read_u64(input: &mut (impl AsyncRead + Unpin)) -> std::io::Result<u64> {
///     let mut decoder = Decoder::new();
///     loop {
///         if let Some(value) = decoder.push(input.read_u8().await?)? {
///             return Ok(value);
///         }
///     }
/// }
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # assert_eq!(runtime.block_on(read_u64(&mut &[0xac, 0x02][..]))?, 300);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder<T: Varint> {
    raw: T::Raw,
    /// Bytes of the unfinished value.
    pending: usize,
    /// Bytes of the finished ones.
    finished: usize,
    canonical: bool,
}

impl<T: Varint> Decoder<T> {
    /// A decoder at the start of a value.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let decoder = Decoder::<u32>::new();
    /// assert_eq!(decoder.pending(), 0);
    /// ```
    #[inline]
    pub const fn new() -> Self {
        Self { raw: T::NO_BITS, pending: 0, finished: 0, canonical: false }
    }

    /// A decoder that rejects overlong forms.
    ///
    /// ```
    /// use zigzag_varint::{Decoder, ErrorKind};
    ///
    /// let mut decoder = Decoder::<u32>::canonical();
    /// assert_eq!(decoder.push(0x87), Ok(None));
    /// assert_eq!(decoder.push(0x00).unwrap_err().kind(), ErrorKind::NonCanonical);
    /// ```
    #[inline]
    pub const fn canonical() -> Self {
        Self { canonical: true, ..Self::new() }
    }

    /// Takes one byte; the value, where the byte ends one.
    ///
    /// # Errors
    ///
    /// `Overflow`, and from a canonical decoder `NonCanonical`, at the byte that shows it.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u32>::new();
    /// let mut values = Vec::new();
    /// for byte in [0xac, 0x02, 0x07] {
    ///     values.extend(decoder.push(byte)?);
    /// }
    /// assert_eq!(values, [300, 7]);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[inline]
    pub fn push(&mut self, byte: u8) -> Result<Option<T>, DecodeError> {
        let index = self.pending;
        if index == T::MAX_BYTES - 1 && byte > T::LAST_MAX {
            return Err(self.fail(ErrorKind::Overflow));
        }
        if self.canonical && byte == 0 && index > 0 {
            return Err(self.fail(ErrorKind::NonCanonical));
        }
        let raw = T::with_group(self.raw, byte, index);
        if byte >= CONTINUE {
            self.raw = raw;
            self.pending += 1;
            return Ok(None);
        }
        self.finished = self.finished.saturating_add(index + 1);
        self.raw = T::NO_BITS;
        self.pending = 0;
        Ok(Some(T::from_raw(raw)))
    }

    /// Takes bytes from `chunk` up to the end of the first value: the value, or `None` where the chunk ends
    /// before it, and the bytes taken.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u64>::new();
    /// assert_eq!(decoder.push_slice(&[0xac])?, (None, 1));
    /// assert_eq!(decoder.push_slice(&[0x02, 0x07])?, (Some(300), 1));
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    ///
    /// Every value of input that comes in chunks:
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let (mut decoder, mut values) = (Decoder::<u64>::new(), vec![]);
    /// for chunk in [&[0x07, 0xac][..], &[0x02, 0x01]] {
    ///     let mut rest = chunk;
    ///     while !rest.is_empty() {
    ///         let (value, used) = decoder.push_slice(rest)?;
    ///         values.extend(value);
    ///         rest = &rest[used..];
    ///     }
    /// }
    /// decoder.finish()?; // not inside a value
    /// assert_eq!(values, [7, 300, 1]);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push).
    pub fn push_slice(&mut self, chunk: &[u8]) -> Result<(Option<T>, usize), DecodeError> {
        for (at, &byte) in chunk.iter().enumerate() {
            if let Some(value) = self.push(byte)? {
                return Ok((Some(value), at + 1));
            }
        }
        Ok((None, chunk.len()))
    }

    /// Says that the input has ended.
    ///
    /// # Errors
    ///
    /// `Truncated` where it ended inside a value.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u64>::new();
    /// assert!(decoder.finish().is_ok());
    /// decoder.push(0xac)?;
    /// assert_eq!(decoder.finish().unwrap_err().offset(), 1);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    pub fn finish(&mut self) -> Result<(), DecodeError> {
        if self.pending > 0 { Err(self.fail(ErrorKind::Truncated)) } else { Ok(()) }
    }

    /// Bytes taken of a value that has not ended yet: 0 between two values.
    ///
    /// ```
    /// use zigzag_varint::Decoder;
    ///
    /// let mut decoder = Decoder::<u32>::new();
    /// decoder.push(0x80)?;
    /// assert_eq!(decoder.pending(), 1);
    /// decoder.push(0x01)?;
    /// assert_eq!(decoder.pending(), 0);
    /// # Ok::<(), zigzag_varint::DecodeError>(())
    /// ```
    #[inline]
    pub const fn pending(&self) -> usize {
        self.pending
    }

    #[cold]
    fn fail(&mut self, kind: ErrorKind) -> DecodeError {
        let error = DecodeError::new(kind, self.finished.saturating_add(self.pending));
        *self = Self { canonical: self.canonical, ..Self::new() };
        error
    }
}

impl<T: Varint> Default for Decoder<T> {
    fn default() -> Self {
        Self::new()
    }
}
