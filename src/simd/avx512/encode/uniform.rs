//! Encodes runs of values of one length. Neither lengths nor redundant bytes have to be found.

use core::arch::x86_64::*;

use super::super::vector::{BYTES, load, raw_lanes, splat};
use super::groups::{continuation_bits, spread};
use super::job::{BLOCK_VALUES, Job, NextLoop};
use crate::simd::lane::Lane;

/// Returns shuffles that move the bytes of values together. Entry n: for each byte of output, its
/// position in lanes of `SIZE` bytes, if values take n bytes.
const fn close_up<const SIZE: usize>() -> [[u8; BYTES]; 9] {
    let mut tables = [[0; BYTES]; 9];
    let mut len = 1;
    while len <= SIZE {
        let mut byte = 0;
        while byte < BYTES / SIZE * len {
            tables[len][byte] = (byte / len * SIZE + byte % len) as u8;
            byte += 1;
        }
        len += 1;
    }
    tables
}

/// Returns a shuffle for vectors that were shifted by one byte more each and then merged: for each
/// byte of output, its position.
const fn interleaved<const SIZE: usize>() -> [u8; BYTES] {
    let lanes = BYTES / SIZE;
    let mut table = [0; BYTES];
    let mut value = 0;
    while value < BYTES {
        table[value] = (value % lanes * SIZE + value / lanes) as u8;
        value += 1;
    }
    table
}

/// Encodes blocks of values of `len` bytes, which is at most `SIZE`.
#[inline]
#[target_feature(enable = "avx512vbmi,bmi2")]
pub(super) fn uniform<T: Lane, const SIZE: usize>(job: Job<'_, T>, len: usize) -> (Job<'_, T>, NextLoop) {
    if len == 1 { bytes::<T, SIZE>(job) } else { vectors::<T, SIZE>(job, len) }
}

#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn vectors<T: Lane, const SIZE: usize>(job: Job<'_, T>, len: usize) -> (Job<'_, T>, NextLoop) {
    // Rebinding lets LLVM keep the fields in registers (the by-value argument stays in memory).
    let mut job = Job { ..job };
    let shape = Shape::<SIZE> {
        close_up: load(&const { close_up::<SIZE>() }[len]),
        least: splat::<SIZE>(1 << (7 * (len - 1))),
        beyond: splat::<SIZE>(!0 << (7 * len)),
        more: _mm512_and_si512(continuation_bits(), splat::<SIZE>((1 << (8 * (len - 1))) - 1)),
        len,
    };
    while let Some(block) = job.src.first_chunk::<BLOCK_VALUES>() {
        if let Some(next) = shape.block(&mut job, block) {
            return (job, next);
        }
    }
    (job, NextLoop::Tail)
}

/// The constants for values of one length in lanes of `SIZE` bytes.
#[repr(C)]
struct Shape<const SIZE: usize> {
    close_up: __m512i,
    /// The least value.
    least: __m512i,
    /// The bits that no value has.
    beyond: __m512i,
    /// The continuation bits of all bytes but the last.
    more: __m512i,
    len: usize,
}

impl<const SIZE: usize> Shape<SIZE> {
    /// Encodes a block, unless a value has another length or there is no space. Then it returns the
    /// next loop.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx512vbmi,bmi2")]
    fn block<T: Lane>(&self, job: &mut Job<'_, T>, block: &[T; BLOCK_VALUES]) -> Option<NextLoop> {
        let lanes = BYTES / SIZE;
        // Subtracting `least` from a smaller value wraps around, and sets bits of `beyond`.
        let mut all = _mm512_setzero_si512();
        for values in block.chunks_exact(lanes) {
            let raw = raw_lanes::<T, SIZE>(values);
            let above =
                if SIZE == 8 { _mm512_sub_epi64(raw, self.least) } else { _mm512_sub_epi32(raw, self.least) };
            all = _mm512_ternarylogic_epi64::<0xfe>(all, raw, above);
        }
        if _mm512_test_epi64_mask(all, self.beyond) != 0 {
            return Some(NextLoop::Mixed);
        }
        for values in block.chunks_exact(lanes) {
            let groups = spread::<SIZE>(raw_lanes::<T, SIZE>(values));
            // continuation bit ? more : groups
            let bytes = _mm512_ternarylogic_epi64::<0xca>(continuation_bits(), self.more, groups);
            if job.put(lanes, _mm512_permutexvar_epi8(self.close_up, bytes), lanes * self.len).is_err() {
                return Some(NextLoop::Tail);
            }
        }
        None
    }
}

/// Encodes values of one byte, 64 at a time.
#[inline(never)]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn bytes<T: Lane, const SIZE: usize>(job: Job<'_, T>) -> (Job<'_, T>, NextLoop) {
    // Rebinding lets LLVM keep the fields in registers (the by-value argument stays in memory).
    let mut job = Job { ..job };
    let order = load(const { &interleaved::<SIZE>() });
    while let Some(block) = job.src.first_chunk::<BYTES>() {
        if let Some(next) = block_of_bytes::<T, SIZE>(&mut job, block, order) {
            return (job, next);
        }
    }
    (job, NextLoop::Mixed)
}

/// Encodes 64 values, unless one has more bytes or there is no space. Then it returns the next loop.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx512vbmi,bmi2")]
fn block_of_bytes<T: Lane, const SIZE: usize>(
    job: &mut Job<'_, T>,
    block: &[T; BYTES],
    order: __m512i,
) -> Option<NextLoop> {
    let mut all = _mm512_setzero_si512();
    let mut merged = _mm512_setzero_si512();
    for (place, values) in block.chunks_exact(BYTES / SIZE).enumerate() {
        let raw = raw_lanes::<T, SIZE>(values);
        all = _mm512_or_si512(all, raw);
        let shift = _mm_cvtsi64_si128(8 * place as i64);
        merged = _mm512_or_si512(merged, _mm512_sll_epi64(raw, shift));
    }
    if _mm512_test_epi64_mask(all, splat::<SIZE>(!0x7f)) != 0 {
        return Some(NextLoop::Mixed);
    }
    job.put(BYTES, _mm512_permutexvar_epi8(order, merged), BYTES).is_err().then_some(NextLoop::Tail)
}
