//! Windows of 64 bytes of input: the mask of continuation bits, and the check for values that the
//! scalar loop must decode.

use super::machine::Machine;
use super::tables::MULTIPLES;
use crate::simd::end_mask::runs;
use crate::simd::lane::Lane;

/// The number of bytes that must be readable from the start of a window on. Loads of 16 bytes begin
/// at offsets up to 64.
pub(super) const READ: usize = 80;

/// Returns the distance from one window to the next. The values that start within it end in the
/// rest of the 64 bytes at the latest.
pub(super) const fn stride<T: Lane>() -> usize {
    if T::MAX_BYTES <= 8 { 56 } else { 54 }
}

/// Returns the common length of the values that start at `starts`, if they have one from 2 to 8.
#[inline]
pub(super) fn uniform_len(starts: u64) -> Option<usize> {
    let first = starts.trailing_zeros();
    let second = (starts & starts.wrapping_sub(1)).trailing_zeros();
    let len = (second - first) as usize;
    let multiples = *MULTIPLES.get(len)?;
    (starts == multiples << first).then_some(len)
}

/// Loads 16 bytes.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
pub(super) fn load16<M: Machine>(machine: M, bytes: &[u8; 16]) -> M::V {
    // SAFETY: the load reads the 16 bytes of the array.
    unsafe { machine.load(bytes.as_ptr()) }
}

/// Loads the 16 bytes from `start` on.
///
/// # Safety
///
/// `start` must be at most 64.
#[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
#[inline]
pub(super) unsafe fn load16_at<M: Machine>(machine: M, src: &[u8; READ], start: usize) -> M::V {
    debug_assert!(start <= READ - 16);
    // SAFETY: the load ends at most 64 + 16 bytes after the start of the array, which has 80.
    unsafe { machine.load(src.as_ptr().add(start)) }
}

/// The bytes of a window, and their continuation bits.
pub(super) struct Window<M: Machine> {
    machine: M,
    bytes: [M::V; 4],
    /// A mask of the bytes whose continuation bit is set.
    pub(super) more: u64,
}

impl<M: Machine> Window<M> {
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    pub(super) fn new(machine: M, src: &[u8; READ]) -> Self {
        // SAFETY: all four offsets are at most 64.
        let bytes = [0, 16, 32, 48].map(|start| unsafe { load16_at(machine, src, start) });
        Self { machine, bytes, more: machine.mask(bytes) }
    }

    /// Returns whether some value that starts at one of `starts` may be invalid, or overlong in a
    /// way that the vector code does not decode. False alarms are harmless, because the scalar loop
    /// decides then.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    pub(super) fn is_suspicious<T: Lane>(&self, starts: u64, canonical: bool) -> bool {
        let machine = self.machine;
        let last = (starts & runs(self.more, T::MAX_BYTES - 1)) << (T::MAX_BYTES - 1);
        (last != 0 && last & self.unfit::<T>() != 0)
            || (canonical && self.more << 1 & machine.mask(self.bytes.map(|x| machine.equal8(x, 0))) != 0)
    }

    /// Returns a mask of the bytes that cannot end a longest encoding of `T`.
    #[cfg_attr(kernel = "sse", target_feature(enable = "ssse3,sse4.1,popcnt"))]
    #[inline]
    fn unfit<T: Lane>(&self) -> u64 {
        let machine = self.machine;
        match T::LAST_MAX {
            // Zero is valid, although overlong. The vector code assumes that this bit is set.
            1 => !machine.mask(self.bytes.map(|x| machine.equal8(x, 1))),
            max => machine.mask(self.bytes.map(|x| machine.above8(x, max))),
        }
    }
}
