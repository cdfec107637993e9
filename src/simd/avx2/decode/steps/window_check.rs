//! The check for windows that the decoders must leave to the scalar loop.

use crate::simd::lane::Lane;

/// Returns the mask of the bits that the last byte of a longest encoding must have as in
/// [`last_bits`].
pub(super) const fn last_mask<T: Lane>() -> u8 {
    if T::MAX_BYTES == 10 { 0xff } else { !T::LAST_MAX }
}

/// Returns the required values of these bits. The decoders use the continuation bit of a ninth byte
/// as bit 63. They therefore cannot decode a tenth byte of 0, which is valid but overlong.
pub(super) const fn last_bits<T: Lane>() -> u8 {
    if T::MAX_BYTES == 10 { 1 } else { 0 }
}

/// Returns whether some value that ends in a window may be invalid, or valid but not decodable by
/// the kernel. A window in which no value ends is suspicious too.
///
/// Bit k of each mask belongs to byte k of the window. `carried` bytes of the first value are
/// before the window. `fit` has the bytes that may end a longest encoding ([`last_mask`]).
#[inline(always)]
pub(super) fn is_suspicious<T: Lane>(continues: u64, carried: usize, fit: u64) -> bool {
    // Bytes after one, two, four and eight continuation bytes.
    let one = continues << 1;
    let two = one & one << 1;
    let four = two & two << 2;
    let eight = four & four << 4;
    let mut at_full_length = match T::MAX_BYTES {
        3 => two,
        5 => four,
        _ => eight & one << 8,
    };
    let first_end = (!continues).trailing_zeros() as usize;
    at_full_length |= u64::from(carried + first_end >= T::MAX_BYTES - 1) << (first_end % 64);
    at_full_length & !fit != 0 || carried + first_end >= T::MAX_BYTES
}

/// Returns whether some value that ends in a window is overlong. `zero` has the bytes that are 0,
/// and the other arguments are those of [`is_suspicious`].
#[inline(always)]
pub(super) fn any_overlong(continues: u64, carried: usize, zero: u64) -> bool {
    zero & (continues << 1 | u64::from(carried > 0)) != 0
}
