//! Slices of numbers.

use alloc::vec::Vec;
use core::borrow::Borrow;

use zigzag_varint::ErrorKind;

use crate::{ErrorAt, Format, Rule, count};

/// Concatenates the encodings of all numbers. Each is encoded by repeated division by 128: the
/// remainders are the groups of 7 bits.
pub fn encode_all(numbers: impl IntoIterator<Item = impl Borrow<u128>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    numbers.into_iter().for_each(|number| encode(*number.borrow(), &mut bytes));
    bytes
}

fn encode(mut rest: u128, bytes: &mut Vec<u8>) {
    while rest >= 128 {
        bytes.push((rest % 128) as u8 + 128);
        rest /= 128;
    }
    bytes.push(rest as u8);
}

/// The outcome of decoding a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkOutcome<T> {
    /// The values before the end or the error.
    pub values: Vec<T>,
    /// The length of their encodings.
    pub bytes: usize,
    /// The error that follows them.
    pub error: Option<ErrorAt>,
}

impl<T> BulkOutcome<T> {
    /// Returns the same outcome with other values.
    pub fn map<U>(self, value: impl Fn(T) -> U) -> BulkOutcome<U> {
        let Self { values, bytes, error } = self;
        BulkOutcome { values: values.into_iter().map(value).collect(), bytes, error }
    }
}

/// Decodes at most `capacity` numbers of `src`, up to its end or the first error.
pub fn decode_all(src: &[u8], bits: u32, capacity: usize, canonical: bool) -> BulkOutcome<u128> {
    Rule { canonical, ..Rule::new(Format::Unsigned, bits) }.decode_all(src, capacity)
}

/// Returns the outcomes of lenient and of canonical decoding. They are equal up to the first overlong
/// encoding, which ends with a zero byte after a continuation byte.
pub fn decode_both(src: &[u8], bits: u32, capacity: usize) -> [BulkOutcome<u128>; 2] {
    let lenient = decode_all(src, bits, capacity, false);
    let decoded = &src[..lenient.bytes];
    let Some(before) = decoded.windows(2).position(|pair| pair[0] >= 0x80 && pair[1] == 0) else {
        return [lenient.clone(), lenient];
    };
    let start = decoded[..before].iter().rposition(|&byte| byte < 0x80).map_or(0, |end| end + 1);
    let error = ErrorAt { kind: ErrorKind::NonCanonical, offset: before + 1 };
    let values = lenient.values[..count(&src[..start])].to_vec();
    [lenient, BulkOutcome { values, bytes: start, error: Some(error) }]
}
