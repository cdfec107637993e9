//! Groups of 7 bits, one a byte, to whole integers and back: SWAR steps, each doubling the width of
//! the groups.

use core::arch::aarch64::*;

use super::window::{READ, load16_at};
use crate::scalar::word::CONTINUES;

/// The first eight bytes from `a` and from `b` on, then the ninth of each and what follows it.
///
/// # Safety
///
/// `a` and `b` must be at most 64.
#[target_feature(enable = "neon")]
#[inline]
pub(super) unsafe fn load2(src: &[u8; READ], a: usize, b: usize) -> (uint64x2_t, uint64x2_t) {
    // SAFETY: the caller's word for both.
    let [a, b] = [a, b].map(|start| vreinterpretq_u64_u8(unsafe { load16_at(src, start) }));
    (vzip1q_u64(a, b), vzip2q_u64(a, b))
}

/// Two groups in each 16 bits to one of 14. The last continuation bit comes along on top of it.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn squeeze2(x: uint16x8_t) -> uint16x8_t {
    vsliq_n_u16::<7>(x, vshrq_n_u16::<8>(x))
}

/// Four groups in each 32 bits to one of 28, and the last continuation bit.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn squeeze4(x: uint32x4_t) -> uint32x4_t {
    let x = vreinterpretq_u32_u16(squeeze2(vreinterpretq_u16_u32(x)));
    vsliq_n_u32::<14>(x, vshrq_n_u32::<16>(x))
}

/// Eight groups in each 64 bits to one of 56, and the last continuation bit.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn squeeze8(x: uint64x2_t) -> uint64x2_t {
    let x = vreinterpretq_u64_u32(squeeze4(vreinterpretq_u32_u64(x)));
    vsliq_n_u64::<28>(x, vshrq_n_u64::<32>(x))
}

/// The bytes up to the first without continuation bit, zeros behind; all four where there is none.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn cut4(x: uint32x4_t) -> uint32x4_t {
    // All bits below the first end are set. Those of later ends are left, but there `x` has none.
    let ends = vbicq_u32(vdupq_n_u32(CONTINUES as u32), x);
    vandq_u32(x, vaddq_u32(ends, vdupq_n_u32(!0)))
}

/// The same with eight bytes, and all bits set where none of them ends the value.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn cut8(x: uint64x2_t) -> (uint64x2_t, uint64x2_t) {
    let ends = vbicq_u64(vdupq_n_u64(CONTINUES), x);
    (vandq_u64(x, vaddq_u64(ends, vdupq_n_u64(!0))), vceqzq_u64(ends))
}

/// Low 56 bits with the ninth byte, in the low bits of its lane, on top.
///
/// Bit 63 is the ninth byte's continuation bit, and all that the tenth can say is the same.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn with_ninth(low: uint64x2_t, ninth: uint64x2_t) -> uint64x2_t {
    vsliq_n_u64::<56>(low, ninth)
}

/// Values below 2^14 to two groups each. The continuation bits are arbitrary.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn spread2(x: uint16x8_t) -> uint16x8_t {
    vsliq_n_u16::<8>(x, vshrq_n_u16::<7>(x))
}

/// Values below 2^28 to four groups each. The continuation bits are arbitrary, but never above the
/// topmost group in use.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn spread4(x: uint32x4_t) -> uint32x4_t {
    let x = vsliq_n_u32::<16>(x, vshrq_n_u32::<14>(x));
    vreinterpretq_u32_u16(spread2(vreinterpretq_u16_u32(x)))
}
