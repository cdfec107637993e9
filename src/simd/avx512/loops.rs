//! Counts and skips values, and adds differences up.

use core::arch::x86_64::*;

use super::vector::{BYTES, lane_count, load_front, low_bits, splat, store_front, unzigzag};
use crate::error::{DecodeError, ErrorKind};
use crate::scalar::delta;
use crate::simd::lane::Lane;

pub(super) use super::encoded_len::encoded_len;
pub(super) use crate::simd::avx2::deltas;

/// With fewer vectors than this, the scalar loop adds up faster.
const WORTHWHILE: usize = 4;

/// Returns a mask in which bit k is set if byte k ends a value. There are at most 64 bytes.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn ends(bytes: &[u8]) -> u64 {
    !_mm512_movepi8_mask(load_front(bytes)) & low_bits(bytes.len())
}

/// Returns the number of complete varints in `src`.
#[target_feature(enable = "avx512bw,bmi2,popcnt")]
pub(super) fn count(src: &[u8]) -> usize {
    let chunks = src.chunks_exact(BYTES);
    let count = ends(chunks.remainder()).count_ones() as usize;
    count + chunks.map(|chunk| ends(chunk).count_ones() as usize).sum::<usize>()
}

/// Returns the length of the first `n` varints in bytes.
#[target_feature(enable = "avx512bw,bmi1,bmi2,popcnt")]
pub(super) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    let Some(mut before) = n.checked_sub(1) else { return Ok(0) };
    for (index, chunk) in src.chunks(BYTES).enumerate() {
        let ends = ends(chunk);
        let count = ends.count_ones() as usize;
        if before < count {
            let last = _pdep_u64(1 << before, ends).trailing_zeros() as usize;
            return Ok(BYTES * index + last + 1);
        }
        before -= count;
    }
    Err(DecodeError::new(ErrorKind::Truncated, src.len()))
}

/// Does the same as `scalar::delta::add_up`. The sums within each vector are independent of the
/// other vectors. Only the addition of the sum so far waits for the vector before. Sums of several
/// components are left to the scalar loop, which the compiler vectorizes.
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn add_up<T: Lane>(previous: &[T], deltas: &mut [T]) {
    let lanes = lane_count::<T>();
    let previous = match previous.first_chunk::<1>() {
        Some(one) if previous.len() == 1 && size_of::<T>() >= 4 && deltas.len() >= WORTHWHILE * lanes => one,
        _ => return delta::add_up(previous, deltas),
    };
    let (whole, rest) = deltas.split_at_mut(deltas.len() / lanes * lanes);
    let mut before = lane::<T>(load_front(previous), 0);
    for vector in whole.chunks_exact_mut(lanes) {
        let deltas = load_front(vector);
        let steps = if T::SIGNED { deltas } else { unzigzag::<T>(deltas) };
        let sums = sums::<T>(steps);
        store_front(vector, add::<T>(sums, before));
        before = add::<T>(before, lane::<T>(sums, lanes - 1));
    }
    delta::add_up(whole.last_chunk().unwrap_or(previous), rest);
}

/// Returns in each lane the sum of that lane and all lanes before it.
#[inline]
#[target_feature(enable = "avx512bw")]
fn sums<T: Lane>(lanes: __m512i) -> __m512i {
    // Sums of two, four, eight and sixteen lanes. Each step adds the sums so far, moved up by one,
    // two, four or eight lanes, with zeros moved in.
    let zeros = _mm512_setzero_si512();
    if size_of::<T>() == 8 {
        let twos = _mm512_add_epi64(lanes, _mm512_alignr_epi64::<7>(lanes, zeros));
        let fours = _mm512_add_epi64(twos, _mm512_alignr_epi64::<6>(twos, zeros));
        _mm512_add_epi64(fours, _mm512_alignr_epi64::<4>(fours, zeros))
    } else {
        let twos = _mm512_add_epi32(lanes, _mm512_alignr_epi32::<15>(lanes, zeros));
        let fours = _mm512_add_epi32(twos, _mm512_alignr_epi32::<14>(twos, zeros));
        let eights = _mm512_add_epi32(fours, _mm512_alignr_epi32::<12>(fours, zeros));
        _mm512_add_epi32(eights, _mm512_alignr_epi32::<8>(eights, zeros))
    }
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn add<T: Lane>(left: __m512i, right: __m512i) -> __m512i {
    if size_of::<T>() == 8 { _mm512_add_epi64(left, right) } else { _mm512_add_epi32(left, right) }
}

/// Returns the lane at `index` in all lanes.
#[inline]
#[target_feature(enable = "avx512bw")]
fn lane<T: Lane>(lanes: __m512i, index: usize) -> __m512i {
    if size_of::<T>() == 8 {
        _mm512_permutexvar_epi64(splat::<8>(index as u64), lanes)
    } else {
        _mm512_permutexvar_epi32(splat::<4>(index as u64), lanes)
    }
}
