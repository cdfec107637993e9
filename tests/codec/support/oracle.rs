//! The oracle for slices of values. The oracle for single values is in
//! [`arithmetic`](super::arithmetic).

pub use super::arithmetic::{ErrorAt, Int, Outcome, count, decode, skip};
use zigzag_varint::ErrorKind;

/// Encodes a value by repeated division by 128: the remainders are the groups of 7 bits.
pub fn encode<T: Int>(value: T) -> Vec<u8> {
    let mut rest = value.wire();
    let mut bytes = Vec::new();
    while rest >= 128 {
        bytes.push((rest % 128) as u8 + 128);
        rest /= 128;
    }
    bytes.push(rest as u8);
    bytes
}

/// Concatenates the encodings of all values.
pub fn encode_all<T: Int>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|&value| encode(value)).collect()
}

/// The outcome of a bulk decode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkOutcome<T> {
    pub values: Vec<T>,
    pub bytes: usize,
    pub error: Option<ErrorAt>,
}

/// Decodes at most `capacity` values of `src`, up to its end or the first error.
pub fn decode_all<T: Int>(src: &[u8], capacity: usize, canonical: bool) -> BulkOutcome<T> {
    let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
    while outcome.values.len() < capacity && outcome.bytes < src.len() {
        match decode(&src[outcome.bytes..], canonical) {
            Ok((value, len)) => {
                outcome.values.push(value);
                outcome.bytes += len;
            }
            Err(error) => {
                outcome.error = Some(error.shifted(outcome.bytes));
                break;
            }
        }
    }
    outcome
}

/// Returns the outcomes of lenient and of canonical decoding. They are equal up to the first overlong
/// encoding, which ends with a zero byte after a continuation byte.
pub fn decode_both<T: Int>(src: &[u8], capacity: usize) -> [BulkOutcome<T>; 2] {
    let lenient = decode_all::<T>(src, capacity, false);
    let decoded = &src[..lenient.bytes];
    let Some(before) = decoded.windows(2).position(|pair| pair[0] >= 0x80 && pair[1] == 0) else {
        return [lenient.clone(), lenient];
    };
    let start = decoded[..before].iter().rposition(|&byte| byte < 0x80).map_or(0, |end| end + 1);
    let error = ErrorAt { kind: ErrorKind::NonCanonical, offset: before + 1 };
    let values = lenient.values[..count(&src[..start])].to_vec();
    [lenient, BulkOutcome { values, bytes: start, error: Some(error) }]
}
