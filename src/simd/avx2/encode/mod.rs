//! Encodes blocks of 16 values, each by the method that suits its longest value.

mod mixed;
mod pdep;
mod short;
mod uniform;

use super::block::{BLOCK_VALUES, Block};
use crate::error::Progress;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;
use crate::simd::scalar;
use mixed::LONGEST;
pub(super) use pdep::BY_LEADING_ZEROS;
use pdep::one_by_one;

/// With fewer values than this, the scalar loop is faster.
pub(super) const WORTHWHILE: usize = 5;

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut at = Progress::default();
    let mut run = Run::default();
    while src.len() - at.values >= BLOCK_VALUES {
        let done = short_blocks(&src[at.values..], dst.get_mut(at.bytes..)?);
        at = at.then(done);
        let (rest, space) = (&src[at.values..], dst.get_mut(at.bytes..)?);
        let Some(values) = rest.first_chunk() else { break };
        let block = Block::load::<T, BLOCK_VALUES>(values);
        let done = if block.below::<T>(28) {
            break; // `short_blocks` had no space for it
        } else if block.has_length::<T>(values[0].wire_len()) {
            uniform::uniform(rest, space)
        } else {
            let values = rest.len().min(run.next(at.values));
            mixed::mixed(&rest[..values], space)
        };
        if done.values == 0 {
            break;
        }
        at = at.then(done);
    }
    for values in src[at.values..].chunks(BLOCK_VALUES) {
        at.bytes += encode_few(values, dst.get_mut(at.bytes..)?)?;
    }
    Some(at.bytes)
}

/// Encodes the last values of a slice, at most a block, and returns the number of bytes used, or
/// `None` if `dst` is too small.
#[inline]
#[target_feature(enable = "bmi1,bmi2,lzcnt")]
fn encode_few<T: Lane>(values: &[T], dst: &mut [u8]) -> Option<usize> {
    if dst.len() >= LONGEST * values.len() {
        return Some(one_by_one(values, dst).bytes);
    }
    if values.iter().fold(0, |any, value| any | value.to_wire()) < 1 << 7 {
        // All values take one byte, so that the branches of the scalar loop are predicted.
        return scalar::encode(values, dst, Progress::default());
    }
    let mut buffer = [0; LONGEST * BLOCK_VALUES];
    let bytes = one_by_one(values, &mut buffer).bytes;
    dst.get_mut(..bytes)?.copy_from_slice(&buffer[..bytes]);
    Some(bytes)
}

/// Encodes blocks while their values take at most four bytes each, and `dst` has space for the
/// longest encodings of their class.
#[inline(never)]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn short_blocks<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
    let mut values = 0;
    let mut bytes = 0;
    for block in as_chunks::<_, BLOCK_VALUES>(src).0 {
        let block = Block::load(block);
        let space = &mut dst[bytes..];
        let done = if block.below::<T>(14) {
            let words = block.to_words::<T>();
            if block.below::<T>(7) {
                space.first_chunk_mut().map(|out| short::one_byte_each(words, out))
            } else {
                space.first_chunk_mut().map(|out| short::up_to_two_bytes_each(words, out))
            }
        } else if block.below::<T>(28) {
            space.first_chunk_mut().map(|out| short::up_to_four_bytes_each(block.to_dwords::<T>(), out))
        } else {
            None
        };
        let Some(done) = done else { break };
        values += BLOCK_VALUES;
        bytes += done;
    }
    Progress { values, bytes }
}

/// The number of values to encode without a test of their blocks, after one block was mixed. Data
/// tends to stay mixed, and a branch that cannot be predicted costs more than it saves.
struct Run {
    /// The length of the last run.
    len: usize,
    /// The index of the value after the last run.
    end: usize,
}

impl Default for Run {
    fn default() -> Self {
        Self { len: Self::SHORTEST, end: 0 }
    }
}

impl Run {
    const SHORTEST: usize = 4 * BLOCK_VALUES;
    const LONGEST: usize = 256 * BLOCK_VALUES;
    /// After this number of other values, the data counts as changed.
    const CALM: usize = 16 * BLOCK_VALUES;

    /// Returns the length of the run that begins at the value with index `from`.
    #[inline]
    fn next(&mut self, from: usize) -> usize {
        let again = from.saturating_sub(self.end) < Self::CALM;
        self.len = if again { (2 * self.len).min(Self::LONGEST) } else { Self::SHORTEST };
        self.end = from + self.len;
        self.len
    }
}
