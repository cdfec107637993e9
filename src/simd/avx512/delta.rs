//! Differences and their sums, a vector at a time.

use core::arch::x86_64::*;

use super::vector::{lane_count, load_front, splat, store_front, unzigzag};
use crate::scalar;
use crate::simd::lane::Lane;

/// With fewer vectors than this, the scalar loop is faster.
const WORTHWHILE: usize = 4;

/// Does the same as `scalar::delta::deltas`, whose loop the compiler vectorizes for AVX-512.
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(super) fn deltas<T: Lane>(previous: &[T], src: &[T], deltas: &mut [T]) {
    scalar::delta::deltas(previous, src, deltas);
}

/// Does the same as `scalar::delta::add_up`. The sums within each vector are independent of the
/// other vectors. Only the addition of the sum so far waits for the vector before. Sums of several
/// components are left to the scalar loop, which the compiler vectorizes.
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn add_up<T: Lane>(previous: &[T], deltas: &mut [T]) {
    let lanes = lane_count::<T>();
    let previous = match previous.first_chunk::<1>() {
        Some(one) if previous.len() == 1 && size_of::<T>() >= 4 && deltas.len() >= WORTHWHILE * lanes => one,
        _ => return scalar::delta::add_up(previous, deltas),
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
    scalar::delta::add_up(whole.last_chunk().unwrap_or(previous), rest);
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
