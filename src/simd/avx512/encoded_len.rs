//! Computes encoded lengths by a table of leading zeros.

use core::arch::x86_64::*;

use super::vector::{BYTES, load, raw_lanes, splat};
use crate::simd::lane::Lane;

/// Returns a table by the number of leading zeros of a value of `SIZE` bytes. An entry is the
/// number of bytes by which its encoding is shorter than the longest one. Entry 0 is 0, so that the
/// zero bytes of a lane, besides the count of zeros, add nothing.
const fn savings<const SIZE: usize>() -> [u8; BYTES] {
    let bits = 8 * SIZE;
    let mut table = [0; BYTES];
    let mut zeros = 0;
    while zeros < bits {
        table[zeros] = (bits.div_ceil(7) - (bits - zeros).div_ceil(7)) as u8;
        zeros += 1;
    }
    table
}

#[target_feature(enable = "avx512cd,avx512dq,avx512vbmi,bmi2")]
pub(super) fn encoded_len<T: Lane>(src: &[T]) -> usize {
    if size_of::<T>() == 8 { sum::<T, 8>(src) } else { sum::<T, 4>(src) }
}

#[inline]
#[target_feature(enable = "avx512cd,avx512dq,avx512vbmi,bmi2")]
fn sum<T: Lane, const SIZE: usize>(src: &[T]) -> usize {
    /// The number of values in a sum, so small that no lane of 4 bytes overflows.
    const PART: usize = 1 << 24;
    let lanes = BYTES / SIZE;
    let longest = (8 * SIZE).div_ceil(7);
    let mut len = 0;
    for part in src.chunks(PART) {
        let mut saved = _mm512_setzero_si512();
        let mut vectors = part.chunks_exact(lanes);
        for values in &mut vectors {
            saved = add_savings::<T, SIZE>(saved, values);
        }
        let tail = vectors.remainder();
        if !tail.is_empty() {
            saved = add_savings::<T, SIZE>(saved, tail);
        }
        let saved = if SIZE == 8 {
            _mm512_reduce_add_epi64(saved) as usize
        } else {
            _mm512_reduce_add_epi32(saved) as u32 as usize
        };
        // A lane without a value holds a zero, which takes one byte.
        let absent = part.len().next_multiple_of(lanes) - part.len();
        len += (part.len() + absent) * longest - saved - absent;
    }
    len
}

#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,bmi2")]
fn add_savings<T: Lane, const SIZE: usize>(sum: __m512i, values: &[T]) -> __m512i {
    // `| 1` because zero takes a byte too.
    let raw = _mm512_or_si512(raw_lanes::<T, SIZE>(values), splat::<SIZE>(1));
    let zeros = if SIZE == 8 { _mm512_lzcnt_epi64(raw) } else { _mm512_lzcnt_epi32(raw) };
    let savings = _mm512_permutexvar_epi8(zeros, load(const { &savings::<SIZE>() }));
    if SIZE == 8 { _mm512_add_epi64(sum, savings) } else { _mm512_add_epi32(sum, savings) }
}
