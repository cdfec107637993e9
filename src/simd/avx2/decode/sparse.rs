//! Windows of long values: each is gathered from where it starts.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::squeeze::{squeeze_dwords, squeeze_qwords, store_pairs, store_qwords};
use super::window::{BURST, REACH, SLACK, WINDOW, Window};
use crate::error::Progress;
use crate::simd::lane::Lane;

/// Decodes a burst of windows at a fixed stride, so that no address waits for the window before.
/// The first value of a window may start before it.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn sparse<T: Lane, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
) -> Progress {
    let (rest, room) = (&src[from.bytes..], &mut dst[from.values..]);
    let Some(way) = rest.len().checked_sub(REACH) else { return from };
    let Some(free) = room.len().checked_sub(SLACK) else { return from };
    // Pointers, since indices with their slices do not all stay in registers.
    let (first, first_to) = (rest.as_ptr(), room.as_mut_ptr().cast::<T>());
    let (last, last_to) = (first.wrapping_add(way), first_to.wrapping_add(free));
    let (mut window, mut start, mut to) = (first, first, first_to);
    // SAFETY: REACH bytes can be read from `first` on.
    let mut next = unsafe { Window::load_from(window) };
    for _ in 0..(1 + way / WINDOW).min(BURST) {
        let this = next;
        // Loaded before this window's values are made, to hide the time until its mask is there.
        // SAFETY: REACH bytes can be read from `last` on.
        next = unsafe { Window::load_from(window.wrapping_add(WINDOW).min(last)) };
        let ends = this.ends();
        let behind = to.wrapping_add(ends.count_ones() as usize);
        if behind > last_to || this.is_suspicious::<T, CANONICAL>(window as usize - start as usize) {
            break;
        }
        // SAFETY: REACH bytes can be read from `window` on, which is not behind `last`. `start` is
        // at most the length of a value before it, and not before `first`. From `behind` on there
        // is room for SLACK more.
        unsafe { decode_window(window, start, ends, to) };
        to = behind;
        window = window.wrapping_add(WINDOW);
        start = window.wrapping_sub(ends.leading_zeros() as usize);
    }
    Progress {
        values: from.values + (to as usize - first_to as usize) / size_of::<T>(),
        bytes: from.bytes + (start as usize - first as usize),
    }
}

/// Decodes the values that end in a window, the first of which starts at `start`.
///
/// # Safety
///
/// REACH bytes can be read from `window` on, and those from `start` up to it. `out` has room for
/// the values and SLACK more.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
unsafe fn decode_window<T: Lane>(window: *const u8, start: *const u8, ends: u64, out: *mut T) {
    let mut start = start;
    let mut ends = ends;
    let values = ends.count_ones() as usize;
    let mut next = || {
        let this = start;
        // Where no end is left, that is the byte behind the window.
        start = window.wrapping_add(ends.trailing_zeros() as usize + 1);
        ends &= ends.wrapping_sub(1);
        this
    };
    let mut done = 0;
    loop {
        // SAFETY: 16 bytes can be read from each start, and up to seven values more than there are
        // may be stored.
        unsafe {
            let to = out.add(done);
            if T::MAX_BYTES > 5 {
                store_qwords(up_to_ten_bytes_each([next(), next(), next(), next()]), to);
                store_qwords(up_to_ten_bytes_each([next(), next(), next(), next()]), to.add(4));
            } else {
                let [a, b, c, d] = [next(), next(), next(), next()];
                let [e, f, g, h] = [next(), next(), next(), next()];
                store_pairs(up_to_five_bytes_each([a, b, e, f]), up_to_five_bytes_each([c, d, g, h]), to);
            }
        }
        done += 8;
        if done >= values {
            break;
        }
    }
}

/// Four values in qwords. A tenth byte, if any, is 1.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_ten_bytes_each(starts: [*const u8; 4]) -> __m256i {
    // SAFETY: the caller's.
    let [low, high] = unsafe { gather(starts) };
    let (groups, last) = groups(low);
    let nine = _mm256_cmpeq_epi64(last, _mm256_setzero_si256());
    let ninth = _mm256_and_si256(_mm256_slli_epi64::<56>(high), nine);
    _mm256_or_si256(squeeze_qwords(groups), ninth)
}

/// Four values in qwords, as 28 bits in the low dword and the rest in the high one.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_five_bytes_each(starts: [*const u8; 4]) -> __m256i {
    // SAFETY: the caller's.
    let [low, _] = unsafe { gather(starts) };
    squeeze_dwords(groups(low).0)
}

/// The first eight bytes from each start, and the eight after those, in qwords.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn gather([a, b, c, d]: [*const u8; 4]) -> [__m256i; 2] {
    // SAFETY: the caller's.
    let [even, odd] =
        unsafe { [_mm256_loadu2_m128i(c.cast(), a.cast()), _mm256_loadu2_m128i(d.cast(), b.cast())] };
    [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
}

/// The groups of the value at the start of each qword, and bit 7 of each byte that does not
/// continue.
#[inline]
#[target_feature(enable = "avx2")]
fn groups(bytes: __m256i) -> (__m256i, __m256i) {
    let last = _mm256_andnot_si256(bytes, _mm256_set1_epi8(-128));
    // All bits below the first of them.
    let below = _mm256_add_epi64(last, _mm256_set1_epi64x(-1));
    (_mm256_and_si256(_mm256_and_si256(bytes, _mm256_set1_epi8(0x7f)), below), last)
}
