//! Encodes values of any length one by one, without a branch on the length, which would often be
//! mispredicted. `pdep` moves all groups of a value apart in one instruction:
//!
//! ```text
//! zeros = lzcnt(value)
//! store pdep(value, 0x7f..) | CONTINUES[zeros]     8 bytes
//! store (value >> 56) | 0x100                      bytes 9 and 10, only for 64 bits
//! advance by LEN[zeros]
//! ```

use core::arch::x86_64::_pdep_u64;

use crate::error::Progress;
use crate::scalar::word::{CONTINUATIONS, GROUPS, LENGTHS};
use crate::simd::lane::Lane;

/// Properties of an encoding, by the number of leading zeros of the 64-bit value. Both are in one place,
/// so that a loop needs one address: with two, the loop of `mixed.rs` has a tenth more instructions.
pub(in super::super) struct ByLeadingZeros {
    /// The continuation bits of the first eight bytes. The last entry is not used as such.
    pub(in super::super) continues: [u64; 66],
    /// The length of the encoding.
    pub(in super::super) len: [u8; 65],
}

pub(in super::super) static BY_LEADING_ZEROS: ByLeadingZeros = {
    let mut table = ByLeadingZeros { continues: [0; 66], len: *LENGTHS };
    let mut zeros = 0;
    while zeros <= 64 {
        table.continues[zeros] = CONTINUATIONS[LENGTHS[zeros] as usize];
        zeros += 1;
    }
    table
};

/// Encodes the number of values that fit even if all have the longest encoding.
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,lzcnt")]
pub(in super::super) fn one_by_one<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
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
