//! Decodes windows of 64 bytes. The mask of ends gives the position and the length of each value.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::window_check::{any_overlong, is_suspicious, last_bits, last_mask};
use crate::error::{BulkError, Progress};
use crate::scalar::word::GROUPS_BY_LEN;
use crate::simd::arrays::as_chunks;
use crate::simd::end_mask::{WINDOW, ends_in};
use crate::simd::lane::Lane;
use crate::simd::scalar;

/// The number of bytes that must be readable from the start of a window on. A value may start with
/// the last byte of the window, and is read as if it were long.
const REACH: usize = WINDOW + 8;
/// The number of values that the scalar loop decodes when a window is suspicious.
const SCALAR_RUN: usize = 16;

/// By length, the bits of bytes two to nine that belong to the value and are not in the first eight
/// bytes.
static NINTH_BY_LEN: [u64; 16] = {
    let mut table = [0; 16];
    table[9] = 0xff << 56;
    table[10] = 0xff << 56;
    table
};

/// Decodes until `src` is exhausted or `dst` is full.
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    canonical: bool,
) -> Result<Progress, BulkError> {
    let mut at = Progress::default();
    while at.values < dst.len() {
        let Some(bytes) = src[at.bytes..].first_chunk() else { break };
        let window = bytes.first_chunk().unwrap_or(&[0; WINDOW]);
        let ends = ends_in(window);
        let values = ends.count_ones() as usize;
        let Some(slots) = dst[at.values..].get_mut(..values) else { break };
        if suspicious::<T>(window, ends, canonical) {
            let limit = dst.len().min(at.values + SCALAR_RUN);
            at = scalar::decode(src, &mut dst[..limit], at, canonical)?;
            continue;
        }
        if ends == u64::MAX {
            for (slot, byte) in slots.iter_mut().zip(window) {
                slot.write(T::from_wire(u64::from(*byte)));
            }
        } else {
            decode_window(bytes, ends, slots);
        }
        at =
            Progress { values: at.values + values, bytes: at.bytes + WINDOW - ends.leading_zeros() as usize };
    }
    scalar::decode(src, dst, at, canonical)
}

/// Returns whether the scalar loop must decode this window.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
fn suspicious<T: Lane>(window: &[u8; WINDOW], ends: u64, canonical: bool) -> bool {
    // SAFETY: every x86-64 CPU has SSE2.
    let equal = |bytes, byte: u8| unsafe { _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)) };
    // SAFETY: every x86-64 CPU has SSE2.
    let last = |bytes| unsafe { _mm_and_si128(bytes, _mm_set1_epi8(last_mask::<T>() as i8)) };
    let fit = mask(window, |bytes| equal(last(bytes), last_bits::<T>()));
    is_suspicious::<T>(!ends, 0, fit)
        || canonical && any_overlong(!ends, 0, mask(window, |bytes| equal(bytes, 0)))
}

/// Applies `test` to 16 bytes at a time, and returns the top bits of the results.
#[inline]
fn mask(bytes: &[u8; WINDOW], test: impl Fn(__m128i) -> __m128i) -> u64 {
    let mut mask = 0;
    for (index, bytes) in as_chunks::<_, 16>(bytes).0.iter().enumerate() {
        // SAFETY: the load reads the 16 bytes of the array, and every x86-64 CPU has SSE2.
        let bits = unsafe { _mm_movemask_epi8(test(_mm_loadu_si128(bytes.as_ptr().cast()))) };
        mask |= (bits as u64) << (16 * index);
    }
    mask
}

/// Decodes the values that end in a window, one for each slot.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn decode_window<T: Lane>(bytes: &[u8; REACH], ends: u64, slots: &mut [MaybeUninit<T>]) {
    let mut next = Next { start: 0, ends };
    for slot in slots {
        next.turn(bytes, slot);
    }
}

/// Where the next value of a window starts, and the ends that are left.
#[repr(C)]
struct Next {
    start: usize,
    ends: u64,
}

impl Next {
    /// Decodes the next value.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "bmi1,bmi2")]
    fn turn<T: Lane>(&mut self, bytes: &[u8; REACH], slot: &mut MaybeUninit<T>) {
        let end = self.ends.trailing_zeros() as usize + 1;
        self.ends &= self.ends.wrapping_sub(1);
        let len = (end - self.start) % 16;
        let mut wire = _pext_u64(eight_bytes(bytes, self.start), GROUPS_BY_LEN[len]);
        if T::MAX_BYTES > 8 {
            wire |= eight_bytes(bytes, self.start + 1) & NINTH_BY_LEN[len];
        }
        slot.write(T::from_wire(wire));
        self.start = end % WINDOW;
    }
}

/// Returns the eight bytes from `at` on, which is at most `WINDOW`.
#[inline(always)]
fn eight_bytes(bytes: &[u8; REACH], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight))
}
