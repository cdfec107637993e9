//! Computes encoded lengths by a table of leading zeros.

use core::arch::x86_64::*;

use super::vector::{BYTES, load, splat, widened_values};
use crate::simd::lane::Lane;

/// Returns a table by the number of leading zeros of a lane of [`magnitudes`]. An entry is the number
/// of bytes by which the encoding of the value is shorter than the longest one. Entry 0 is 0, so that
/// the zero bytes of a lane, besides the count of zeros, add nothing.
const fn savings<T: Lane, const SIZE: usize>() -> [u8; BYTES] {
    let bits = 8 * SIZE;
    let mut table = [0; BYTES];
    let mut zeros = 1;
    while zeros < BYTES && zeros <= bits {
        // The zigzag form has one bit more than the magnitude. Zero takes a byte too.
        let encoded_bits = bits - zeros + T::SIGNED as usize;
        let len = if encoded_bits == 0 { 1 } else { encoded_bits.div_ceil(7) };
        table[zeros] = (bits.div_ceil(7) - len) as u8;
        zeros += 1;
    }
    table
}

#[target_feature(enable = "avx512bw,avx512cd,avx512dq,avx512vbmi,bmi2")]
pub(super) fn encoded_len<T: Lane>(src: &[T]) -> usize {
    if size_of::<T>() == 8 { sum::<T, 8>(src) } else { sum::<T, 4>(src) }
}

#[inline]
#[target_feature(enable = "avx512bw,avx512cd,avx512dq,avx512vbmi,bmi2")]
fn sum<T: Lane, const SIZE: usize>(src: &[T]) -> usize {
    let lanes = BYTES / SIZE;
    let longest = (8 * SIZE).div_ceil(7);
    let mut saved = _mm512_setzero_si512();
    let mut vectors = src.chunks_exact(lanes);
    for values in &mut vectors {
        saved = add_savings::<T, SIZE>(saved, values);
    }
    let tail = vectors.remainder();
    if !tail.is_empty() {
        saved = add_savings::<T, SIZE>(saved, tail);
    }
    // A lane without a value holds a zero, which takes one byte.
    let absent = src.len().next_multiple_of(lanes) - src.len();
    (src.len() + absent) * longest - _mm512_reduce_add_epi64(saved) as usize - absent
}

/// Adds the number of bytes that `values` save to the sum, which is in lanes of 8 bytes.
#[inline]
#[target_feature(enable = "avx512bw,avx512cd,avx512vbmi,bmi2")]
fn add_savings<T: Lane, const SIZE: usize>(sum: __m512i, values: &[T]) -> __m512i {
    let magnitudes = magnitudes::<T, SIZE>(values);
    let table = load(const { &savings::<T, SIZE>() });
    let savings = if SIZE == 8 {
        // The table has no entry 64. One has as many bytes as zero.
        let zeros = _mm512_lzcnt_epi64(_mm512_or_si512(magnitudes, splat::<8>(1)));
        _mm512_permutexvar_epi8(zeros, table)
    } else {
        let savings = _mm512_permutexvar_epi8(_mm512_lzcnt_epi32(magnitudes), table);
        _mm512_sad_epu8(savings, _mm512_setzero_si512())
    };
    _mm512_add_epi64(sum, savings)
}

/// Loads values to lanes of `SIZE` bytes. Negative ones are inverted.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn magnitudes<T: Lane, const SIZE: usize>(values: &[T]) -> __m512i {
    let lanes = widened_values::<T, SIZE>(values);
    match (T::SIGNED, SIZE) {
        (false, _) => lanes,
        (true, 8) => _mm512_xor_si512(lanes, _mm512_srai_epi64::<63>(lanes)),
        (true, _) => _mm512_xor_si512(lanes, _mm512_srai_epi32::<31>(lanes)),
    }
}
