//! Counts and skips values. Each ends with its only byte without continuation bit.

use core::arch::x86_64::{_mm256_loadu_si256, _mm256_movemask_epi8};

use crate::error::DecodeError;
use crate::simd::bmi2;

/// Returns a mask in which bit k is set if byte k is the last of its value.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn ends(bytes: &[u8; 32]) -> u64 {
    // SAFETY: the load reads the 32 bytes of the array.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    u64::from(!_mm256_movemask_epi8(bytes) as u32)
}

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn count(src: &[u8]) -> usize {
    bmi2::count(src, |bytes| ends(bytes))
}

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    bmi2::skip(src, n, |bytes| ends(bytes))
}
