//! The errors: each is a small `Copy` value that says what is wrong and, when decoding, at which byte.

use core::fmt;

/// Implements `From`, so that `?` converts an error.
macro_rules! conversions {
    ($($(#[$doc:meta])* $From:ty => $Into:ty: |$error:ident| $into:expr;)*) => {$(
        $(#[$doc])*
        impl From<$From> for $Into {
            fn from($error: $From) -> Self {
                $into
            }
        }
    )*};
}
pub(crate) use conversions;

/// The reason why a varint cannot be decoded.
///
/// ```
/// use zigzag_varint::{Canonical, ErrorKind, Varint};
///
/// let kind = |src: &[u8]| Canonical::<u8>::decode(src).unwrap_err().kind();
/// assert_eq!(kind(&[0x80]), ErrorKind::Truncated);
/// assert_eq!(kind(&[0x80, 0x02]), ErrorKind::Overflow); // 256
/// assert_eq!(kind(&[0x80, 0x80]), ErrorKind::TooLong); // no `u8` takes a third byte
/// assert_eq!(kind(&[0x87, 0x00]), ErrorKind::NonCanonical); // 7 in two bytes
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside the encoding. More bytes may complete it.
    Truncated,
    /// The value does not fit the type ("integer too large" in WebAssembly).
    Overflow,
    /// The encoding continues past the longest one that the wire type accepts ("integer representation
    /// too long" in WebAssembly).
    TooLong,
    /// The encoding is overlong: the value has a shorter one. Only [`Canonical`](crate::Canonical)
    /// wire types have this error.
    NonCanonical,
}

/// The error of decoding a varint: its kind, and the offset of the byte that shows it.
///
/// ```
/// use zigzag_varint::{ErrorKind, Varint};
///
/// let error = u64::decode(&[0x80, 0x80]).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated);
/// assert_eq!(error.offset(), 2);
/// assert!(error.is_incomplete());
/// assert_eq!(error.to_string(), "truncated varint: input ends at offset 2");
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

    /// Returns the error of an encoding that does not end with its `longest` bytes.
    pub(crate) const fn too_long(longest: usize) -> Self {
        Self { kind: ErrorKind::TooLong, offset: longest - 1 }
    }

    /// Returns the same error for an input that begins `bytes` bytes earlier.
    pub(crate) const fn shifted(self, bytes: usize) -> Self {
        Self { kind: self.kind, offset: self.offset.saturating_add(bytes) }
    }

    /// Returns the reason.
    ///
    /// ```
    /// use zigzag_varint::{ErrorKind, Varint};
    ///
    /// assert_eq!(u8::decode(&[0xff, 0x7f]).unwrap_err().kind(), ErrorKind::Overflow);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the offset in bytes:
    ///
    /// * `Truncated`: of the missing byte, which is the length of the input;
    /// * `Overflow`: of the first byte that does not fit; for a `Canonical` field of
    ///   [`protobuf`](crate::protobuf), of the last byte of its number;
    /// * `TooLong`: of the byte that continues although it should be the last, which is `MAX_LEN - 1`;
    /// * `NonCanonical`: of the redundant last byte.
    ///
    /// The bytes before it alone are `Truncated`. It counts from the start of the slice that was given, or,
    /// for streams and buffers, from the place that their documentation states.
    /// [After an error](crate#after-an-error), the position in these is known as well.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert_eq!(u32::decode(&[0x80, 0x80]).unwrap_err().offset(), 2);
    /// assert_eq!(u32::decode(&[0xff, 0xff, 0xff, 0xff, 0x7f, 0x00]).unwrap_err().offset(), 4);
    /// ```
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns whether more input could complete the value (`Truncated`). The other kinds are final.
    ///
    /// ```
    /// use zigzag_varint::Varint;
    ///
    /// assert!(u32::decode(&[0x80]).unwrap_err().is_incomplete());
    /// assert!(!u32::decode(&[0xff; 8]).unwrap_err().is_incomplete());
    /// ```
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        matches!(self.kind, ErrorKind::Truncated)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match self.kind {
            ErrorKind::Truncated => write!(f, "truncated varint: input ends at offset {offset}"),
            ErrorKind::Overflow => {
                write!(f, "varint overflow: value does not fit the target type (at offset {offset})")
            }
            ErrorKind::TooLong => {
                write!(f, "varint too long: no encoding of the target type continues at offset {offset}")
            }
            ErrorKind::NonCanonical => write!(f, "overlong varint: redundant byte at offset {offset}"),
        }
    }
}

impl core::error::Error for DecodeError {}

/// The error of encoding into a destination that is too small.
///
/// ```
/// use zigzag_varint::{BufferTooSmall, Varint};
///
/// let error = u64::encode_to_slice(300, &mut [0; 1]).unwrap_err();
/// assert_eq!(error, BufferTooSmall { needed: 2, available: 1 });
/// assert_eq!(error.to_string(), "buffer too small: 2 bytes needed, 1 available");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BufferTooSmall {
    /// The length of the whole encoding in bytes.
    pub needed: usize,
    /// The length of the destination in bytes.
    pub available: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed, available } = self;
        write!(f, "buffer too small: {needed} bytes needed, {available} available")
    }
}

impl core::error::Error for BufferTooSmall {}

/// The error of encoding a sequence as differences.
///
/// ```
/// use zigzag_varint::{Delta, DeltaError};
///
/// let unsorted = Delta::strict_gaps([0]).encode_slice(&[1u32, 5, 5], &mut [0; 8]).unwrap_err();
/// assert_eq!(unsorted, DeltaError::Unsorted { index: 2 });
/// assert_eq!(unsorted.to_string(), "unsorted sequence: the value at index 2 has no gap to the one before");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DeltaError {
    /// A value is less than the one before it in its component, or equal to it if the gaps are
    /// strict.
    Unsorted {
        /// The index of the first such value.
        index: usize,
    },
    /// The destination is too short.
    BufferTooSmall(BufferTooSmall),
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsorted { index } => {
                write!(f, "unsorted sequence: the value at index {index} has no gap to the one before")
            }
            Self::BufferTooSmall(error) => error.fmt(f),
        }
    }
}

// The message is that of the inner error, so `source` does not repeat it.
impl core::error::Error for DeltaError {}

conversions! { BufferTooSmall => DeltaError: |error| Self::BufferTooSmall(error); }

/// The error of padding an encoding to a width that it cannot have.
///
/// ```
/// use zigzag_varint::{PaddedWidthError, Varint};
///
/// let error = u32::encode_padded(300, &mut [0; 6]).unwrap_err();
/// assert_eq!(error, PaddedWidthError { width: 6, min: 2, max: 5 });
/// assert_eq!(error.to_string(), "invalid padded width: 6 bytes requested, 2 to 5 possible for this value");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PaddedWidthError {
    /// The width that was requested, in bytes.
    pub width: usize,
    /// The length of the value's shortest encoding in bytes.
    pub min: usize,
    /// The length of the longest encoding that a decoder of the type accepts, in bytes.
    pub max: usize,
}

impl fmt::Display for PaddedWidthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, min, max } = self;
        write!(f, "invalid padded width: {width} bytes requested, {min} to {max} possible for this value")
    }
}

impl core::error::Error for PaddedWidthError {}

/// The number of values that a bulk function decoded, and the number of bytes that it consumed.
///
/// ```
/// use zigzag_varint::{Progress, decode_slice};
///
/// // The destination is full before the input ends.
/// let progress = decode_slice(&[0x01, 0xac, 0x02, 0x07], &mut [0u64; 2]);
/// assert_eq!(progress, Ok(Progress { values: 2, bytes: 3 }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Progress {
    /// The number of values decoded.
    pub values: usize,
    /// The number of bytes consumed: the encodings of these values. A [`Decoder`](crate::Decoder) also
    /// consumes the bytes of an incomplete value.
    pub bytes: usize,
}

impl Progress {
    /// Returns the progress of this call and of the call after it together.
    #[inline]
    pub(crate) const fn then(self, next: Self) -> Self {
        Self { values: self.values + next.values, bytes: self.bytes + next.bytes }
    }
}

/// The error of a bulk function: what was decoded before the invalid varint, and what is wrong with it.
///
/// It converts into [`DecodeError`], [`FrameError`](crate::FrameError) and `std::io::Error`, so that `?` works in functions that
/// return one of these. The conversion drops `progress`.
///
/// Functions that decode from readers have errors of the reader too. `E` is then `std::io::Error` or
/// `embedded_io::Error`.
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
pub struct BulkError<E = DecodeError> {
    /// What this call decoded before the error. The destination holds that many values; its contents
    /// past them are unspecified. The invalid varint begins `bytes` bytes after the start of what the
    /// call decodes.
    pub progress: Progress,
    /// What is wrong. The offset counts from the start of the slice that was given, or, for readers,
    /// streams and buffers, from the place that their documentation states.
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for BulkError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "value at index {}: {}", self.progress.values, self.error)
    }
}

// The message contains that of `error`, so `source` does not repeat it.
impl<E: core::error::Error> core::error::Error for BulkError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.error.source()
    }
}

conversions! {
    /// Keeps the error and drops the progress.
    BulkError => DecodeError: |failed| failed.error;
}

/// Returns the number of bytes of `n` values, or the error of an input that has fewer.
pub(crate) fn all_of(n: usize, src: &[u8], progress: Progress) -> Result<usize, BulkError> {
    if progress.values < n {
        return Err(BulkError { progress, error: DecodeError::new(ErrorKind::Truncated, src.len()) });
    }
    Ok(progress.bytes)
}

/// Adds the result of decoding the next piece of an input to what was decoded before.
pub(crate) fn continued(done: Progress, next: Result<Progress, BulkError>) -> Result<Progress, BulkError> {
    match next {
        Ok(progress) => Ok(done.then(progress)),
        Err(BulkError { progress, error }) => {
            Err(BulkError { progress: done.then(progress), error: error.shifted(done.bytes) })
        }
    }
}
