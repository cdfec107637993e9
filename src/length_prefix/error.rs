//! The error of length-prefixed payloads.

use core::fmt;

use crate::error::{BufferTooSmall, BulkError, DecodeError, conversions};

/// The error of reading or writing a length-prefixed payload.
///
/// ```
/// use zigzag_varint::{FrameError, LengthPrefix};
///
/// let frames = LengthPrefix::new(16);
/// let truncated = frames.decode(&[5, b'h', b'e']).unwrap_err();
/// assert_eq!(truncated, FrameError::Truncated { len: 5, missing: 3, offset: 3 });
/// assert_eq!(
///     truncated.to_string(),
///     "truncated payload: input ends at offset 3, 3 of 5 bytes missing"
/// );
/// let too_long = frames.decode(&[17]).unwrap_err();
/// assert_eq!(too_long, FrameError::TooLong { len: 17, max_len: 16, offset: Some(0) });
/// assert_eq!(too_long.to_string(), "payload too long: 17 bytes, limit 16 (at offset 0)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FrameError {
    /// The prefix is incomplete or not a valid varint of its type.
    Prefix(DecodeError),
    /// The payload is longer than the limit.
    TooLong {
        /// The length of the payload in bytes: as given by the prefix, or of the payload to be written.
        len: u64,
        /// The limit in bytes.
        max_len: usize,
        /// The offset of the prefix, or `None` when writing. It counts like [`DecodeError::offset`].
        offset: Option<usize>,
    },
    /// The input ends inside the payload. More bytes may complete it.
    Truncated {
        /// The length of the payload in bytes, as given by the prefix.
        len: usize,
        /// The number of bytes that are missing.
        missing: usize,
        /// The offset of the first missing byte, where the input ends. It counts like
        /// [`DecodeError::offset`].
        offset: usize,
    },
    /// The destination is too short: for prefix and payload when writing, for the payload when reading.
    BufferTooSmall(BufferTooSmall),
}

impl FrameError {
    /// Returns the number of bytes that are missing, or `None` if more input cannot help.
    ///
    /// It is exact if the prefix is complete, and 1 if the prefix itself is incomplete.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let frames = LengthPrefix::new(1000);
    /// let missing = |src| frames.decode(src).unwrap_err().missing();
    /// assert_eq!(missing(&[]), Some(1));
    /// assert_eq!(missing(&[0xac]), Some(1));
    /// assert_eq!(missing(&[0xac, 0x02, b'x']), Some(299));
    /// assert_eq!(missing(&[0xff, 0xff, 0x03]), None); // 65,535 bytes: too long
    /// ```
    #[must_use]
    pub const fn missing(&self) -> Option<usize> {
        match self {
            Self::Prefix(error) if error.is_incomplete() => Some(1),
            Self::Truncated { missing, .. } => Some(*missing),
            _ => None,
        }
    }

    /// Returns the offset of the byte that shows the error, or `None` for an error of writing or of the
    /// destination. It counts like [`DecodeError::offset`].
    ///
    /// ```
    /// use zigzag_varint::{LengthPrefix, Reader};
    ///
    /// let mut reader = Reader::new(b"\x02hi\x05he");
    /// assert_eq!(reader.read_length_prefixed(LengthPrefix::new(9))?, b"hi");
    /// let error = reader.read_length_prefixed(LengthPrefix::new(9)).unwrap_err();
    /// assert_eq!(error.offset(), Some(6)); // where the input ends
    /// # Ok::<(), zigzag_varint::FrameError>(())
    /// ```
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Prefix(error) => Some(error.offset()),
            Self::TooLong { offset, .. } => *offset,
            Self::Truncated { offset, .. } => Some(*offset),
            Self::BufferTooSmall(_) => None,
        }
    }

    /// Returns whether more input could complete the payload. The other errors are final.
    ///
    /// ```
    /// use zigzag_varint::LengthPrefix;
    ///
    /// let frames = LengthPrefix::new(4);
    /// assert!(frames.decode(&[2, b'h']).unwrap_err().is_incomplete());
    /// assert!(!frames.decode(&[5, b'h']).unwrap_err().is_incomplete());
    /// ```
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        self.missing().is_some()
    }

    /// Returns the same error for an input that begins `bytes` bytes earlier.
    pub(crate) const fn shifted(self, bytes: usize) -> Self {
        match self {
            Self::Prefix(error) => Self::Prefix(error.shifted(bytes)),
            Self::TooLong { len, max_len, offset: Some(offset) } => {
                Self::TooLong { len, max_len, offset: Some(offset.saturating_add(bytes)) }
            }
            Self::Truncated { len, missing, offset } => {
                Self::Truncated { len, missing, offset: offset.saturating_add(bytes) }
            }
            other => other,
        }
    }

    /// Returns the error of a payload of `len` bytes, of which an input has `received`. They begin at
    /// `start`.
    pub(crate) const fn truncated(len: usize, received: usize, start: usize) -> Self {
        Self::Truncated { len, missing: len - received, offset: start.saturating_add(received) }
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefix(error) => write!(f, "length prefix: {error}"),
            Self::TooLong { len, max_len, offset } => {
                write!(f, "payload too long: {len} bytes, limit {max_len}")?;
                offset.map_or(Ok(()), |offset| write!(f, " (at offset {offset})"))
            }
            Self::Truncated { len, missing, offset } => write!(
                f,
                "truncated payload: input ends at offset {offset}, {missing} of {len} bytes missing"
            ),
            Self::BufferTooSmall(error) => error.fmt(f),
        }
    }
}

// The message contains that of the inner error, so `source` does not repeat it.
impl core::error::Error for FrameError {}

conversions! {
    DecodeError => FrameError: |error| Self::Prefix(error);
    BufferTooSmall => FrameError: |error| Self::BufferTooSmall(error);
    /// Keeps the error and drops the progress.
    BulkError => FrameError: |failed| Self::Prefix(failed.error);
}
