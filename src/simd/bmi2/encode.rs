//! Encodes values of any length, without a branch on the length.

use core::arch::x86_64::_pdep_u64;

use crate::error::Progress;
use crate::scalar::word::{CONTINUATIONS, GROUPS, LENGTHS};
use crate::simd::lane::Lane;
use crate::simd::scalar;

/// With less space than this, in bytes, the scalar loop is faster. It is more than the longest
/// encoding.
pub(super) const WORTHWHILE: usize = 24;

/// Properties of an encoding, by the number of leading zeros of the 64-bit value. Both are in one place,
/// so that a loop needs one address: with two, that of AVX2 has a tenth more instructions.
pub(in crate::simd) struct ByLeadingZeros {
    /// The continuation bits of the first eight bytes. The last entry is not used as such.
    pub(in crate::simd) continues: [u64; 66],
    /// The length of the encoding.
    pub(in crate::simd) len: [u8; 65],
}

pub(in crate::simd) static BY_LEADING_ZEROS: ByLeadingZeros = {
    let mut table = ByLeadingZeros { continues: [0; 66], len: *LENGTHS };
    let mut zeros = 0;
    while zeros <= 64 {
        table.continues[zeros] = CONTINUATIONS[LENGTHS[zeros] as usize];
        zeros += 1;
    }
    table
};

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
#[target_feature(enable = "bmi1,bmi2,lzcnt")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut at = Progress::default();
    // The rest of `dst` may be too small for the longest encodings, and still large enough for the
    // actual ones.
    while at.values < src.len() && dst.len() - at.bytes >= WORTHWHILE {
        let done = mixed(&src[at.values..], &mut dst[at.bytes..]);
        at = at.then(done);
    }
    scalar::encode(src, dst, at)
}

/// Encodes the number of values that fit even if all have the longest encoding.
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,lzcnt")]
pub(in crate::simd) fn mixed<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
    // The number of bytes written for a value: two words for a 64-bit type, one word for others.
    let longest = if T::MAX_BYTES > 8 { 10 } else { 8 };
    let values = src.len().min(dst.len() / longest);
    let mut bytes = 0;
    for value in &src[..values] {
        // SAFETY: `dst` has `longest` bytes for each value, and each of the values before has taken
        // at most that number.
        bytes += unsafe { put(*value, dst.as_mut_ptr().add(bytes)) };
    }
    Progress { values, bytes }
}

/// Writes the encoding of a value, and possibly others bytes after it. Returns its length.
///
/// # Safety
///
/// Eight bytes, or ten for a type of 64 bits, can be written to `to`.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "bmi1,bmi2,lzcnt")]
unsafe fn put<T: Lane>(value: T, to: *mut u8) -> usize {
    let wire = value.to_wire();
    let zeros = wire.leading_zeros() as usize;
    let continues = BY_LEADING_ZEROS.continues[zeros];
    // SAFETY: the caller ensures that there is space.
    unsafe {
        if T::MAX_BYTES > 8 {
            write::<true>(wire, continues, to)
        } else {
            write::<false>(wire, continues, to)
        }
    }
    usize::from(BY_LEADING_ZEROS.len[zeros])
}

/// Writes the first eight bytes of an encoding, or ten with `LONG`. The contents of the bytes after
/// the encoding are unspecified.
///
/// # Safety
///
/// Eight bytes, or ten with `LONG`, can be written to `to`.
#[inline]
#[target_feature(enable = "bmi2")]
unsafe fn write<const LONG: bool>(wire: u64, continues: u64, to: *mut u8) {
    let eight = _pdep_u64(wire, GROUPS) | continues;
    // SAFETY: the caller ensures that eight bytes can be written.
    unsafe { to.cast::<u64>().write_unaligned(eight) };
    if LONG {
        // Bit 63 is the continuation bit of the ninth byte, and the only bit of a tenth byte.
        let two = (wire >> 56) as u16 | 0x100;
        // SAFETY: the caller ensures that ten bytes can be written.
        unsafe { to.add(8).cast::<u16>().write_unaligned(two) };
    }
}
