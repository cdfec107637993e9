//! The oracle for slices of values, from [`arithmetic`](super::arithmetic), which has it for one value.

pub use super::arithmetic::{Fault, Int, Outcome, count, decode, skip};

/// The encoding: divide by 128, keep the remainders.
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

/// The encodings of all values, one after another.
pub fn encode_all<T: Int>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|&value| encode(value)).collect()
}

/// The outcome of a bulk decode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkOutcome<T> {
    pub values: Vec<T>,
    pub bytes: usize,
    pub fault: Option<Fault>,
}

/// At most `capacity` values of `src`, up to its end or the first bad one.
pub fn decode_all<T: Int>(src: &[u8], capacity: usize, canonical: bool) -> BulkOutcome<T> {
    let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, fault: None };
    while outcome.values.len() < capacity && outcome.bytes < src.len() {
        match decode(&src[outcome.bytes..], canonical) {
            Ok((value, len)) => {
                outcome.values.push(value);
                outcome.bytes += len;
            }
            Err(fault) => {
                outcome.fault = Some(fault.shifted(outcome.bytes));
                break;
            }
        }
    }
    outcome
}
