//! Encodes blocks of 64-bit values of which some take 9 or 10 bytes: a vector of input becomes two
//! vectors of output.

use core::arch::x86_64::*;

use super::super::vector::raw_lanes;
use super::groups::{pack, spread, with_continuation};
use super::job::{BLOCK, Job, NextLoop, NoSpace};
use crate::simd::lane::Lane;

/// Encodes a block of any values.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(super) fn some_long<T: Lane>(job: &mut Job<'_, T>, block: &[T; BLOCK]) -> Result<NextLoop, NoSpace> {
    for values in block.chunks_exact(8) {
        let [(low, low_len), (high, high_len)] = halves(raw_lanes::<T, 8>(values));
        job.put(4, low, low_len)?;
        job.put(4, high, high_len)?;
    }
    Ok(NextLoop::Mixed)
}

/// Returns the encodings of lanes 0 to 3 and of lanes 4 to 7, and their lengths.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn halves(lanes: __m512i) -> [(__m512i, usize); 2] {
    let short = _mm512_testn_epi64_mask(lanes, _mm512_set1_epi64(!0 << 56));
    let low = with_continuation::<8>(spread::<8>(lanes), short);
    // The ninth byte is the top byte of the lane, because bit 63 is its continuation bit. The tenth
    // byte is bit 63.
    let ninth = _mm512_srli_epi64::<56>(lanes);
    let tenth = _mm512_srli_epi64::<{ 63 - 8 }>(lanes);
    // ninth | tenth & 0x100
    let high = _mm512_ternarylogic_epi64::<0xf8>(ninth, tenth, _mm512_set1_epi64(1 << 8));
    // Each value takes 16 bytes: its first 8 bytes, then 8 with the ninth and the tenth.
    let least = _mm512_set4_epi32(0x0101_0101, 0x0101_0101, 0x0101_0101, 0x0101_0100);
    [
        pack(_mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), high), least),
        pack(_mm512_permutex2var_epi64(low, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), high), least),
    ]
}
