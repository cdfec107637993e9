//! Windows of 64 bytes of input: the mask of continuation bits, and the check for values that the
//! scalar loop must decode.

use core::arch::wasm32::*;

use crate::simd::lane::Lane;
use crate::simd::vector128::window::{READ, runs};

/// The bytes of a window, and their continuation bits.
pub(super) struct Window {
    bytes: [v128; 4],
    /// A mask of the bytes whose continuation bit is set.
    pub(super) more: u64,
}

/// Loads 16 bytes.
#[inline]
pub(super) fn load16(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the load reads the 16 bytes of the array.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Loads the 16 bytes from `start` on.
///
/// # Safety
///
/// `start` must be at most 64.
#[inline]
pub(super) unsafe fn load16_at(src: &[u8; READ], start: usize) -> v128 {
    debug_assert!(start <= READ - 16);
    // SAFETY: the load ends at most 64 + 16 bytes after the start of the array, which has 80.
    unsafe { v128_load(src.as_ptr().add(start).cast()) }
}

/// Returns the top bit of byte `k` in bit `k`.
#[inline]
fn mask(bytes: [v128; 4]) -> u64 {
    let [a, b, c, d] = bytes.map(|bytes| u64::from(i8x16_bitmask(bytes)));
    a | b << 16 | (c | d << 16) << 32
}

impl Window {
    #[inline]
    pub(super) fn new(src: &[u8; READ]) -> Self {
        // SAFETY: all four offsets are at most 64.
        let bytes = [0, 16, 32, 48].map(|start| unsafe { load16_at(src, start) });
        Self { bytes, more: mask(bytes) }
    }

    /// Returns whether some value that starts at one of `starts` may be invalid, or overlong in a
    /// way that the vector code does not decode. False alarms are harmless, because the scalar loop
    /// decides then.
    #[inline]
    pub(super) fn is_suspicious<T: Lane>(&self, starts: u64, canonical: bool) -> bool {
        let last = (starts & runs(self.more, T::MAX_BYTES - 1)) << (T::MAX_BYTES - 1);
        (last != 0 && last & self.unfit::<T>() != 0) || (canonical && self.more << 1 & self.zeros() != 0)
    }

    /// Returns a mask of the bytes that cannot end a longest encoding of `T`.
    #[inline]
    fn unfit<T: Lane>(&self) -> u64 {
        mask(self.bytes.map(|bytes| match T::LAST_MAX {
            // Zero is valid, although overlong. The vector code assumes that this bit is set.
            1 => u8x16_ne(bytes, u8x16_splat(1)),
            max => u8x16_gt(bytes, u8x16_splat(max)),
        }))
    }

    /// Returns a mask of the bytes that are zero.
    #[inline]
    fn zeros(&self) -> u64 {
        mask(self.bytes.map(|bytes| u8x16_eq(bytes, u8x16_splat(0))))
    }
}
