//! Computes lengths and counts, without decoding values or writing bytes.

use super::encode::BY_LEADING_ZEROS;
use crate::error::DecodeError;
use crate::scalar::slice;
use crate::simd::arrays::as_chunks;
use crate::simd::end_mask::ends_in;
use crate::simd::lane::Lane;

/// Returns the length of the encodings in bytes. No slice is so long that the sum overflows.
#[target_feature(enable = "lzcnt")]
pub(in crate::simd) fn encoded_len<T: Lane>(src: &[T]) -> usize {
    let len = |value: &T| usize::from(BY_LEADING_ZEROS.len[value.to_wire().leading_zeros() as usize]);
    src.iter().map(len).sum()
}

#[target_feature(enable = "popcnt")]
pub(super) fn count_by_64(src: &[u8]) -> usize {
    count(src, ends_in::<64>)
}

#[target_feature(enable = "popcnt")]
pub(super) fn skip_by_64(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    skip(src, n, ends_in::<64>)
}

/// Returns the number of complete varints. `ends` computes the mask of their last bytes.
#[inline(always)]
pub(in crate::simd) fn count<const N: usize>(src: &[u8], ends: impl Fn(&[u8; N]) -> u64) -> usize {
    let (chunks, rest) = as_chunks(src);
    let count: usize = chunks.iter().map(|chunk| ends(chunk).count_ones() as usize).sum();
    count + slice::count(rest)
}

/// Returns the length of the first `n` varints in bytes. `ends` computes the mask of their last
/// bytes.
#[inline(always)]
pub(in crate::simd) fn skip<const N: usize>(
    src: &[u8],
    n: usize,
    ends: impl Fn(&[u8; N]) -> u64,
) -> Result<usize, DecodeError> {
    let (mut left, mut bytes) = (n, 0);
    for chunk in as_chunks(src).0 {
        let values = ends(chunk).count_ones() as usize;
        if values >= left {
            break;
        }
        left -= values;
        bytes += N;
    }
    match slice::skip(&src[bytes..], left) {
        Ok(last) => Ok(bytes + last),
        Err(error) => Err(error.shifted(bytes)),
    }
}
