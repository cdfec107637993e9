//! Windows of long values: each gathered from where it starts.

use core::arch::x86_64::*;

use super::lanes::Lane;
use super::squeeze::{squeeze_dwords, squeeze_qwords, store_dwords_wide, store_qwords};

/// Decodes the values that end in `window`, the first of which starts at `first`.
///
/// # Safety
///
/// REACH readable from window; first..; `out` has room for those values and SLACK more.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn sparse<T: Lane>(window: *const u8, first: *const u8, ends: u64, out: *mut T) {
    let count = ends.count_ones() as usize;
    let mut start = first;
    let mut ends = ends;
    let mut next = || {
        let this = start;
        start = unsafe { window.add(ends.trailing_zeros() as usize + 1) };
        ends &= ends.wrapping_sub(1);
        this
    };
    let mut done = 0;
    loop {
        unsafe {
            let to = out.add(done);
            if T::MAX_LEN > 5 {
                store_qwords(four([next(), next(), next(), next()]), to);
                store_qwords(four([next(), next(), next(), next()]), to.add(4));
            } else {
                eight([next(), next(), next(), next(), next(), next(), next(), next()], to);
            }
        }
        done += 8;
        if done >= count {
            break;
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn gather([a, b, c, d]: [*const u8; 4]) -> [__m256i; 2] {
    unsafe {
        let even = _mm256_loadu2_m128i(c.cast(), a.cast());
        let odd = _mm256_loadu2_m128i(d.cast(), b.cast());
        [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn groups(bytes: __m256i) -> [__m256i; 2] {
    let last = _mm256_andnot_si256(bytes, _mm256_set1_epi8(-128));
    let value = _mm256_xor_si256(last, _mm256_add_epi64(last, _mm256_set1_epi64x(-1)));
    [_mm256_and_si256(_mm256_and_si256(bytes, _mm256_set1_epi8(0x7f)), value), last]
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn four(starts: [*const u8; 4]) -> __m256i {
    let [low, high] = unsafe { gather(starts) };
    let [groups, last] = groups(low);
    let nine = _mm256_cmpeq_epi64(last, _mm256_setzero_si256());
    let ninth = _mm256_and_si256(_mm256_slli_epi64::<56>(high), nine);
    _mm256_or_si256(squeeze_qwords(groups), ninth)
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn eight<T: Lane>([a, b, c, d, e, f, g, h]: [*const u8; 8], to: *mut T) {
    let [[x, _], [y, _]] = unsafe { [gather([a, b, e, f]), gather([c, d, g, h])] };
    let [x, y] = [groups(x)[0], groups(y)[0]].map(|groups| squeeze_dwords(groups));
    unsafe { store_dwords_wide(x, y, to) }
}
