//! Joins groups of 7 bits, one in each byte, to integers, and spreads them again. Each step doubles
//! or halves the width of the groups.

use core::arch::wasm32::*;

use super::window::load16_at;
use crate::scalar::word::CONTINUES;
use crate::simd::vector128::window::READ;

/// Loads the first eight bytes from `a` and from `b` on, and the eight after those of each.
///
/// # Safety
///
/// `a` and `b` must be at most 64.
#[inline]
pub(super) unsafe fn load2(src: &[u8; READ], a: usize, b: usize) -> (v128, v128) {
    // SAFETY: the caller ensures that both are at most 64.
    let [a, b] = [a, b].map(|start| unsafe { load16_at(src, start) });
    (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b))
}

/// Joins two groups in each 16 bits to one of 14. Continuation bits are ignored.
#[inline]
pub(super) fn squeeze2(x: v128) -> v128 {
    let high = u16x8_shr(v128_and(x, u16x8_splat(0x7f00)), 1);
    v128_or(v128_and(x, u16x8_splat(0x7f)), high)
}

/// Joins four groups in each 32 bits to one of 28. Continuation bits are ignored.
#[inline]
pub(super) fn squeeze4(x: v128) -> v128 {
    // The sum of the lower 14 bits and 2^14 times the upper ones.
    i32x4_dot_i16x8(squeeze2(x), u32x4_splat(1 << 30 | 1))
}

/// Joins eight groups in each 64 bits to one of 56. Continuation bits are ignored.
#[inline]
pub(super) fn squeeze8(x: v128) -> v128 {
    let x = squeeze4(x);
    let high = v128_and(u64x2_shr(x, 4), u64x2_splat(0x00ff_ffff_f000_0000));
    v128_or(v128_and(x, u64x2_splat(0x0fff_ffff)), high)
}

/// Clears the bytes after the first one without continuation bit. If there is none, all four stay.
#[inline]
pub(super) fn cut4(x: v128) -> v128 {
    // The subtraction sets all bits below the first end. The bits of later ends remain set, but
    // these bits are clear in `x`.
    let ends = v128_andnot(u64x2_splat(CONTINUES), x);
    v128_and(x, i32x4_sub(ends, i32x4_splat(1)))
}

/// Does the same with eight bytes. The second result has all bits of a lane set if none of its
/// bytes ends the value.
#[inline]
pub(super) fn cut8(x: v128) -> (v128, v128) {
    let ends = v128_andnot(u64x2_splat(CONTINUES), x);
    (v128_and(x, i64x2_sub(ends, i64x2_splat(1))), i64x2_eq(ends, i64x2_splat(0)))
}

/// Inserts the ninth byte, which is in the low bits of its lane, above the low 56 bits. The bits
/// above those must be clear.
///
/// Bit 63 is the continuation bit of the ninth byte. A tenth byte can only repeat it.
#[inline]
pub(super) fn with_ninth(low: v128, ninth: v128) -> v128 {
    v128_or(low, i64x2_shl(ninth, 56))
}

/// Spreads values below 2^14 to two groups each, without continuation bits.
#[inline]
pub(super) fn spread2(x: v128) -> v128 {
    // Adding the upper group moves it up by one bit.
    i16x8_add(x, v128_and(x, u16x8_splat(0x3f80)))
}

/// Spreads values below 2^28 to four groups each, without continuation bits.
#[inline]
pub(super) fn spread4(x: v128) -> v128 {
    let high = i32x4_shl(v128_and(x, u32x4_splat(0x0fff_c000)), 2);
    spread2(v128_or(v128_and(x, u32x4_splat(0x3fff)), high))
}
