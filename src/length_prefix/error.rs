//! What can go wrong with a length-prefixed payload.

use core::fmt;

use crate::error::{BufferTooSmall, DecodeError};

/// A length-prefixed payload that could not be read or written.
///
/// ```
/// use zigzag_varint::{FrameError, LengthPrefix};
///
/// let frames = LengthPrefix::new(16);
/// assert_eq!(frames.decode(&[5, b'h', b'e']), Err(FrameError::Truncated { len: 5, missing: 3 }));
/// assert_eq!(frames.decode(&[17]), Err(FrameError::TooLong { len: 17, max_len: 16 }));
/// assert_eq!(frames.decode(&[17]).unwrap_err().to_string(), "payload too long: 17 bytes, the limit is 16");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FrameError {
    /// The prefix is not a varint of its type, or not whole yet.
    Prefix(DecodeError),
    /// The payload is longer than the limit.
    TooLong {
        /// Bytes of the payload, as the prefix says or, on writing, as they are.
        len: u64,
        /// The most that is allowed.
        max_len: usize,
    },
    /// The input ends inside the payload: more bytes make it whole.
    Truncated {
        /// Bytes of the payload, as the prefix says.
        len: usize,
        /// How many of them are not there yet.
        missing: usize,
    },
    /// The destination is too short: for prefix and payload on writing, for the payload on reading.
    BufferTooSmall(BufferTooSmall),
}

impl FrameError {
    /// How many bytes more to wait for: exact where the length is known, 1 where the prefix itself is not whole,
    /// and `None` where no further input helps.
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
    pub const fn missing(&self) -> Option<usize> {
        match self {
            Self::Prefix(error) if error.is_incomplete() => Some(1),
            Self::Truncated { missing, .. } => Some(*missing),
            _ => None,
        }
    }

    /// Whether more input could make it whole. The other errors are final.
    pub const fn is_incomplete(&self) -> bool {
        self.missing().is_some()
    }

    /// The same fault, seen from an input that began `bytes` bytes earlier.
    pub(crate) const fn shifted(self, bytes: usize) -> Self {
        match self {
            Self::Prefix(error) => Self::Prefix(error.shifted(bytes)),
            other => other,
        }
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prefix(error) => write!(f, "length prefix: {error}"),
            Self::TooLong { len, max_len } => {
                write!(f, "payload too long: {len} bytes, the limit is {max_len}")
            }
            Self::Truncated { len, missing } => {
                write!(f, "truncated payload: {missing} of {len} bytes are missing")
            }
            Self::BufferTooSmall(error) => {
                let BufferTooSmall { needed, available } = error;
                write!(f, "buffer too small: {needed} bytes are needed, the buffer has {available}")
            }
        }
    }
}

impl core::error::Error for FrameError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Prefix(error) => Some(error),
            Self::BufferTooSmall(error) => Some(error),
            _ => None,
        }
    }
}

impl From<DecodeError> for FrameError {
    fn from(error: DecodeError) -> Self {
        Self::Prefix(error)
    }
}

impl From<BufferTooSmall> for FrameError {
    fn from(error: BufferTooSmall) -> Self {
        Self::BufferTooSmall(error)
    }
}
