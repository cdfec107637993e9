//! What the tables of indices for `pshufb` have in common.

/// A table on cache lines of its own.
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// `pshufb` fills with zero where bit 7 of the index is set.
pub(super) const NOTHING: u8 = 0x80;
