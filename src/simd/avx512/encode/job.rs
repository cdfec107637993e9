//! The state that the loops over blocks share: the remaining input and output, and the next loop.

use core::arch::x86_64::*;

use super::super::vector::store;
use crate::simd::lane::Lane;

/// The number of values in a block.
pub(super) const BLOCK_VALUES: usize = 32;

/// The remaining values, and the rest of the destination.
pub(super) struct Job<'a, T> {
    pub(super) src: &'a [T],
    pub(super) dst: &'a mut [u8],
}

/// The loop that continues.
pub(super) enum NextLoop {
    /// Values of any length.
    Mixed,
    /// Values that take this many bytes each, at most 8.
    Uniform(usize),
    /// Too few values, or too little space, for a block.
    Tail,
}

/// The error that the destination has no space for a whole vector.
pub(super) struct NoSpace;

impl<T: Lane> Job<'_, T> {
    /// Writes the encoding of the first `values` values, which is the first `len` bytes of `bytes`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn put(&mut self, values: usize, bytes: __m512i, len: usize) -> Result<(), NoSpace> {
        let dst = core::mem::take(&mut self.dst);
        if let Some(front) = dst.first_chunk_mut() {
            store(front, bytes);
            self.src = self.src.get(values..).unwrap_or_default();
            self.dst = dst.get_mut(len..).unwrap_or_default();
            Ok(())
        } else {
            self.dst = dst;
            Err(NoSpace)
        }
    }
}
