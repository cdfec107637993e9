//! Masks of the bytes without continuation bit, which are the last bytes of values.

#[cfg(not(target_arch = "x86_64"))]
use crate::scalar::word::CONTINUES;
use crate::simd::arrays::as_chunks;

/// The length of a window: one byte for each bit of a mask.
pub(crate) const WINDOW: usize = 64;
/// The number of bytes that must be readable after a window: ten bytes, the longest 64-bit value,
/// can then be read from each byte of the window on.
pub(super) const OVERHANG: usize = 9;

/// Returns the mask of the bytes without continuation bit, the first byte at bit 0. `N` is a
/// multiple of 16, up to 64.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn ends_in<const N: usize>(window: &[u8; N]) -> u64 {
    use core::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};

    let mut ends = 0;
    for (index, part) in as_chunks::<_, 16>(window).0.iter().enumerate() {
        // SAFETY: the load reads the 16 bytes of `part`, and SSE2 is part of x86-64.
        let continues = unsafe { _mm_movemask_epi8(_mm_loadu_si128(part.as_ptr().cast())) };
        ends |= u64::from(!continues as u16) << (16 * index);
    }
    ends
}

/// Returns the mask of the bytes without continuation bit, the first byte at bit 0. `N` is a
/// multiple of 8, up to 64.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn ends_in<const N: usize>(window: &[u8; N]) -> u64 {
    let mut ends = 0;
    for (index, part) in as_chunks::<_, 8>(window).0.iter().enumerate() {
        // Eight bits, one in each byte. The multiplication collects them in the top byte.
        let bits = (!u64::from_le_bytes(*part) & CONTINUES) >> 7;
        ends |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * index);
    }
    ends
}

/// Returns a mask of the bits from which on at least `len` bits are set.
#[inline]
pub(crate) const fn runs(bits: u64, len: usize) -> u64 {
    let (mut runs, mut have) = (bits, 1);
    while have < len {
        let step = if len - have < have { len - have } else { have };
        runs &= runs >> step;
        have += step;
    }
    runs
}

/// By length, the mask of a window in which all values have that length and the first begins with
/// the window.
pub(super) const UNIFORM: &[u64; 11] = &{
    let mut uniform = [0; 11];
    let mut len = 1;
    while len <= 10 {
        let mut end = len - 1;
        while end < WINDOW {
            uniform[len] |= 1 << end;
            end += len;
        }
        len += 1;
    }
    uniform
};
