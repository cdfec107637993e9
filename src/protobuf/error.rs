//! The error of reading a message field by field.

use core::fmt;

use crate::error::{BulkError, DecodeError, conversions};
use crate::length_prefix::FrameError;

/// The number of groups that may be open at once while one is skipped, as in the parsers of C++ and `prost`.
pub(super) const MAX_DEPTH: usize = 100;

/// The error of reading or skipping a field of a message.
///
/// The errors of the functions that read values convert into it, so that `?` works in a parser.
///
/// ```
/// use zigzag_varint::Reader;
/// use zigzag_varint::protobuf::{FieldError, Tag};
///
/// let mut reader = Reader::new(&[0x08, 0x07, 0x0e]);
/// Tag::read(&mut reader)?.skip(&mut reader)?;
/// let error = Tag::read(&mut reader).unwrap_err();
/// assert_eq!(error, FieldError::InvalidTag { tag: 0x0e, offset: 2 });
/// assert_eq!(error.to_string(), "invalid tag: field 1 has the unknown type 6 (at offset 2)");
/// # Ok::<(), FieldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum FieldError {
    /// A tag or value is incomplete or not a valid varint.
    Varint(DecodeError),
    /// A length-delimited value or one of fixed length is incomplete, or not valid.
    Payload(FrameError),
    /// The number of a field is 0, or the type in its tag is 6 or 7.
    InvalidTag {
        /// The tag as a number.
        tag: u32,
        /// The offset of its last byte.
        offset: usize,
    },
    /// A group ends that is not the innermost open one.
    UnexpectedEnd {
        /// The field number in the tag that ends a group.
        number: u32,
        /// The offset of the last byte of that tag.
        offset: usize,
    },
    /// Groups are nested too deep to be skipped.
    TooDeep {
        /// The offset of the last byte of the tag that starts one group too many.
        offset: usize,
    },
}

impl FieldError {
    /// Returns the offset of the byte that shows the error, or `None` for an error of writing or of a
    /// destination. It counts like [`DecodeError::offset`].
    ///
    /// ```
    /// use zigzag_varint::{Reader, protobuf::Tag};
    ///
    /// assert_eq!(Tag::read(&mut Reader::new(&[0x80])).unwrap_err().offset(), Some(1));
    /// ```
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        match self {
            Self::Varint(error) => Some(error.offset()),
            Self::Payload(error) => error.offset(),
            Self::InvalidTag { offset, .. }
            | Self::UnexpectedEnd { offset, .. }
            | Self::TooDeep { offset } => Some(*offset),
        }
    }

    /// Returns whether more input could complete the field. The other errors are final.
    ///
    /// ```
    /// use zigzag_varint::{Reader, protobuf::Tag};
    ///
    /// assert!(Tag::read(&mut Reader::new(&[0x80])).unwrap_err().is_incomplete());
    /// assert!(!Tag::read(&mut Reader::new(&[0x00])).unwrap_err().is_incomplete());
    /// ```
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        match self {
            Self::Varint(error) => error.is_incomplete(),
            Self::Payload(error) => error.is_incomplete(),
            _ => false,
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Varint(error) => error.fmt(f),
            Self::Payload(error) => error.fmt(f),
            Self::InvalidTag { tag, offset } if *tag < 8 => {
                write!(f, "invalid tag: field number 0 (at offset {offset})")
            }
            Self::InvalidTag { tag, offset } => {
                let (number, of) = (tag >> 3, tag & 7);
                write!(f, "invalid tag: field {number} has the unknown type {of} (at offset {offset})")
            }
            Self::UnexpectedEnd { number, offset } => {
                write!(f, "unexpected end of group {number} (at offset {offset})")
            }
            Self::TooDeep { offset } => {
                write!(f, "nested groups: more than {} (at offset {offset})", MAX_DEPTH)
            }
        }
    }
}

// The message is that of the inner error, so `source` does not repeat it.
impl core::error::Error for FieldError {}

conversions! {
    DecodeError => FieldError: |error| Self::Varint(error);
    FrameError => FieldError: |error| Self::Payload(error);
    /// Keeps the error and drops the progress.
    BulkError => FieldError: |failed| Self::Varint(failed.error);
}
