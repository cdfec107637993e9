//! A vector of values to bytes: groups of 7 bits, continuation bits, and no redundant byte.

use core::arch::x86_64::*;

use super::super::vector::{BYTES, raw_lanes, splat};
use super::job::BLOCK;
use crate::scalar::value::CONTINUE;
use crate::simd::lane::Lane;

/// Encodes lanes of `SIZE` bytes (8 or 4) that fit as many groups.
#[derive(Clone, Copy)]
pub(super) struct Groups<const SIZE: usize> {
    /// What each byte must not be below to stay.
    least: __m512i,
}

/// The continuation bit of every byte.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn continuation_bits() -> __m512i {
    _mm512_set1_epi8(CONTINUE as i8)
}

/// The groups of each lane of `SIZE` bytes, one a byte. Bit 7 of each is the lowest bit of the
/// next.
#[inline]
#[target_feature(enable = "avx512vbmi")]
pub(super) fn spread<const SIZE: usize>(lanes: __m512i) -> __m512i {
    // Where each group begins, in one lane of 64 bits or in two of 32.
    let from = if SIZE == 8 { [0, 7, 14, 21, 28, 35, 42, 49] } else { [0, 7, 14, 21, 32, 39, 46, 53] };
    _mm512_multishift_epi64_epi8(splat::<8>(u64::from_le_bytes(from)), lanes)
}

/// Whether every lane fits as many groups as it has bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn fits<const SIZE: usize>(lanes: __m512i) -> bool {
    let beyond = if SIZE == 8 { _mm512_set1_epi64(!0 << 56) } else { _mm512_set1_epi32(!0 << 28) };
    _mm512_test_epi64_mask(lanes, beyond) == 0
}

/// Whether all values do.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn fit<T: Lane, const SIZE: usize>(block: &[T; BLOCK]) -> bool {
    let mut all = _mm512_setzero_si512();
    for values in block.chunks_exact(BYTES / SIZE) {
        all = _mm512_or_si512(all, raw_lanes::<T, SIZE>(values));
    }
    fits::<SIZE>(all)
}

/// Drops the bytes that are below `least`; what stays, and how many.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn pack(bytes: __m512i, least: __m512i) -> (__m512i, usize) {
    let stay = _mm512_cmpge_epu8_mask(bytes, least);
    // To a register first: compressing to memory takes several times as long.
    (_mm512_maskz_compress_epi8(stay, bytes), stay.count_ones() as usize)
}

impl<const SIZE: usize> Groups<SIZE> {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn new() -> Self {
        // The first byte of a value stays, another one unless it is zero.
        let least = if SIZE == 8 { [0, 1, 1, 1, 1, 1, 1, 1] } else { [0, 1, 1, 1, 0, 1, 1, 1] };
        // Not a constant in the eyes of the compiler, which would compare twice: for the mask, and
        // for its bits.
        Self { least: splat_opaque(u64::from_le_bytes(least)) }
    }

    /// The encoding of the lanes, and its length.
    #[inline]
    #[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,popcnt")]
    pub(super) fn encode(self, lanes: __m512i) -> (__m512i, usize) {
        let groups = spread::<SIZE>(lanes);
        pack(with_continuation::<SIZE>(groups, !0), self.least)
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat_opaque(value: u64) -> __m512i {
    _mm512_set1_epi64(core::hint::black_box(value) as i64)
}

/// `groups` with the continuation bit of every byte set or clear. Lanes that are not in `end` go on
/// behind their last byte.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi2")]
pub(super) fn with_continuation<const SIZE: usize>(groups: __m512i, end: u8) -> __m512i {
    let continuation = continuation_bits();
    let ones = _mm512_set1_epi64(-1);
    // Ones from the top of each lane down to its first set bit. Behind them come the continuation
    // bits, shifted by their number n. That is no multiple of 8, since the first set bit is never
    // bit 7 of its byte (the next byte has it too, as bit 0), so none of them stands where a
    // continuation bit does; but for a lane of zeros, where n is the width, which shifts by
    // nothing: all of them stand there, and no byte is continued.
    let above = if SIZE == 8 {
        _mm512_maskz_shrdv_epi64(end, continuation, ones, _mm512_lzcnt_epi64(groups))
    } else {
        _mm512_shrdv_epi32(continuation, ones, _mm512_lzcnt_epi32(groups))
    };
    // continuation ? !above : groups
    _mm512_ternarylogic_epi64::<0x3a>(continuation, above, groups)
}
