//! What can go wrong, and where: a kind and a byte offset, no allocation.

use core::fmt;

/// Why a varint could not be decoded.
///
/// ```
/// use zigzag_varint::{ErrorKind, Varint};
///
/// let kind = |src: &[u8]| u8::decode_canonical(src).unwrap_err().kind();
/// assert_eq!(kind(&[0x80]), ErrorKind::Truncated);
/// assert_eq!(kind(&[0x80, 0x02]), ErrorKind::Overflow); // 256
/// assert_eq!(kind(&[0x87, 0x00]), ErrorKind::NonCanonical); // 7
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a value: more bytes may make it whole.
    Truncated,
    /// The value does not fit the type, or its encoding is longer than any encoding of the type.
    Overflow,
    /// The value has a shorter encoding. Only the canonical decoders say this.
    NonCanonical,
}

/// A varint that could not be decoded: the kind, and the offset of the byte at fault.
///
/// ```
/// use zigzag_varint::{ErrorKind, Varint};
///
/// let error = u64::decode(&[0x80, 0x80]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated);
/// assert_eq!(error.offset(), 2);
/// assert!(error.is_incomplete());
/// assert_eq!(error.to_string(), "truncated varint: the input ends at byte 2, before the value does");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DecodeError {
    kind: ErrorKind,
    offset: usize,
}

impl DecodeError {
    pub(crate) const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// The same fault, seen from an input that began `bytes` bytes earlier.
    pub(crate) const fn shifted(self, bytes: usize) -> Self {
        Self { kind: self.kind, offset: self.offset.saturating_add(bytes) }
    }

    /// What is wrong.
    ///
    /// ```
    /// use zigzag_varint::{ErrorKind, Varint};
    ///
    /// assert_eq!(u8::decode(&[0xff, 0x7f]).unwrap_err().kind(), ErrorKind::Overflow);
    /// ```
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where, counted in bytes from the start of the input that was given:
    ///
    /// * `Truncated`: where the missing byte would stand, that is, the length of the input;
    /// * `Overflow`: the first byte that does not fit;
    /// * `NonCanonical`: the needless last byte.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert_eq!(u32::decode(&[0x80, 0x80]).unwrap_err().offset(), 2);
    /// assert_eq!(u32::decode(&[0xff, 0xff, 0xff, 0xff, 0x7f, 0x00]).unwrap_err().offset(), 4);
    /// ```
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Whether more input could turn this into a value (`Truncated`). The other kinds are final.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert!(u32::decode(&[0x80]).unwrap_err().is_incomplete());
    /// assert!(!u32::decode(&[0xff; 8]).unwrap_err().is_incomplete());
    /// ```
    pub const fn is_incomplete(&self) -> bool {
        matches!(self.kind, ErrorKind::Truncated)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.offset;
        match self.kind {
            ErrorKind::Truncated => {
                write!(f, "truncated varint: the input ends at byte {at}, before the value does")
            }
            ErrorKind::Overflow => {
                write!(f, "varint overflow: the value does not fit its type from byte {at} on")
            }
            ErrorKind::NonCanonical => {
                write!(f, "overlong varint: byte {at} is needless, a shorter encoding exists")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// A destination that is too short to encode into: nothing useful was written.
///
/// ```
/// use zigzag_varint::{BufferTooSmall, Varint};
///
/// let error = 300u64.encode_to_slice(&mut [0; 1]).unwrap_err();
/// assert_eq!(error, BufferTooSmall { needed: 2, available: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BufferTooSmall {
    /// Bytes that the whole encoding takes.
    pub needed: usize,
    /// Bytes that the destination has.
    pub available: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed, available } = self;
        write!(f, "buffer too small: the encoding takes {needed} bytes, the buffer has {available}")
    }
}

impl core::error::Error for BufferTooSmall {}

/// A width that a value cannot be padded to: nothing was written.
///
/// ```
/// use zigzag_varint::{PaddedWidthError, encode_padded};
///
/// let error = encode_padded(300u32, &mut [0; 6]).unwrap_err();
/// assert_eq!(error, PaddedWidthError { width: 6, least: 2, most: 5 });
/// assert_eq!(error.to_string(), "no padded encoding of 6 bytes: the value takes 2, and its type reads 5 at most");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PaddedWidthError {
    /// Bytes that were asked for.
    pub width: usize,
    /// Bytes that the value takes.
    pub least: usize,
    /// Bytes that a decoder of the type reads at most.
    pub most: usize,
}

impl fmt::Display for PaddedWidthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, least, most } = self;
        write!(
            f,
            "no padded encoding of {width} bytes: the value takes {least}, and its type reads {most} at most"
        )
    }
}

impl core::error::Error for PaddedWidthError {}

/// How far a bulk call came.
///
/// ```
/// use zigzag_varint::{Progress, decode_slice};
///
/// // The rest waits for another call.
/// let progress = decode_slice(&[0x01, 0xac, 0x02, 0x07], &mut [0u64; 2]);
/// assert_eq!(progress, Ok(Progress { values: 2, bytes: 3 }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Progress {
    /// Values handled.
    pub values: usize,
    /// Bytes that they take.
    pub bytes: usize,
}

/// A bulk decode that met a bad varint.
///
/// ```
/// use zigzag_varint::{ErrorKind, Progress, decode_slice};
///
/// let mut values = [0u8; 4];
/// let failed = decode_slice(&[1, 2, 0xff, 0x7f], &mut values).unwrap_err();
/// assert_eq!(failed.progress, Progress { values: 2, bytes: 2 }); // 1 and 2 are in `values`
/// assert_eq!(failed.error.kind(), ErrorKind::Overflow);
/// assert_eq!(failed.error.offset(), 3); // from the start of the input
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BulkError {
    /// What was decoded before it: that many results in the destination are valid, and `bytes` is where
    /// the bad varint begins. What stands in the destination behind them is unspecified.
    pub progress: Progress,
    /// What is wrong; its offset counts from the start of the whole input.
    pub error: DecodeError,
}

impl fmt::Display for BulkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value {}: {}", self.progress.values, self.error)
    }
}

impl core::error::Error for BulkError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}
