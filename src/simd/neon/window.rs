//! A window of input: 64 bytes, what starts where, and whether anything in it has to be left to the
//! scalar loop.

use core::arch::aarch64::*;

use crate::simd::lane::Lane;

/// Bytes that a window must have behind it in the input: loads of 16 bytes may begin anywhere in
/// its 64.
pub(super) const READ: usize = 80;

/// How far one window is from the next. The rest of its 64 bytes is there for the values that start
/// before that to end in.
pub(super) const fn stride<T: Lane>() -> usize {
    if T::MAX_BYTES <= 8 { 56 } else { 54 }
}

/// One bit for each of 64 bytes.
pub(super) struct Window {
    bytes: [uint8x16_t; 4],
    /// Bytes with a continuation bit.
    pub(super) more: u64,
}

#[target_feature(enable = "neon")]
#[inline]
pub(super) fn load16(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the array has the 16 bytes.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// The 16 bytes from `start` on.
///
/// # Safety
///
/// `start` must be at most 64.
#[target_feature(enable = "neon")]
#[inline]
pub(super) unsafe fn load16_at(src: &[u8; READ], start: usize) -> uint8x16_t {
    debug_assert!(start <= READ - 16);
    // SAFETY: 64 and 16 are the array's 80 bytes.
    unsafe { vld1q_u8(src.as_ptr().add(start)) }
}

/// Bit `k` is the top bit of byte `k`.
#[target_feature(enable = "neon")]
#[inline]
fn mask(bytes: [uint8x16_t; 4]) -> u64 {
    // -2^k for bit k. With 2^k the compiler sees that no two addends share a bit, prefers to OR
    // them, and then finds no single instruction for a pair.
    const BITS: [u8; 16] = [255, 254, 252, 248, 240, 224, 192, 128, 255, 254, 252, 248, 240, 224, 192, 128];
    let bits = load16(&BITS);
    let [a, b, c, d] = bytes.map(|bytes| vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(bytes)), bits));
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    let sums = vpadd_u8(vget_low_u8(sums), vget_high_u8(sums));
    vget_lane_u64::<0>(vreinterpret_u64_s8(vneg_s8(vreinterpret_s8_u8(sums))))
}

impl Window {
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn new(src: &[u8; READ]) -> Self {
        // SAFETY: all four are at most 64.
        let bytes = [0, 16, 32, 48].map(|start| unsafe { load16_at(src, start) });
        Self { bytes, more: mask(bytes) }
    }

    /// Whether some value that starts at one of `starts` might be in error, or is overlong in a way
    /// that the wide code does not decode. False alarms are harmless: the scalar loop has the last
    /// word.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn is_suspicious<T: Lane, const CANONICAL: bool>(&self, starts: u64) -> bool {
        let last = (starts & runs(self.more, T::MAX_BYTES - 1)) << (T::MAX_BYTES - 1);
        (last != 0 && last & self.unfit::<T>() != 0) || (CANONICAL && self.more << 1 & self.zeros() != 0)
    }

    /// Bytes that cannot end the longest encodings of `T`.
    #[target_feature(enable = "neon")]
    #[inline]
    fn unfit<T: Lane>(&self) -> u64 {
        mask(self.bytes.map(|bytes| match T::LAST_MAX {
            // Zero is legal, if overlong, but the wide code takes this bit as set.
            1 => vmvnq_u8(vceqq_u8(bytes, vdupq_n_u8(1))),
            max => vcgtq_u8(bytes, vdupq_n_u8(max)),
        }))
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn zeros(&self) -> u64 {
        mask(self.bytes.map(|bytes| vceqzq_u8(bytes)))
    }
}

/// Where runs of at least `len` set bits begin.
#[inline]
pub(super) const fn runs(bits: u64, len: usize) -> u64 {
    let (mut runs, mut have) = (bits, 1);
    while have < len {
        let step = if len - have < have { len - have } else { have };
        runs &= runs >> step;
        have += step;
    }
    runs
}
