//! What the loops over blocks share: what is still to do, and which of them goes on.

use core::arch::x86_64::*;

use super::super::vector::store;
use crate::simd::lane::Lane;

/// Values that are encoded in one way.
pub(super) const BLOCK: usize = 32;

/// What is still to do.
pub(super) struct Job<'a, T> {
    pub(super) src: &'a [T],
    pub(super) dst: &'a mut [u8],
}

/// How to go on.
pub(super) enum Way {
    /// Values of any length.
    Mixed,
    /// Values that take this many bytes each, at most 8.
    Uniform(usize),
    /// Too few values or too little room for a block.
    Tail,
}

/// Not enough room for a whole vector.
pub(super) struct NoRoom;

impl<T: Lane> Job<'_, T> {
    /// Writes the encoding of the first `values` values, the first `len` bytes of `bytes`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn put(&mut self, values: usize, bytes: __m512i, len: usize) -> Result<(), NoRoom> {
        let room = core::mem::take(&mut self.dst);
        if let Some(front) = room.first_chunk_mut() {
            store(front, bytes);
            self.src = self.src.get(values..).unwrap_or_default();
            self.dst = room.get_mut(len..).unwrap_or_default();
            Ok(())
        } else {
            self.dst = room;
            Err(NoRoom)
        }
    }
}
