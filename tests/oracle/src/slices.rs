//! Slices of numbers.

use alloc::vec::Vec;
use core::borrow::Borrow;

use crate::{ErrorAt, Format, Rule, encode};

/// Concatenates the encodings of all numbers.
pub fn encode_all(numbers: impl IntoIterator<Item = impl Borrow<u128>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (encoded, len) in numbers.into_iter().map(|number| encode(*number.borrow())) {
        bytes.extend_from_slice(&encoded[..len]);
    }
    bytes
}

/// The outcome of decoding a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkOutcome {
    /// The values before the end or the error.
    pub values: Vec<u128>,
    /// The length of their encodings.
    pub bytes: usize,
    /// The error that follows them.
    pub error: Option<ErrorAt>,
}

/// Decodes at most `capacity` numbers of `src`, up to its end or the first error.
pub fn decode_all(src: &[u8], bits: u32, capacity: usize, canonical: bool) -> BulkOutcome {
    Rule { canonical, ..Rule::new(Format::Unsigned, bits) }.decode_all(src, capacity)
}
