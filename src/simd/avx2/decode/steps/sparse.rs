//! Decodes windows of long values: each is loaded from where it starts.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::at::At;
use super::squeeze::{squeeze_dwords, squeeze_qwords, store_pairs, store_qwords};
use super::window::{BURST, REACH, SLACK, WINDOW, Window};
use crate::simd::lane::Lane;

/// Decodes up to [`BURST`] windows at a fixed stride, so that no load address depends on the window
/// before. The first value of a window may start before it.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in super::super) fn sparse<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: At,
    canonical: bool,
) -> At {
    let (rest, slots) = (&src[from.bytes..], &mut dst[from.values..]);
    let Some(last_offset) = rest.len().checked_sub(REACH) else { return from };
    let Some(last_slot) = slots.len().checked_sub(SLACK) else { return from };
    // Pointers, because indices together with their slices do not all stay in registers.
    let (first, first_to) = (rest.as_ptr(), slots.as_mut_ptr().cast::<T>());
    let (last, last_to) = (first.wrapping_add(last_offset), first_to.wrapping_add(last_slot));
    // SAFETY: REACH bytes can be read from `first` on.
    let next = unsafe { Window::load_from(first) };
    let mut sparse = Sparse { window: first, start: first, to: first_to, next };
    for _ in 0..(1 + last_offset / WINDOW).min(BURST) {
        // SAFETY: REACH bytes can be read from `last` on, which the window is not after. There are
        // SLACK slots from `last_to` on.
        if !unsafe { sparse.step(last, last_to, canonical) } {
            break;
        }
    }
    At {
        values: from.values + (sparse.to as usize - first_to as usize) / size_of::<T>(),
        bytes: from.bytes + (sparse.start as usize - first as usize),
    }
}

/// The state between two windows.
#[repr(C)]
struct Sparse<T> {
    window: *const u8,
    /// Where the first value that ends in the window starts.
    start: *const u8,
    to: *mut T,
    /// The bytes at `window`.
    next: Window,
}

impl<T: Lane> Sparse<T> {
    /// Decodes one window, and returns whether it did.
    ///
    /// # Safety
    ///
    /// REACH bytes can be read from the window and from `last` on, and no value that ends in the
    /// window starts before the slice. There are SLACK slots from `last_to` on.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn step(&mut self, last: *const u8, last_to: *mut T, canonical: bool) -> bool {
        let Self { window, start, to, next: this } = *self;
        let next = window.wrapping_add(WINDOW);
        // Load the next window before decoding this one, to hide the latency of its mask.
        // SAFETY: REACH bytes can be read from `last` on.
        self.next = unsafe { Window::load_from(next.min(last)) };
        let ends = this.ends();
        let end = to.wrapping_add(ends.count_ones() as usize);
        if end > last_to || this.is_suspicious::<T>(window as usize - start as usize, canonical) {
            return false;
        }
        // SAFETY: the caller ensures it for the bytes, and `end` is not after `last_to`.
        unsafe { decode_window(window, start, ends, to) };
        self.to = end;
        self.window = next;
        self.start = next.wrapping_sub(ends.leading_zeros() as usize);
        true
    }
}

/// Decodes the values that end in a window. The first of them starts at `start`.
///
/// # Safety
///
/// REACH bytes can be read from `window` on, and all bytes from `start` up to it. `out` has space
/// for the values and SLACK more.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,bmi1,popcnt")]
unsafe fn decode_window<T: Lane>(window: *const u8, start: *const u8, ends: u64, out: *mut T) {
    let mut state = Next { start, ends };
    let values = ends.count_ones() as usize;
    let mut done = 0;
    loop {
        // SAFETY: 16 bytes can be read from each start. The stores write at most seven slots after
        // the last value, which SLACK covers.
        unsafe { turn(&mut state, window, out.add(done)) };
        done += 8;
        if done >= values {
            break;
        }
    }
}

/// Where the next value of a window starts, and the ends that are left.
#[repr(C)]
struct Next {
    start: *const u8,
    ends: u64,
}

/// Decodes eight values.
///
/// # Safety
///
/// 16 bytes can be read from each start, and `to` has space for eight values.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,bmi1,popcnt")]
unsafe fn turn<T: Lane>(state: &mut Next, window: *const u8, to: *mut T) {
    let mut next = || {
        let this = state.start;
        // If no end is left, this is `WINDOW + 1`, from which REACH leaves 16 bytes to read.
        state.start = window.wrapping_add(state.ends.trailing_zeros() as usize + 1);
        state.ends &= state.ends.wrapping_sub(1);
        this
    };
    // SAFETY: the caller ensures it.
    unsafe {
        if T::MAX_BYTES > 5 {
            store_qwords(up_to_ten_bytes_each([next(), next(), next(), next()]), to);
            store_qwords(up_to_ten_bytes_each([next(), next(), next(), next()]), to.add(4));
        } else {
            let [a, b, c, d] = [next(), next(), next(), next()];
            let [e, f, g, h] = [next(), next(), next(), next()];
            let (x, y) = (up_to_five_bytes_each([a, b, e, f]), up_to_five_bytes_each([c, d, g, h]));
            store_pairs(x, y, to);
        }
    }
}

/// Decodes four values to qwords. A tenth byte, if there is one, must be 1.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_ten_bytes_each(starts: [*const u8; 4]) -> __m256i {
    // SAFETY: the caller ensures that 16 bytes can be read from each start.
    let [low, high] = unsafe { gather(starts) };
    let (groups, last) = groups(low);
    let nine = _mm256_cmpeq_epi64(last, _mm256_setzero_si256());
    let ninth = _mm256_and_si256(_mm256_slli_epi64::<56>(high), nine);
    _mm256_or_si256(squeeze_qwords(groups), ninth)
}

/// Decodes four values to qwords, with 28 bits in the low dword and the rest in the high one.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_five_bytes_each(starts: [*const u8; 4]) -> __m256i {
    // SAFETY: the caller ensures that 16 bytes can be read from each start.
    let [low, _] = unsafe { gather(starts) };
    squeeze_dwords(groups(low).0)
}

/// Returns the first eight bytes from each start, and the eight after those, in qwords.
///
/// # Safety
///
/// 16 bytes can be read from each start.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn gather([a, b, c, d]: [*const u8; 4]) -> [__m256i; 2] {
    // SAFETY: the caller ensures that 16 bytes can be read from each start.
    let [even, odd] =
        unsafe { [_mm256_loadu2_m128i(c.cast(), a.cast()), _mm256_loadu2_m128i(d.cast(), b.cast())] };
    [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
}

/// Returns the groups of the value at the start of each qword, and bit 7 of each byte that ends a
/// value.
#[inline]
#[target_feature(enable = "avx2")]
fn groups(bytes: __m256i) -> (__m256i, __m256i) {
    let last = _mm256_andnot_si256(bytes, _mm256_set1_epi8(-128));
    // All bits below the first of these bits.
    let below = _mm256_add_epi64(last, _mm256_set1_epi64x(-1));
    (_mm256_and_si256(_mm256_and_si256(bytes, _mm256_set1_epi8(0x7f)), below), last)
}
