//! Which windows the fast decoders must leave to the scalar loop.

use crate::simd::lane::Lane;

/// Of a last byte at full length, the bits that the fast decoders want to stand as in
/// [`last_bits`].
pub(in crate::simd) const fn last_mask<T: Lane>() -> u8 {
    if T::MAX_BYTES == 10 { 0xff } else { !T::LAST_MAX }
}

/// Those bits. The decoders take the continuation bit of a ninth byte for bit 63, so a tenth byte
/// of 0, legal though overlong, is not for them.
pub(in crate::simd) const fn last_bits<T: Lane>() -> u8 {
    if T::MAX_BYTES == 10 { 1 } else { 0 }
}

/// Whether some value that ends in a window, or has no end there, may not be what the fast decoders
/// take it for: a value within its type, and with `CANONICAL` in its one form. Bit k of a mask is
/// about byte k of the window.
///
/// `carried` bytes of the first value lie before the window. `fit` are the bytes that may end an
/// encoding of full length ([`last_mask`]), `zero` those that are 0.
#[inline(always)]
pub(in crate::simd) fn is_suspicious<T: Lane, const CANONICAL: bool>(
    continues: u64,
    carried: usize,
    fit: u64,
    zero: u64,
) -> bool {
    // Bytes behind one that continues, behind two, behind four, behind eight.
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
    let mut wrong = at_full_length & !fit;
    if CANONICAL {
        wrong |= zero & (one | u64::from(carried > 0));
    }
    wrong != 0 || carried + first_end >= T::MAX_BYTES
}
