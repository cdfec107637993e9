//! Blocks of values of one length, five bytes or more.

use super::super::block::{BLOCK, Block};
use crate::error::Progress;
use crate::simd::bmi2::{BY_LEADING_ZEROS, write};
use crate::simd::lane::Lane;

/// Values of one length, that of the first: as many blocks as are so and fit. `None` where none is.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(super) fn uniform<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<Progress> {
    match src.first()?.wire_len() {
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
            // SAFETY: a reference. Volatile, or else the compiler takes the value out of the vector
            // that the block was loaded to, which is slower than to load it again.
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
