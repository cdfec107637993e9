//! The oracle: what [`plain`](super::plain) says of one value, for vectors of them.

pub use super::plain::{Fault, Int, Verdict, count, decode, skip};

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

/// What a bulk decode comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<T> {
    pub values: Vec<T>,
    pub bytes: usize,
    pub fault: Option<Fault>,
}

/// At most `room` values of `src`, up to its end or the first bad one.
pub fn decode_all<T: Int>(src: &[u8], room: usize, canonical: bool) -> Outcome<T> {
    let mut outcome = Outcome { values: Vec::new(), bytes: 0, fault: None };
    while outcome.values.len() < room && outcome.bytes < src.len() {
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
