//! Counts values, computes lengths and differences, and adds differences up.

use core::arch::x86_64::*;

use super::encode::BY_LEADING_ZEROS;
use crate::scalar::{delta, slice};
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;

pub(super) use crate::scalar::slice::skip;

/// With fewer vectors than this, the scalar loop adds up faster.
const WORTHWHILE: usize = 4;

/// Returns a mask in which bit k is set if byte k ends a value.
#[inline]
#[target_feature(enable = "avx2")]
fn ends(bytes: &[u8; 32]) -> u64 {
    // SAFETY: the load reads the 32 bytes of the array.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    u64::from(!_mm256_movemask_epi8(bytes) as u32)
}

/// Returns the number of complete varints in `src`.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn count(src: &[u8]) -> usize {
    let (chunks, rest) = as_chunks(src);
    let count: usize = chunks.iter().map(|chunk| ends(chunk).count_ones() as usize).sum();
    count + slice::count(rest)
}

/// Returns the length of the encodings in bytes. No slice is so long that the sum overflows.
#[target_feature(enable = "lzcnt")]
pub(super) fn encoded_len<T: Lane>(src: &[T]) -> usize {
    let len = |value: &T| usize::from(BY_LEADING_ZEROS.len[value.to_wire().leading_zeros() as usize]);
    src.iter().map(len).sum()
}

/// Does the same as `scalar::delta::deltas`, whose loop the compiler vectorizes.
#[target_feature(enable = "avx2")]
pub(in crate::simd) fn deltas<T: Lane>(previous: &[T], src: &[T], deltas: &mut [T]) {
    delta::deltas(previous, src, deltas);
}

/// Does the same as `scalar::delta::add_up`. The sums within each vector are independent of the
/// other vectors. Only the addition of the sum so far waits for the vector before. Sums of several
/// components are left to the scalar loop, which the compiler vectorizes.
#[target_feature(enable = "avx2")]
pub(super) fn add_up<T: Lane>(previous: &[T], deltas: &mut [T]) {
    let lanes = 32 / size_of::<T>();
    let previous = match previous.first_chunk::<1>() {
        Some(one) if previous.len() == 1 && size_of::<T>() >= 4 && deltas.len() >= WORTHWHILE * lanes => one,
        _ => return delta::add_up(previous, deltas),
    };
    let (whole, rest) = deltas.split_at_mut(deltas.len() / lanes * lanes);
    let mut before = splat(previous[0]);
    for vector in whole.chunks_exact_mut(lanes) {
        // SAFETY: the chunk has the 32 bytes of a vector.
        let deltas = unsafe { _mm256_loadu_si256(vector.as_ptr().cast()) };
        let steps = if T::SIGNED { deltas } else { unzigzag::<T>(deltas) };
        let sums = sums::<T>(steps);
        // SAFETY: the chunk has the 32 bytes of a vector. `T` is an integer, for which all bytes
        // are valid.
        unsafe { _mm256_storeu_si256(vector.as_mut_ptr().cast(), add::<T>(sums, before)) };
        before = add::<T>(before, last::<T>(sums));
    }
    delta::add_up(whole.last_chunk().unwrap_or(previous), rest);
}

/// Returns `value` in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn splat<T: Lane>(value: T) -> __m256i {
    let values = [value; 8];
    // SAFETY: eight values of 4 or 8 bytes have the 32 bytes of a vector.
    unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
}

/// Returns in each lane the sum of that lane and all lanes before it.
#[inline]
#[target_feature(enable = "avx2")]
fn sums<T: Lane>(lanes: __m256i) -> __m256i {
    let zeros = _mm256_setzero_si256();
    // Sums within each half first. Then the sum of the lower half is added to the upper half.
    let (halves, lower) = if size_of::<T>() == 8 {
        let halves = _mm256_add_epi64(lanes, _mm256_slli_si256::<8>(lanes));
        (halves, _mm256_permute4x64_epi64::<0b01_01_01_01>(halves))
    } else {
        let twos = _mm256_add_epi32(lanes, _mm256_slli_si256::<4>(lanes));
        let halves = _mm256_add_epi32(twos, _mm256_slli_si256::<8>(twos));
        (halves, _mm256_permutevar8x32_epi32(halves, _mm256_set1_epi32(3)))
    };
    add::<T>(halves, _mm256_blend_epi32::<0b1111_0000>(zeros, lower))
}

/// Converts lanes from zigzag form to signed numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn unzigzag<T: Lane>(lanes: __m256i) -> __m256i {
    let zeros = _mm256_setzero_si256();
    if size_of::<T>() == 8 {
        let odd = _mm256_and_si256(lanes, _mm256_set1_epi64x(1));
        _mm256_xor_si256(_mm256_srli_epi64::<1>(lanes), _mm256_sub_epi64(zeros, odd))
    } else {
        let odd = _mm256_and_si256(lanes, _mm256_set1_epi32(1));
        _mm256_xor_si256(_mm256_srli_epi32::<1>(lanes), _mm256_sub_epi32(zeros, odd))
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add<T: Lane>(left: __m256i, right: __m256i) -> __m256i {
    if size_of::<T>() == 8 { _mm256_add_epi64(left, right) } else { _mm256_add_epi32(left, right) }
}

/// Returns the last lane in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn last<T: Lane>(lanes: __m256i) -> __m256i {
    if size_of::<T>() == 8 {
        _mm256_permute4x64_epi64::<0b11_11_11_11>(lanes)
    } else {
        _mm256_permutevar8x32_epi32(lanes, _mm256_set1_epi32(7))
    }
}
