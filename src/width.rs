//! What differs from one integer width to the next. The module is private, which seals `Varint`.

use crate::error::DecodeError;
use crate::simd::byte_array::ByteArray;

/// The facts and the scalar routines of one integer type.
pub trait Width: Copy + Default + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// The unsigned type of the same width: what travels on the wire.
    type Raw: Copy + Send + Sync + core::fmt::Debug + From<u8> + TryFrom<u64>;
    /// Room for the longest encoding.
    type Buffer: ByteArray;

    /// Bytes of the longest encoding.
    const MAX_BYTES: usize;
    /// The greatest value of a byte at `MAX_BYTES - 1`: the bits that are left for it.
    const LAST_MAX: u8;
    /// No bits gathered yet.
    const NO_BITS: Self::Raw;

    /// `raw` with the low 7 bits of `byte` as its group number `index`. The group must lie within the type.
    fn with_group(raw: Self::Raw, byte: u8, index: usize) -> Self::Raw;
    /// What goes on the wire.
    fn to_raw(self) -> Self::Raw;
    /// The value behind what was on the wire.
    fn from_raw(raw: Self::Raw) -> Self;
    /// What stands for `self` behind `previous` in a sequence of differences: the value whose encoding is the zigzag of the
    /// distance.
    fn delta(self, previous: Self) -> Self;
    /// The value that `delta` stands for behind `self`.
    fn plus_delta(self, delta: Self) -> Self;
    /// Bytes of the encoding.
    fn wire_len(self) -> usize;
    /// Writes the encoding to the front of `dst`; its length, or `None` where it does not fit.
    fn put_wire(self, dst: &mut [u8]) -> Option<usize>;
    /// Reads one value from the front of `src`: the value and its length.
    fn get_wire<const CANONICAL: bool>(src: &[u8]) -> Result<(Self, usize), DecodeError>;
}
