//! The size of windows, and masks with a bit for each of their bytes.

use super::tables::MULTIPLES;
use crate::simd::lane::Lane;

/// The number of bytes that must be readable from the start of a window on. Loads of 16 bytes begin
/// at offsets up to 64.
pub(in crate::simd) const READ: usize = 80;

/// The number of values that the scalar loop decodes when a window is suspicious.
pub(in crate::simd) const SCALAR_RUN: usize = 16;

/// Returns the distance from one window to the next. The values that start within it end in the
/// rest of the 64 bytes at the latest.
pub(in crate::simd) const fn stride<T: Lane>() -> usize {
    if T::MAX_BYTES <= 8 { 56 } else { 54 }
}

/// Returns a mask of the bits from which on at least `len` bits are set.
#[inline]
pub(in crate::simd) const fn runs(bits: u64, len: usize) -> u64 {
    let (mut runs, mut have) = (bits, 1);
    while have < len {
        let step = if len - have < have { len - have } else { have };
        runs &= runs >> step;
        have += step;
    }
    runs
}

/// Returns the common length of the values that start at `starts`, if they have one from 2 to 8.
#[inline]
pub(in crate::simd) fn uniform_len(starts: u64) -> Option<usize> {
    let first = starts.trailing_zeros();
    let second = (starts & starts.wrapping_sub(1)).trailing_zeros();
    let len = (second - first) as usize;
    let multiples = *MULTIPLES.get(len)?;
    (starts == multiples << first).then_some(len)
}
