//! The functions that write to a `Vec`.

use alloc::vec::Vec;

use super::kernel::checked;
use super::slice::{encode_slice, encoded_len_slice};
use crate::error::BulkError;
use crate::kernel::Kernel;
use crate::simd::slices::Slices;
use crate::varint_trait::{Integer, Varint as _};
use crate::wire::vectors::zeros;
use crate::wire_types::Canonical;

/// Encodes the differences of all of `src` into a new vector of exactly the length needed. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::delta::encode_to_vec([0], &[100u32, 103]), [0xc8, 0x01, 0x06]);
/// ```
#[must_use]
pub fn encode_to_vec<T: Integer, const N: usize>(previous: [T; N], src: &[T]) -> Vec<u8> {
    let mut bytes = zeros(encoded_len_slice(previous, src));
    let encoded = encode_slice(previous, src, &mut bytes);
    debug_assert_eq!(encoded, Ok(bytes.len()));
    bytes
}

/// Appends the encoded differences of all of `src` to `dst`, and returns the number of bytes appended. O(n).
///
/// ```
/// let mut bytes = vec![0x02]; // the number of values
/// assert_eq!(zigzag_varint::delta::encode_append([0], &[100u32, 103], &mut bytes), 3);
/// assert_eq!(bytes, [0x02, 0xc8, 0x01, 0x06]);
/// ```
pub fn encode_append<T: Integer, const N: usize>(previous: [T; N], src: &[T], dst: &mut Vec<u8>) -> usize {
    let begin = dst.len();
    let len = encoded_len_slice(previous, src);
    dst.resize(begin + len, 0);
    let encoded = encode_slice(previous, src, &mut dst[begin..]);
    debug_assert_eq!(encoded, Ok(len));
    len
}

/// Decodes all of `src` into a new vector. O(n).
///
/// It allocates at most as many values as `src` has bytes.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint.
///
/// ```
/// assert_eq!(zigzag_varint::delta::decode_to_vec([0u32], &[0xc8, 0x01, 0x06]), Ok(vec![100, 103]));
/// ```
pub fn decode_to_vec<T: Integer, const N: usize>(previous: [T; N], src: &[u8]) -> Result<Vec<T>, BulkError> {
    let mut values = Vec::new();
    decode_append(previous, src, &mut values)?;
    Ok(values)
}

/// Decodes like [`decode_to_vec`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_to_vec`], and `NonCanonical`.
///
/// ```
/// assert!(zigzag_varint::delta::decode_to_vec_canonical([0u32], &[0x83, 0x00]).is_err());
/// ```
pub fn decode_to_vec_canonical<T: Integer, const N: usize>(
    previous: [T; N],
    src: &[u8],
) -> Result<Vec<T>, BulkError> {
    let mut values = Vec::new();
    decode_append_canonical(previous, src, &mut values)?;
    Ok(values)
}

/// Decodes all of `src`, appends the values to `dst`, and returns their number. O(n).
///
/// It reserves space for at most as many values as `src` has bytes.
///
/// # Errors
///
/// [`BulkError`] at the first invalid varint. The values before it are appended.
///
/// ```
/// use zigzag_varint::delta;
///
/// let mut values = vec![100u32];
/// assert_eq!(delta::decode_append([100], &[0x06, 0x03], &mut values), Ok(2));
/// assert_eq!(values, [100, 103, 101]);
/// ```
pub fn decode_append<T: Integer, const N: usize>(
    previous: [T; N],
    src: &[u8],
    dst: &mut Vec<T>,
) -> Result<usize, BulkError> {
    append(previous, dst, |dst| crate::vec::decode_append(src, dst))
}

/// Decodes like [`decode_append`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_append`], and `NonCanonical`.
///
/// ```
/// let mut values = vec![];
/// assert!(zigzag_varint::delta::decode_append_canonical([0u32], &[0x06, 0x83, 0x00], &mut values).is_err());
/// assert_eq!(values, [3]);
/// ```
pub fn decode_append_canonical<T: Integer, const N: usize>(
    previous: [T; N],
    src: &[u8],
    dst: &mut Vec<T>,
) -> Result<usize, BulkError> {
    append(previous, dst, |dst| Canonical::<T>::decode_append(src, dst))
}

/// Adds up the differences that `decode` appends to `dst`.
fn append<T: Integer, const N: usize>(
    previous: [T; N],
    dst: &mut Vec<T>,
    decode: impl FnOnce(&mut Vec<T>) -> Result<usize, BulkError>,
) -> Result<usize, BulkError> {
    let begin = dst.len();
    let decoded = decode(dst);
    T::slices(Kernel::detect()).add_up(&checked(previous), &mut dst[begin..]);
    decoded
}
