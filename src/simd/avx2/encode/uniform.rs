//! Encodes blocks of values of one length, five bytes or more.

use super::super::block::{BLOCK, Block};
use crate::error::Progress;
use crate::simd::bmi2::{BY_LEADING_ZEROS, write};
use crate::simd::lane::Lane;

/// Encodes blocks while all their values have the length of the first value of `src` and `dst` has
/// space. Returns `None` if there is no such block.
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
    while let Some(values) = src[at.values..].first_chunk::<BLOCK>() {
        let Some(space) = dst[at.bytes..].get_mut(..LEN * BLOCK + 8) else { break };
        if !Block::load(values).has_length::<T>(LEN) {
            break;
        }
        for (index, value) in values.iter().enumerate() {
            // SAFETY: the pointer comes from a reference. The read is volatile because the compiler
            // would otherwise extract the value from the vector, which is slower than a load.
            let wire = unsafe { core::ptr::from_ref(value).read_volatile() }.to_wire();
            // SAFETY: `space` has ten bytes from `LEN * index` on: 8 more than the block's
            // encodings, and `LEN` is at least 5.
            unsafe {
                let to = space.as_mut_ptr().add(LEN * index);
                if LEN > 8 { write::<true>(wire, continues, to) } else { write::<false>(wire, continues, to) }
            }
        }
        at = Progress { values: at.values + BLOCK, bytes: at.bytes + LEN * BLOCK };
    }
    (at.values > 0).then_some(at)
}
