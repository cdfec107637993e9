//! The trait of the decoders that can be checked, and the results that they return.

use std::fmt;

use crate::plan::integer::Integer;

/// A decoder under test.
///
/// It is called from several threads at once. A call that panics is reported as a disagreement
/// about its bytes, and the check continues.
///
/// ```
/// use every_input::{ByteStrings, Sweep};
/// use every_input::byte_strings::{ByteDecoder, Decoders, DecodingError, ErrorKind, Outcome};
///
/// /// A faulty decoder: it accepts `80 00` as canonical.
/// struct Mine;
///
/// impl ByteDecoder<u8> for Mine {
///     fn name(&self) -> &str {
///         "mine"
///     }
///
///     fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<u8> {
///         let (kind, offset) = match *src {
///             [byte @ ..0x80, ..] => return Ok((byte, 1)),
///             [0x81..=0xff, 0x00, ..] if canonical => (ErrorKind::NonCanonical, 1),
///             [low, high @ ..0x02, ..] => return Ok((low - 0x80 + high * 0x80, 2)),
///             [_, _, ..] => (ErrorKind::Overflow, 1),
///             [] | [_] => (ErrorKind::Truncated, src.len()),
///         };
///         Err(DecodingError { kind, offset })
///     }
/// }
///
/// let decoders = Decoders::new().with(Box::new(Mine));
/// let report = Sweep::of(ByteStrings::structured(2)).exhaustive().check_decoders(&decoders)?;
/// assert_eq!(report.first_failures[0].value, "8000");
/// assert_eq!(report.first_failures[0].expected, "NonCanonical at byte 1");
/// # Ok::<(), every_input::SweepError>(())
/// ```
pub trait ByteDecoder<T>: Sync {
    /// Returns the name of the decoder for the report.
    fn name(&self) -> &str;

    /// Returns the name of the kernel for the report, if the decoder has several.
    fn kernel(&self) -> Option<&str> {
        None
    }

    /// Decodes the first value of `src` and returns it with its length in bytes.
    ///
    /// With `canonical`, an overlong encoding is an error.
    ///
    /// # Errors
    ///
    /// - `Truncated` at offset `src.len()` if `src` ends before the value does.
    /// - `Overflow` if the value does not fit its type. The offset is that of the first byte with
    ///   which it no longer fits, or of the last byte an encoding can have, if the value continues
    ///   after it.
    /// - `NonCanonical` at the last byte if the encoding is overlong and `canonical` is set.
    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T>;

    /// Decodes values until `src` is exhausted, `values` is full or an error occurs.
    ///
    /// The default implementation calls [`decode_first`](Self::decode_first) repeatedly.
    #[inline]
    fn decode_all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        let mut outcome = BulkOutcome { values: 0, bytes: 0, error: None };
        for slot in values {
            let Some(rest @ [_, ..]) = src.get(outcome.bytes..) else { break };
            match self.decode_first(rest, canonical) {
                Ok((value, len)) => {
                    *slot = value;
                    outcome.values += 1;
                    outcome.bytes += len;
                }
                Err(error) => {
                    outcome.error = Some(error.offset_by(outcome.bytes));
                    break;
                }
            }
        }
        outcome
    }

    /// Returns whether [`decode_all`](Self::decode_all) reads many bytes at once, so that the bytes
    /// around a value could affect it. Such decoders get the strings in more placements.
    fn is_bulk(&self) -> bool {
        false
    }
}

/// The kind of a [`DecodingError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input ends before the value does.
    Truncated,
    /// The value does not fit its type, or its encoding is longer than the longest of the type.
    Overflow,
    /// A shorter encoding exists.
    NonCanonical,
}

/// The error for bytes that are not a valid varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodingError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The offset of the invalid or missing byte from the start of the input.
    pub offset: usize,
}

impl DecodingError {
    /// The error of decoding one value from an empty input.
    pub const EMPTY_INPUT: Self = Self { kind: ErrorKind::Truncated, offset: 0 };

    /// Returns this error with `bytes` added to its offset.
    pub fn offset_by(self, bytes: usize) -> Self {
        Self { offset: bytes.saturating_add(self.offset), ..self }
    }
}

impl fmt::Display for DecodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for DecodingError {}

/// The result of decoding one value: the value and its length in bytes, or the error.
pub type Outcome<T> = Result<(T, usize), DecodingError>;

/// Returns the text of a result of decoding one value.
pub(crate) fn describe_first<T: Integer>(decoded: Result<(T, usize), impl fmt::Display>) -> String {
    match decoded {
        Ok((value, len)) => format!("value {value} in {len} bytes"),
        Err(error) => error.to_string(),
    }
}

/// The result of decoding many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkOutcome {
    /// The number of values decoded.
    pub values: usize,
    /// The length of these values in bytes.
    pub bytes: usize,
    /// The error after these values; `None` if the input is exhausted or the slice of values is
    /// full.
    pub error: Option<DecodingError>,
}
