//! Encodes blocks of values of one length, five bytes or more.

use core::arch::x86_64::*;

use super::super::block::{BLOCK_VALUES, Block};
use super::mixed::{WRITTEN, interleave, spread};
use super::pdep::BY_LEADING_ZEROS;
use crate::error::Progress;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;

/// Encodes blocks while all their values have the length of the first value of `src` and `dst` has
/// space.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,lzcnt")]
pub(super) fn uniform<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
    let mut at = Progress::default();
    let Some(first) = src.first() else { return at };
    let zeros = first.to_wire().leading_zeros() as usize;
    let len = usize::from(BY_LEADING_ZEROS.len[zeros]);
    let continues = _mm256_set1_epi64x(BY_LEADING_ZEROS.continues[zeros] as i64);
    for values in as_chunks::<_, BLOCK_VALUES>(src).0 {
        let Some(space) = dst[at.bytes..].get_mut(..len * BLOCK_VALUES + WRITTEN) else { break };
        let block = Block::load(values);
        if !block.has_length::<T>(len) {
            break;
        }
        let mut to = space.as_mut_ptr();
        for four in block.to_qwords::<T>() {
            let first = _mm256_or_si256(spread(four), continues);
            let last = _mm256_or_si256(_mm256_srli_epi64::<56>(four), _mm256_set1_epi64x(0x100));
            for encoded in interleave(first, last) {
                // SAFETY: `space` has `len` bytes for each value, and `WRITTEN` more.
                unsafe {
                    _mm_storeu_si128(to.cast(), encoded);
                    to = to.add(len);
                }
            }
        }
        at = Progress { values: at.values + BLOCK_VALUES, bytes: at.bytes + len * BLOCK_VALUES };
    }
    at
}
