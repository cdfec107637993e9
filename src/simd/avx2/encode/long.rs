//! Values of any length, one at a time and without a branch that depends on it.

use core::arch::x86_64::*;

use super::super::lanes::{BLOCK, Block, GROUPS, Lane};
use super::LONGEST;
use super::tables::BY_LEADING_ZEROS;
use crate::error::Progress;

/// Values of any lengths: as many as surely fit. `None` where none does.
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2,lzcnt")]
pub(super) fn mixed<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<Progress> {
    let values = src.len().min(dst.len() / LONGEST);
    let mut bytes = 0;
    for value in &src[..values] {
        let wire = value.to_wire();
        let zeros = wire.leading_zeros() as usize;
        // SAFETY: the values before took ten bytes each at most, and `dst` has ten for each.
        unsafe {
            let to = dst.as_mut_ptr().add(bytes);
            if T::MAX_BYTES > 8 {
                write::<true>(wire, BY_LEADING_ZEROS.continues[zeros], to);
            } else {
                write::<false>(wire, BY_LEADING_ZEROS.continues[zeros], to);
            }
        }
        bytes += usize::from(BY_LEADING_ZEROS.len[zeros]);
    }
    (values > 0).then_some(Progress { values, bytes })
}

/// Values of one length, that of the first: as many blocks as are so and fit. `None` where none is.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(super) fn uniform<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<Progress> {
    match src.first()?.len() {
        5 => uniform_of::<T, 5>(src, dst),
        6 => uniform_of::<T, 6>(src, dst),
        7 => uniform_of::<T, 7>(src, dst),
        8 => uniform_of::<T, 8>(src, dst),
        9 => uniform_of::<T, 9>(src, dst),
        10 => uniform_of::<T, 10>(src, dst),
        _ => None,
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn uniform_of<T: Lane, const LEN: usize>(src: &[T], dst: &mut [u8]) -> Option<Progress> {
    let continues = BY_LEADING_ZEROS.continues[src.first()?.to_wire().leading_zeros() as usize];
    let mut at = Progress::default();
    while let Some(values) = src[at.values..].first_chunk::<BLOCK>()
        && let Some(room) = dst[at.bytes..].get_mut(..LEN * BLOCK + 8)
        && Block::load(values).has_length::<T>(LEN)
    {
        for (index, value) in values.iter().enumerate() {
            // SAFETY: a reference. Volatile, or else the compiler takes the value out of the vector that the block was
            // loaded to, which is slower than to load it again.
            let wire = unsafe { core::ptr::from_ref(value).read_volatile() }.to_wire();
            // SAFETY: ten bytes from there on are in `room`.
            unsafe {
                let to = room.as_mut_ptr().add(LEN * index);
                if LEN > 8 { write::<true>(wire, continues, to) } else { write::<false>(wire, continues, to) }
            }
        }
        at = Progress { values: at.values + BLOCK, bytes: at.bytes + LEN * BLOCK };
    }
    (at.values > 0).then_some(at)
}

/// Writes the first eight bytes of an encoding, or with `LONG` ten; those that are not part of it hold anything.
///
/// # Safety
///
/// So many bytes can be written.
#[inline]
#[target_feature(enable = "bmi2")]
unsafe fn write<const LONG: bool>(wire: u64, continues: u64, to: *mut u8) {
    let eight = _pdep_u64(wire, GROUPS) | continues;
    // SAFETY: the caller's.
    unsafe { to.cast::<u64>().write_unaligned(eight.to_le()) };
    if LONG {
        // Bit 63 is the continuation bit of the ninth byte, and all that a tenth has to say.
        let two = (wire >> 56) as u16 | 0x100;
        // SAFETY: the caller's.
        unsafe { to.add(8).cast::<u16>().write_unaligned(two.to_le()) };
    }
}
