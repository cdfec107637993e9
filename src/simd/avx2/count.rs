//! Counts and skips values, each of which ends with its only byte without continuation bit, and sums
//! the lengths of encodings.

use core::arch::x86_64::{_mm256_loadu_si256, _mm256_movemask_epi8};

use super::encode::BY_LEADING_ZEROS;
use crate::error::DecodeError;
use crate::scalar::slice;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;

/// Returns a mask in which bit k is set if byte k is the last of its value.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn ends(bytes: &[u8; 32]) -> u64 {
    // SAFETY: the load reads the 32 bytes of the array.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    u64::from(!_mm256_movemask_epi8(bytes) as u32)
}

/// Returns the number of complete varints.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn count(src: &[u8]) -> usize {
    let (chunks, rest) = as_chunks(src);
    chunks.iter().map(|chunk| ends(chunk).count_ones() as usize).sum::<usize>() + slice::count(rest)
}

/// Returns the length of the first `n` varints in bytes.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    let (mut left, mut bytes) = (n, 0);
    for chunk in as_chunks(src).0 {
        let values = ends(chunk).count_ones() as usize;
        if values >= left {
            break;
        }
        left -= values;
        bytes += chunk.len();
    }
    match slice::skip(&src[bytes..], left) {
        Ok(last) => Ok(bytes + last),
        Err(error) => Err(error.shifted(bytes)),
    }
}

/// Returns the length of the encodings in bytes. No slice is so long that the sum overflows.
#[target_feature(enable = "lzcnt")]
pub(super) fn encoded_len<T: Lane>(src: &[T]) -> usize {
    let len = |value: &T| usize::from(BY_LEADING_ZEROS.len[value.to_wire().leading_zeros() as usize]);
    src.iter().map(len).sum()
}
