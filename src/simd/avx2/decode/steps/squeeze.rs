//! Loads values, joins their groups of seven bits, and stores them.

use core::arch::x86_64::*;

use super::super::super::block::{halves, swap_middle};
use crate::simd::lane::Lane;

/// Returns the first eight bytes from each start, and the eight after those, in qwords.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn gather([a, b, c, d]: [*const u8; 4]) -> [__m256i; 2] {
    // SAFETY: the caller ensures that 16 bytes can be read from each start.
    let [even, odd] =
        unsafe { [_mm256_loadu2_m128i(c.cast(), a.cast()), _mm256_loadu2_m128i(d.cast(), b.cast())] };
    [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
}

/// Joins four groups of seven bits to 28 bits, in every dword.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn squeeze_dwords(groups: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(_mm256_set1_epi16(0x8001_u16 as i16), groups);
    _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 30 | 1))
}

/// Joins eight groups of seven bits to 56 bits, in every qword.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn squeeze_qwords(groups: __m256i) -> __m256i {
    let dwords = squeeze_dwords(groups);
    // Close the gap of four bits: shift the low dword up to the high one, then both down.
    let closed = _mm256_sllv_epi32(dwords, _mm256_set1_epi64x(4));
    _mm256_srli_epi64::<4>(closed)
}

/// Stores eight values below 2^28. Their order in the register is 0 1 4 5 2 3 6 7.
///
/// # Safety
///
/// `to` has space for them.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn store_dwords<T: Lane>(dwords: __m256i, to: *mut T) {
    let (low, high) = if T::SIGNED { from_zigzag_dwords(dwords) } else { (dwords, _mm256_setzero_si256()) };
    // SAFETY: each arm stores eight values of the size of `T`, for which the caller provides space.
    unsafe {
        match size_of::<T>() {
            2 => {
                let words =
                    if T::SIGNED { _mm256_packs_epi32(low, low) } else { _mm256_packus_epi32(low, low) };
                let [a, b] = halves(words);
                _mm_storeu_si128(to.cast(), _mm_unpacklo_epi32(a, b));
            }
            4 => _mm256_storeu_si256(to.cast(), swap_middle(low)),
            _ => {
                _mm256_storeu_si256(to.cast(), _mm256_unpacklo_epi32(low, high));
                _mm256_storeu_si256(to.add(4).cast(), _mm256_unpackhi_epi32(low, high));
            }
        }
    }
}

/// Stores four values of 64 bits.
///
/// # Safety
///
/// `to` has space for them.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn store_qwords<T: Lane>(qwords: __m256i, to: *mut T) {
    let values = if T::SIGNED {
        let sign = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_and_si256(qwords, _mm256_set1_epi64x(1)));
        _mm256_xor_si256(_mm256_srli_epi64::<1>(qwords), sign)
    } else {
        qwords
    };
    // SAFETY: the store writes four values of eight bytes, for which the caller provides space.
    unsafe { _mm256_storeu_si256(to.cast(), values) }
}

/// Stores eight values of 32 bits. Each is in a qword: its low 28 bits in the low dword, the others
/// in the high one. Values 0 1 4 5 are in `x`, and 2 3 6 7 in `y`.
///
/// # Safety
///
/// `to` has space for them.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn store_pairs<T: Lane>(x: __m256i, y: __m256i, to: *mut T) {
    let [x, y] = [_mm256_castsi256_ps(x), _mm256_castsi256_ps(y)];
    let low = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(x, y));
    let high = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(x, y));
    let dwords = _mm256_or_si256(low, _mm256_slli_epi32::<28>(high));
    let values = if T::SIGNED { from_zigzag_dwords(dwords).0 } else { dwords };
    // SAFETY: the store writes eight values of four bytes, for which the caller provides space.
    unsafe { _mm256_storeu_si256(to.cast(), values) }
}

/// Converts dwords from zigzag form. Returns the low and the high dwords of the 64-bit results.
#[inline]
#[target_feature(enable = "avx2")]
fn from_zigzag_dwords(dwords: __m256i) -> (__m256i, __m256i) {
    let sign = _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_and_si256(dwords, _mm256_set1_epi32(1)));
    (_mm256_xor_si256(_mm256_srli_epi32::<1>(dwords), sign), sign)
}
