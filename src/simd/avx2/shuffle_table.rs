//! The common parts of the tables of indices for `pshufb`.

/// A table that is aligned to cache lines.
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// An index for which `pshufb` writes a zero, because its bit 7 is set.
pub(super) const ZERO: u8 = 0x80;
