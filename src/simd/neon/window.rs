//! Windows of 64 bytes of input: the mask of continuation bits, and the check for values that the
//! scalar loop must decode.

use core::arch::aarch64::*;

use crate::simd::lane::Lane;
use crate::simd::vector128::window::{READ, runs};

/// The bytes of a window, and their continuation bits.
pub(super) struct Window {
    bytes: [uint8x16_t; 4],
    /// A mask of the bytes whose continuation bit is set.
    pub(super) more: u64,
}

/// Loads 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn load16(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the load reads the 16 bytes of the array.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// Loads the 16 bytes from `start` on.
///
/// # Safety
///
/// `start` must be at most 64.
#[target_feature(enable = "neon")]
#[inline]
pub(super) unsafe fn load16_at(src: &[u8; READ], start: usize) -> uint8x16_t {
    debug_assert!(start <= READ - 16);
    // SAFETY: the load ends at most 64 + 16 bytes after the start of the array, which has 80.
    unsafe { vld1q_u8(src.as_ptr().add(start)) }
}

/// Returns the top bit of byte `k` in bit `k`.
#[target_feature(enable = "neon")]
#[inline]
fn mask(bytes: [uint8x16_t; 4]) -> u64 {
    // -2^k for bit k. With 2^k the compiler would see that no two addends share a bit and replace
    // the additions by ORs, for which there is no pairwise instruction.
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
        // SAFETY: all four offsets are at most 64.
        let bytes = [0, 16, 32, 48].map(|start| unsafe { load16_at(src, start) });
        Self { bytes, more: mask(bytes) }
    }

    /// Returns whether some value that starts at one of `starts` may be invalid, or overlong in a
    /// way that the vector code does not decode. False alarms are harmless, because the scalar loop
    /// decides then.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) fn is_suspicious<T: Lane>(&self, starts: u64, canonical: bool) -> bool {
        let last = (starts & runs(self.more, T::MAX_BYTES - 1)) << (T::MAX_BYTES - 1);
        (last != 0 && last & self.unfit::<T>() != 0) || (canonical && self.more << 1 & self.zeros() != 0)
    }

    /// Returns a mask of the bytes that cannot end a longest encoding of `T`.
    #[target_feature(enable = "neon")]
    #[inline]
    fn unfit<T: Lane>(&self) -> u64 {
        mask(self.bytes.map(|bytes| match T::LAST_MAX {
            // Zero is valid, although overlong. The vector code assumes that this bit is set.
            1 => vmvnq_u8(vceqq_u8(bytes, vdupq_n_u8(1))),
            max => vcgtq_u8(bytes, vdupq_n_u8(max)),
        }))
    }

    /// Returns a mask of the bytes that are zero.
    #[target_feature(enable = "neon")]
    #[inline]
    fn zeros(&self) -> u64 {
        mask(self.bytes.map(|bytes| vceqzq_u8(bytes)))
    }
}
