//! The oracle for values of the integer types.

use zigzag_varint_oracle as oracle;
pub use zigzag_varint_oracle::{BulkOutcome, ErrorAt, count, skip};

use super::int::value;
pub use super::int::{Int, decode};

/// Encodes a value.
pub fn encode<T: Int>(value: T) -> Vec<u8> {
    encode_all(&[value])
}

/// Concatenates the encodings of all values.
pub fn encode_all<T: Int>(values: &[T]) -> Vec<u8> {
    oracle::encode_all(values.iter().map(|value| value.wire()))
}

/// Decodes at most `capacity` values of `src`, up to its end or the first error.
pub fn decode_all<T: Int>(src: &[u8], capacity: usize, canonical: bool) -> BulkOutcome<T> {
    oracle::decode_all(src, T::BITS, capacity, canonical).map(value)
}

/// Returns the outcomes of lenient and of canonical decoding.
pub fn decode_both<T: Int>(src: &[u8], capacity: usize) -> [BulkOutcome<T>; 2] {
    oracle::decode_both(src, T::BITS, capacity).map(|outcome| outcome.map(value))
}
