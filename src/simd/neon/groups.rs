//! Joins groups of 7 bits, one in each byte, to integers, and spreads them again. Each step doubles
//! or halves the width of the groups.

use core::arch::aarch64::*;

use super::window::load16_at;
use crate::scalar::word::CONTINUES;
use crate::simd::vector128::window::READ;

/// Loads the first eight bytes from `a` and from `b` on, and the eight after those of each.
///
/// # Safety
///
/// `a` and `b` must be at most 64.
#[target_feature(enable = "neon")]
#[inline]
pub(super) unsafe fn load2(src: &[u8; READ], a: usize, b: usize) -> (uint64x2_t, uint64x2_t) {
    // SAFETY: the caller ensures that both are at most 64.
    let [a, b] = [a, b].map(|start| vreinterpretq_u64_u8(unsafe { load16_at(src, start) }));
    (vzip1q_u64(a, b), vzip2q_u64(a, b))
}

/// Joins two groups in each 16 bits to one of 14. The last continuation bit is above it.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn squeeze2(x: uint16x8_t) -> uint16x8_t {
    vsliq_n_u16::<7>(x, vshrq_n_u16::<8>(x))
}

/// Joins four groups in each 32 bits to one of 28, with the last continuation bit above it.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn squeeze4(x: uint32x4_t) -> uint32x4_t {
    let x = vreinterpretq_u32_u16(squeeze2(vreinterpretq_u16_u32(x)));
    vsliq_n_u32::<14>(x, vshrq_n_u32::<16>(x))
}

/// Joins eight groups in each 64 bits to one of 56, with the last continuation bit above it.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn squeeze8(x: uint64x2_t) -> uint64x2_t {
    let x = vreinterpretq_u64_u32(squeeze4(vreinterpretq_u32_u64(x)));
    vsliq_n_u64::<28>(x, vshrq_n_u64::<32>(x))
}

/// Clears the bytes after the first one without continuation bit. If there is none, all four stay.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn cut4(x: uint32x4_t) -> uint32x4_t {
    // The subtraction sets all bits below the first end. The bits of later ends remain set, but
    // these bits are clear in `x`.
    let ends = vbicq_u32(vdupq_n_u32(CONTINUES as u32), x);
    vandq_u32(x, vaddq_u32(ends, vdupq_n_u32(!0)))
}

/// Does the same with eight bytes. The second result has all bits of a lane set if none of its
/// bytes ends the value.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn cut8(x: uint64x2_t) -> (uint64x2_t, uint64x2_t) {
    let ends = vbicq_u64(vdupq_n_u64(CONTINUES), x);
    (vandq_u64(x, vaddq_u64(ends, vdupq_n_u64(!0))), vceqzq_u64(ends))
}

/// Inserts the ninth byte, which is in the low bits of its lane, above the low 56 bits.
///
/// Bit 63 is the continuation bit of the ninth byte. A tenth byte can only repeat it.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn with_ninth(low: uint64x2_t, ninth: uint64x2_t) -> uint64x2_t {
    vsliq_n_u64::<56>(low, ninth)
}

/// Spreads values below 2^14 to two groups each. The continuation bits are arbitrary.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn spread2(x: uint16x8_t) -> uint16x8_t {
    vsliq_n_u16::<8>(x, vshrq_n_u16::<7>(x))
}

/// Spreads values below 2^28 to four groups each. The continuation bits are arbitrary, but those
/// above the topmost group in use are clear.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn spread4(x: uint32x4_t) -> uint32x4_t {
    let x = vsliq_n_u32::<16>(x, vshrq_n_u32::<14>(x));
    vreinterpretq_u32_u16(spread2(vreinterpretq_u16_u32(x)))
}
