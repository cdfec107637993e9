//! Slices to vectors and back.

use alloc::vec;
use alloc::vec::Vec;

use crate::bulk;
use crate::error::BulkError;
use crate::varint_trait::Varint;

/// The encodings of `src`, one after another, in a vector of exactly that length.
///
/// ```
/// assert_eq!(zigzag_varint::encode_to_vec(&[1u64, 300]), [0x01, 0xac, 0x02]);
/// ```
pub fn encode_to_vec<T: Varint>(src: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; bulk::encoded_len_slice(src)];
    let encoded = bulk::encode_slice(src, &mut bytes);
    debug_assert_eq!(encoded, Ok(bytes.len()));
    bytes
}

/// All values of `src`. Memory is in proportion to `src`, whatever it says.
///
/// # Errors
///
/// [`BulkError`] at the first bad varint.
///
/// ```
/// assert_eq!(zigzag_varint::decode_to_vec::<u64>(&[0x01, 0xac, 0x02]), Ok(vec![1, 300]));
/// ```
pub fn decode_to_vec<T: Varint>(src: &[u8]) -> Result<Vec<T>, BulkError> {
    let unfinished = src.last().is_some_and(|&byte| byte >= 0x80);
    let mut values = vec![T::default(); bulk::count(src) + usize::from(unfinished)];
    let progress = bulk::decode_slice(src, &mut values)?;
    values.truncate(progress.values);
    Ok(values)
}
