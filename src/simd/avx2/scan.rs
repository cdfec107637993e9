//! Lengths and counts, without a value made or a byte written.

use core::arch::x86_64::*;

use super::encode::BY_LEADING_ZEROS;
use super::lanes::Lane;
use crate::error::DecodeError;
use crate::scalar::slice;

/// Bytes that the encodings take.
#[target_feature(enable = "avx2,lzcnt")]
pub(super) fn encoded_len<T: Lane>(src: &[T]) -> usize {
    let len = |value: &T| usize::from(BY_LEADING_ZEROS.len[value.to_wire().leading_zeros() as usize]);
    src.iter().map(len).sum()
}

/// Complete varints.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn count(src: &[u8]) -> usize {
    let (chunks, rest) = src.as_chunks();
    let count: usize = chunks.iter().map(|chunk| ends(chunk).count_ones() as usize).sum();
    count + slice::count(rest)
}

/// Bytes of the first `n` varints.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    let (mut left, mut bytes) = (n, 0);
    for chunk in src.as_chunks().0 {
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

/// Bit k: byte k is the last of its value.
#[inline]
#[target_feature(enable = "avx2")]
fn ends(bytes: &[u8; 32]) -> u32 {
    // SAFETY: the array's 32 bytes.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    !_mm256_movemask_epi8(bytes) as u32
}
