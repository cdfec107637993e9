//! The properties that differ between integer widths.

use crate::error::DecodeError;

/// The number of values that [`Width::put_one_byte_each`] encodes.
pub(crate) const ONE_BYTE_VALUES: usize = 8;

/// The constants and the scalar functions of one integer type.
pub trait Width: Copy + Default + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// The unsigned type of the same width, whose values are encoded.
    type Raw: Copy + Send + Sync + core::fmt::Debug + From<u8> + TryFrom<u64>;

    /// Whether values are encoded in zigzag form.
    const SIGNED: bool;
    /// The length of the longest encoding in bytes.
    const MAX_BYTES: usize;
    /// The greatest valid byte at index `MAX_BYTES - 1`, which holds the remaining bits of the
    /// type.
    const LAST_MAX: u8;
    /// The value zero, to which groups are added.
    const NO_BITS: Self::Raw;

    /// Returns `raw` with the low 7 bits of `byte` as its group number `index`. The group must lie
    /// within the type.
    fn with_group(raw: Self::Raw, byte: u8, index: usize) -> Self::Raw;
    /// Returns the unsigned value that is encoded for `self`.
    fn to_raw(self) -> Self::Raw;
    /// Returns the value that is encoded as `raw`.
    fn from_raw(raw: Self::Raw) -> Self;
    /// Returns the value that is encoded as `wire`, which must fit the type.
    fn from_wire(wire: u64) -> Self;
    /// Returns the delta from `previous` to `self`: the value whose encoding is the zigzag form of
    /// the difference.
    fn delta(self, previous: Self) -> Self;
    /// Returns the value that follows `self` at this `delta`.
    fn plus_delta(self, delta: Self) -> Self;
    /// Returns the length of the encoding in bytes.
    fn wire_len(self) -> usize;
    /// Writes the encoding to the start of `dst` and returns its length, or `None` if it does not
    /// fit.
    fn put_wire(self, dst: &mut [u8]) -> Option<usize>;
    /// Writes the encoding to `dst[at..]`, in a short loop for few values. Returns the index of its end,
    /// or `None` if it does not fit. Some of its bytes may be written then.
    fn put_wire_at(self, dst: &mut [u8], at: usize) -> Option<usize>;
    /// Encodes `values` and returns true, or returns false if one of them takes more than one byte.
    fn put_one_byte_each(values: &[Self; ONE_BYTE_VALUES], dst: &mut [u8]) -> bool;
    /// Decodes the value at the start of `src`, and returns it with the length of its encoding.
    /// Rejects overlong encodings if `canonical` is set.
    fn get_wire(src: &[u8], canonical: bool) -> Result<(Self, usize), DecodeError>;
}
