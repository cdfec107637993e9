//! Decodes windows in which all values have one length, up to eight bytes, and whose positions are
//! therefore known.

use core::mem::MaybeUninit;

use super::lanes::{store2, store4, store8};
use super::machine::Machine;
use super::tables::UNIFORM;
use super::window::{READ, load16, load16_at};
use crate::simd::lane::Lane;

/// Decodes a window of 64 values of one byte each, or of 32 values of two (`LEN`).
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
pub(super) fn whole<M: Machine, T: Lane, const LEN: usize>(
    machine: M,
    src: &[u8; READ],
    dst: &mut [MaybeUninit<T>; 64],
) {
    for (eight, slots) in dst.chunks_exact_mut(8).take(8 / LEN).enumerate() {
        // SAFETY: `8 * LEN * eight` is below 64. There are eight slots.
        unsafe {
            let x = load16_at(machine, src, 8 * LEN * eight);
            let x = if LEN == 1 { machine.widen8(x) } else { machine.squeeze2(x) };
            store8(machine, slots.as_mut_ptr().cast::<T>(), machine.widen16(x));
        }
    }
}

/// Decodes `count` values of `len` bytes each, of which the first starts at `first`.
///
/// # Safety
///
/// Each of them must start within the stride of the window, and `dst` must be valid for writes of
/// `count` values and SPILL more.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
pub(super) unsafe fn decode<M: Machine, T: Lane>(
    machine: M,
    src: &[u8; READ],
    dst: *mut T,
    first: usize,
    count: usize,
    len: usize,
) {
    // SAFETY: each index is below `count`, so that the load begins at the start of a value, and SPILL
    // covers the slots after that of the last value.
    unsafe {
        let load = |index| load16_at(machine, src, first + len * index);
        match len {
            2 => {
                for eight in (0..count).step_by(8) {
                    store8(machine, dst.add(eight), machine.widen16(machine.squeeze2(load(eight))));
                }
            }
            3 | 4 => {
                let indices = load16(machine, &UNIFORM[len]);
                for four in (0..count).step_by(4) {
                    let x = machine.swizzle(load(four), indices);
                    store4(machine, dst.add(four), machine.squeeze4(x));
                }
            }
            _ => {
                let indices = load16(machine, &UNIFORM[len]);
                for two in (0..count).step_by(2) {
                    let x = machine.swizzle(load(two), indices);
                    store2(machine, dst.add(two), machine.squeeze8(x));
                }
            }
        }
    }
}
