//! The bulk functions that write to a `Vec`.

use alloc::vec;
use alloc::vec::Vec;

use crate::bulk;
use crate::error::BulkError;
use crate::kernel::Kernel;
use crate::simd::destination;
use crate::varint_trait::Varint;

/// Encodes all of `src` into a new vector of exactly the length needed. O(n).
///
/// ```
/// assert_eq!(zigzag_varint::encode_to_vec(&[1u64, 300]), [0x01, 0xac, 0x02]);
/// ```
#[must_use]
pub fn encode_to_vec<T: Varint>(src: &[T]) -> Vec<u8> {
    let mut bytes = zeros(bulk::encoded_len_slice(src));
    let encoded = bulk::encode_slice(src, &mut bytes);
    debug_assert_eq!(encoded, Ok(bytes.len()));
    bytes
}

/// Appends the encodings of all of `src` to `dst`, and returns the number of bytes appended. O(n).
///
/// ```
/// let mut message = vec![0x0a, 0x03]; // a packed field of Protocol Buffers: tag and length
/// assert_eq!(zigzag_varint::encode_append(&[1u64, 300], &mut message), 3);
/// assert_eq!(message, [0x0a, 0x03, 0x01, 0xac, 0x02]);
/// ```
pub fn encode_append<T: Varint>(src: &[T], dst: &mut Vec<u8>) -> usize {
    let begin = dst.len();
    let len = bulk::encoded_len_slice(src);
    dst.resize(begin + len, 0);
    let encoded = bulk::encode_slice(src, &mut dst[begin..]);
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
/// assert_eq!(zigzag_varint::decode_to_vec::<u64>(&[0x01, 0xac, 0x02]), Ok(vec![1, 300]));
/// ```
pub fn decode_to_vec<T: Varint>(src: &[u8]) -> Result<Vec<T>, BulkError> {
    let mut values = Vec::new();
    decode_append(src, &mut values)?;
    Ok(values)
}

/// Decodes like [`decode_to_vec`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_to_vec`], and `NonCanonical`.
///
/// ```
/// assert!(zigzag_varint::decode_to_vec_canonical::<u64>(&[0x87, 0x00]).is_err());
/// ```
pub fn decode_to_vec_canonical<T: Varint>(src: &[u8]) -> Result<Vec<T>, BulkError> {
    let mut values = Vec::new();
    decode_append_canonical(src, &mut values)?;
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
/// // A packed field of Protocol Buffers may arrive in several parts.
/// let mut values = Vec::<u32>::new();
/// for part in [&[0x01, 0xac, 0x02][..], &[0x07]] {
///     zigzag_varint::decode_append(part, &mut values)?;
/// }
/// assert_eq!(values, [1, 300, 7]);
/// # Ok::<(), zigzag_varint::BulkError>(())
/// ```
pub fn decode_append<T: Varint>(src: &[u8], dst: &mut Vec<T>) -> Result<usize, BulkError> {
    append(src, dst, false)
}

/// Decodes like [`decode_append`], and rejects overlong encodings.
///
/// # Errors
///
/// Those of [`decode_append`], and `NonCanonical`.
///
/// ```
/// let mut values = vec![1u32];
/// assert!(zigzag_varint::decode_append_canonical(&[0x07, 0x87, 0x00], &mut values).is_err());
/// assert_eq!(values, [1, 7]);
/// ```
pub fn decode_append_canonical<T: Varint>(src: &[u8], dst: &mut Vec<T>) -> Result<usize, BulkError> {
    append(src, dst, true)
}

fn append<T: Varint>(src: &[u8], dst: &mut Vec<T>, canonical: bool) -> Result<usize, BulkError> {
    if src.len() <= destination::BLOCK {
        // To count the values first would take longer than to copy them.
        let decoded = bulk::decode_block(canonical, src, |values| dst.extend_from_slice(values));
        return decoded.map(|progress| progress.values);
    }
    // One more for a varint that the end of the input cuts short, which has to be found.
    let incomplete = src.last().is_some_and(|&byte| byte >= 0x80);
    let max = bulk::count(src) + usize::from(incomplete);
    let decoded = destination::append(T::slices(Kernel::detect().backend()), canonical, src, max, dst);
    decoded.map(|progress| progress.values)
}

/// Returns that number of zeros.
#[allow(clippy::slow_vector_initialization)] // not slow for few zeros
pub(crate) fn zeros(len: usize) -> Vec<u8> {
    if len > FEW_ZEROS {
        return vec![0; len];
    }
    let mut bytes = Vec::with_capacity(len);
    bytes.resize(len, 0);
    bytes
}

/// Up to this number of bytes, filling memory takes less time than allocating zeroed memory.
const FEW_ZEROS: usize = 4096;
