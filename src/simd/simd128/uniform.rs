//! Decodes windows in which all values have one length, up to eight bytes, and whose positions are
//! therefore known.

use core::arch::wasm32::*;
use core::mem::MaybeUninit;

use super::groups::{squeeze2, squeeze4, squeeze8};
use super::lanes::{store2, store4, store8};
use super::window::{load16, load16_at};
use crate::simd::lane::Lane;
use crate::simd::vector128::tables::UNIFORM;
use crate::simd::vector128::window::READ;

/// Decodes 64 values of one byte each.
#[inline]
pub(super) fn ones<T: Lane>(src: &[u8; READ], dst: &mut [MaybeUninit<T>; 64]) {
    for (eight, slots) in dst.chunks_exact_mut(8).enumerate() {
        // SAFETY: `eight` is below eight, so that the load begins at offset 56 or before. There are
        // eight slots.
        unsafe {
            let x = u16x8_extend_low_u8x16(load16_at(src, 8 * eight));
            store8(slots.as_mut_ptr().cast::<T>(), [u32x4_extend_low_u16x8(x), u32x4_extend_high_u16x8(x)]);
        }
    }
}

/// Decodes `count` values of `len` bytes each, of which the first starts at `first`.
///
/// # Safety
///
/// Each of them must start within the stride of the window, and `dst` must be valid for writes of
/// `count` values and SPILL more.
#[inline]
pub(super) unsafe fn decode<T: Lane>(src: &[u8; READ], dst: *mut T, first: usize, count: usize, len: usize) {
    let start = |index| first + len * index;
    match len {
        2 => {
            for eight in (0..count).step_by(8) {
                // SAFETY: the load begins at the start of a value. `eight` is below `count`, and
                // SPILL is eight.
                unsafe {
                    let x = squeeze2(load16_at(src, start(eight)));
                    store8(dst.add(eight), [u32x4_extend_low_u16x8(x), u32x4_extend_high_u16x8(x)]);
                }
            }
        }
        3 | 4 => {
            let indices = load16(&UNIFORM[len]);
            for four in (0..count).step_by(4) {
                // SAFETY: the load begins at the start of a value. `four` is below `count`, and
                // SPILL is more than four.
                unsafe {
                    store4(dst.add(four), squeeze4(u8x16_swizzle(load16_at(src, start(four)), indices)))
                }
            }
        }
        _ => {
            let indices = load16(&UNIFORM[len]);
            for two in (0..count).step_by(2) {
                // SAFETY: the load begins at the start of a value. `two` is below `count`, and
                // SPILL is more than two.
                unsafe { store2(dst.add(two), squeeze8(u8x16_swizzle(load16_at(src, start(two)), indices))) }
            }
        }
    }
}
