//! The bulk functions that write to a `Vec`.

use alloc::vec::Vec;

use crate::error::BulkError;
use crate::wire_types::Integer;

/// Encodes all of `src` into a new vector of exactly the length needed. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::encode_to_vec(&[1u64, 300]), [0x01, 0xac, 0x02]);
/// ```
#[must_use]
pub fn encode_to_vec<T: Integer>(src: &[T]) -> Vec<u8> {
    T::encode_to_vec(src)
}

/// Appends the encodings of all of `src` to `dst`, and returns the number of bytes appended. O(n).
///
/// ```
/// let mut message = vec![0x0a, 0x03]; // a packed field of Protocol Buffers: tag and length
/// assert_eq!(zigzag_varint::encode_append(&[1u64, 300], &mut message), 3);
/// assert_eq!(message, [0x0a, 0x03, 0x01, 0xac, 0x02]);
/// ```
pub fn encode_append<T: Integer>(src: &[T], dst: &mut Vec<u8>) -> usize {
    T::encode_append(src, dst)
}

/// Decodes all of `src` into a new vector. O(n).
///
/// It allocates at most once, and space for at most as many values as `src` has bytes.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint.
///
/// ```
/// assert_eq!(zigzag_varint::decode_to_vec::<u64>(&[0x01, 0xac, 0x02]), Ok(vec![1, 300]));
/// ```
pub fn decode_to_vec<T: Integer>(src: &[u8]) -> Result<Vec<T>, BulkError> {
    T::decode_to_vec(src)
}

/// Decodes all of `src`, appends the values to `dst`, and returns their number. O(n).
///
/// It reserves space once, by [`Vec::reserve`], for at most as many values as `src` has bytes. If `dst`
/// has no capacity yet, it gets no more than that.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint. The values before it are appended.
///
/// ```
/// // A packed field of Protocol Buffers may arrive in several parts.
/// let mut values = Vec::<u32>::new();
/// for part in [&[0x01, 0xac, 0x02][..], &[0x07]] {
///     zigzag_varint::decode_append(part, &mut values)?;
/// }
/// assert_eq!(values, [1, 300, 7]);
/// # Ok::<(), zigzag_varint::BulkError>(())
/// ```
pub fn decode_append<T: Integer>(src: &[u8], dst: &mut Vec<T>) -> Result<usize, BulkError> {
    T::decode_append(src, dst)
}
