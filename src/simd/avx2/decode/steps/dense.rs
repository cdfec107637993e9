//! Decodes windows of short values, eight bytes of input at a time, by a table of shuffles.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::at::At;
use super::squeeze::{squeeze_dwords, store_dwords};
use super::window::{BURST, REACH, SLACK, WINDOW, Window};
#[cfg(kernel = "avx512")]
use crate::error::Progress;
use crate::scalar::word::GROUPS;
use crate::simd::lane::Lane;
use crate::simd::shuffles::UNPACK;

/// Decodes up to [`BURST`] windows that each begin with a value.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in super::super) fn dense<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: At,
    canonical: bool,
) -> At {
    let mut dense = Dense { at: from, next: Next::load(src, from.bytes) };
    for _ in 0..BURST {
        if !dense.step(src, dst, canonical) {
            break;
        }
    }
    dense.at
}

/// Does the same for the decoder of AVX-512, whose position is `done`.
#[cfg(kernel = "avx512")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) fn dense_from<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    done: &mut Progress,
    canonical: bool,
) {
    let Progress { values, bytes } = *done;
    let At { values, bytes } = dense(src, dst, At { values, bytes }, canonical);
    *done = Progress { values, bytes };
}

/// The state between two windows.
#[repr(C)]
struct Dense<'a> {
    at: At,
    /// What begins at `at`, if a whole window and the bytes that it reads are left.
    next: Option<Next<'a>>,
}

/// A window that is not decoded yet, and the bytes that it begins.
#[derive(Clone, Copy)]
#[repr(C)]
struct Next<'a> {
    bytes: &'a [u8; REACH],
    window: Window,
}

impl<'a> Next<'a> {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(src: &'a [u8], at: usize) -> Option<Self> {
        src[at..].first_chunk().map(|bytes| Self { bytes, window: Window::load(bytes) })
    }
}

impl<'a> Dense<'a> {
    /// Decodes one window, and returns whether it did.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step<T: Lane>(&mut self, src: &'a [u8], dst: &mut [MaybeUninit<T>], canonical: bool) -> bool {
        let Some(Next { bytes, window }) = self.next else { return false };
        let at = self.at;
        let ends = window.ends();
        let values = ends.count_ones() as usize;
        let end = at.bytes + WINDOW - ends.leading_zeros() as usize;
        // Load the next window before decoding this one, to hide the latency of its mask.
        self.next = Next::load(src, end);
        if values + SLACK > dst.len() - at.values {
            return false;
        }
        // SAFETY: `dst` has space for the values and SLACK more.
        let done =
            unsafe { decode_window(window, bytes, dst.as_mut_ptr().add(at.values).cast::<T>(), canonical) };
        if done {
            self.at = At { values: at.values + values, bytes: end };
        }
        done
    }
}

/// Decodes the values that end in a window which begins with a value. Returns false, and writes
/// nothing, if the window is suspicious.
///
/// # Safety
///
/// `out` has space for those values and [`SLACK`] more.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn decode_window<T: Lane>(window: Window, bytes: &[u8; REACH], out: *mut T, canonical: bool) -> bool {
    if window.is_suspicious::<T>(canonical) {
        return false;
    }
    let ends = window.ends();
    let starts = ends << 1 | 1;
    let mut to = out;
    for group in 0..WINDOW / 8 {
        let starts = (starts >> (8 * group)) as u8;
        let groups = up_to_four_bytes_each(bytes[8 * group..].first_chunk(), starts);
        // SAFETY: `to` advances by the number of values that start in the window, at most one more
        // than end there. SLACK covers that one and the eight slots of the last store.
        unsafe {
            store_dwords(squeeze_dwords(groups), to);
            to = to.add(starts.count_ones() as usize);
        }
    }
    if T::MAX_BYTES > 4 {
        let continues = !ends;
        let two = continues & continues >> 1;
        let four = two & two >> 2;
        let mut long = four & starts & u64::MAX.checked_shr(ends.leading_zeros()).unwrap_or(0);
        // If there is no long value, one iteration writes to a slot after the values. A branch that
        // cannot be predicted would cost more.
        loop {
            // SAFETY: the same.
            unsafe { one_long(bytes, starts, long, out) };
            long &= long.wrapping_sub(1);
            if long == 0 {
                break;
            }
        }
    }
    true
}

/// Writes the value that starts at the lowest bit of `long` again.
///
/// # Safety
///
/// `out` has space for the values that start in the window, and one more.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn one_long<T: Lane>(bytes: &[u8; REACH], starts: u64, long: u64, out: *mut T) {
    let start = long.trailing_zeros();
    let value = _bzhi_u64(starts, start).count_ones() as usize;
    // SAFETY: `value` is at most the number of values that start in the window, which is
    // at most one more than end there. SLACK covers these slots.
    unsafe { out.add(value).write(long_value(bytes, start as usize)) };
}

/// Returns the groups of the values that start in the first eight bytes, one value to a dword. For
/// values of more than four bytes, these are the groups of the first four.
#[inline]
#[target_feature(enable = "avx2")]
fn up_to_four_bytes_each(bytes: Option<&[u8; 16]>, starts: u8) -> __m256i {
    let bytes = bytes.unwrap_or(&[0; 16]);
    // SAFETY: the loads read the 16 bytes of `bytes` and the 32 of a row of the table, which is
    // aligned to 32.
    let spread = unsafe {
        let bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()));
        _mm256_shuffle_epi8(bytes, _mm256_load_si256(UNPACK.0[usize::from(starts)].as_ptr().cast()))
    };
    // Bit 7 of each last byte. Subtracting one sets all bits below the first of them.
    let last = _mm256_andnot_si256(spread, _mm256_set1_epi8(-128));
    let below = _mm256_add_epi32(last, _mm256_set1_epi32(-1));
    _mm256_and_si256(_mm256_and_si256(spread, _mm256_set1_epi8(0x7f)), below)
}

/// Decodes a value of any length. Its tenth byte, if there is one, must be 1.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn long_value<T: Lane>(bytes: &[u8; REACH], start: usize) -> T {
    let eight = eight_bytes(bytes, start);
    let last = !eight & !GROUPS;
    let mut wire = _pext_u64(eight, GROUPS & (last ^ last.wrapping_sub(1)));
    if T::MAX_BYTES > 8 {
        let ninth = if last == 0 { 0xff << 56 } else { 0 };
        wire |= eight_bytes(bytes, start + 1) & ninth;
    }
    T::from_wire(wire)
}

#[inline]
fn eight_bytes(bytes: &[u8; REACH], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight))
}
