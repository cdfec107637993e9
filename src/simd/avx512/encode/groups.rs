//! Encodes a vector of values: spreads the groups of 7 bits, sets the continuation bits, and drops
//! the redundant bytes.

use core::arch::x86_64::*;

use super::super::vector::{BYTES, raw_lanes, splat};
use super::job::BLOCK_VALUES;
use crate::scalar::rule::CONTINUE;
use crate::simd::lane::Lane;

/// An encoder for lanes of `SIZE` bytes (8 or 4) whose values fit in that number of groups.
#[derive(Clone, Copy)]
pub(super) struct Groups<const SIZE: usize> {
    /// For each byte, the least value at which it is kept.
    least: __m512i,
}

/// Returns the continuation bits of all bytes.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn continuation_bits() -> __m512i {
    _mm512_set1_epi8(CONTINUE as i8)
}

/// Spreads the groups of each lane of `SIZE` bytes, one to a byte. Bit 7 of each byte is the lowest
/// bit of the next group.
#[inline]
#[target_feature(enable = "avx512vbmi")]
pub(super) fn spread<const SIZE: usize>(lanes: __m512i) -> __m512i {
    // Where each group begins, in one lane of 64 bits or in two of 32.
    let from = if SIZE == 8 { [0, 7, 14, 21, 28, 35, 42, 49] } else { [0, 7, 14, 21, 32, 39, 46, 53] };
    _mm512_multishift_epi64_epi8(splat::<8>(u64::from_le_bytes(from)), lanes)
}

/// Returns whether the value of every lane fits in as many groups as the lane has bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn fits<const SIZE: usize>(lanes: __m512i) -> bool {
    let beyond = if SIZE == 8 { _mm512_set1_epi64(!0 << 56) } else { _mm512_set1_epi32(!0 << 28) };
    _mm512_test_epi64_mask(lanes, beyond) == 0
}

/// Returns whether every value of a block fits in `SIZE` groups.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn fit<T: Lane, const SIZE: usize>(block: &[T; BLOCK_VALUES]) -> bool {
    let mut all = _mm512_setzero_si512();
    if size_of::<T>() > SIZE {
        for values in block.chunks_exact(BYTES / 8) {
            all = _mm512_or_si512(all, raw_lanes::<T, 8>(values));
        }
        return _mm512_test_epi64_mask(all, _mm512_set1_epi64(!0 << (7 * SIZE))) == 0;
    }
    for values in block.chunks_exact(BYTES / SIZE) {
        all = _mm512_or_si512(all, raw_lanes::<T, SIZE>(values));
    }
    fits::<SIZE>(all)
}

/// Drops the bytes that are below `least`. Returns the others, and their number.
#[inline]
#[target_feature(enable = "avx512vbmi2,popcnt")]
pub(super) fn pack(bytes: __m512i, least: __m512i) -> (__m512i, usize) {
    let keep = _mm512_cmpge_epu8_mask(bytes, least);
    // Compress to a register: compressing to memory takes several times as long.
    (_mm512_maskz_compress_epi8(keep, bytes), keep.count_ones() as usize)
}

impl<const SIZE: usize> Groups<SIZE> {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn new() -> Self {
        // The first byte of a value is always kept, and the others are unless they are zero.
        let least = if SIZE == 8 { [0, 1, 1, 1, 1, 1, 1, 1] } else { [0, 1, 1, 1, 0, 1, 1, 1] };
        // Hidden from the compiler, which would otherwise compare a constant twice: once for the
        // mask and once for its number of bits.
        Self { least: splat_opaque(u64::from_le_bytes(least)) }
    }

    /// Returns the encoding of the lanes, and its length.
    #[inline]
    #[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,popcnt")]
    pub(super) fn encode(self, lanes: __m512i) -> (__m512i, usize) {
        let groups = spread::<SIZE>(lanes);
        pack(with_continuation::<SIZE>(groups, !0), self.least)
    }
}

/// Returns `value` in all lanes, as a variable for the compiler.
#[inline]
#[target_feature(enable = "avx512f")]
fn splat_opaque(value: u64) -> __m512i {
    _mm512_set1_epi64(core::hint::black_box(value) as i64)
}

/// Sets or clears the continuation bit of every byte of `groups`. Lanes that are not in `end`
/// continue after their last byte.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi2")]
pub(super) fn with_continuation<const SIZE: usize>(groups: __m512i, end: u8) -> __m512i {
    let continuation = continuation_bits();
    let ones = _mm512_set1_epi64(-1);
    // `above` has ones from the top of each lane down to its first set bit. After these n ones come
    // the continuation bits, shifted down by n. The first set bit is never bit 7 of its byte,
    // because the next byte then has it too, as bit 0. Therefore n is not a multiple of 8, and no
    // shifted bit is at the position of a continuation bit. The exception is a lane of zeros: n is
    // the width, which shifts by nothing, so that all continuation bits are in `above` and no byte
    // continues.
    let above = if SIZE == 8 {
        _mm512_maskz_shrdv_epi64(end, continuation, ones, _mm512_lzcnt_epi64(groups))
    } else {
        _mm512_shrdv_epi32(continuation, ones, _mm512_lzcnt_epi32(groups))
    };
    // continuation ? !above : groups
    _mm512_ternarylogic_epi64::<0x3a>(continuation, above, groups)
}
