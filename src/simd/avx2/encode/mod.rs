//! Encodes blocks of 16 values, each by the method that suits its longest value.

mod short;
mod uniform;

use super::block::{BLOCK, Block};
use crate::error::Progress;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;
use crate::simd::{bmi2, scalar};

/// With fewer values than this, the scalar loop is faster.
pub(super) const WORTHWHILE: usize = 5;

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut at = Progress::default();
    let mut mixed = Mixed::default();
    while src.len() - at.values >= BLOCK {
        let done = short_blocks(&src[at.values..], dst.get_mut(at.bytes..)?);
        at = plus(at, done);
        let (rest, space) = (&src[at.values..], dst.get_mut(at.bytes..)?);
        let Some(values) = rest.first_chunk() else { break };
        let block = Block::load::<T, BLOCK>(values);
        let done = if block.below::<T>(28) {
            None // `short_blocks` had no space for it
        } else if block.has_length::<T>(values[0].wire_len()) {
            uniform::uniform(rest, space)
        } else {
            let run = rest.len().min(mixed.run(at.values));
            Some(mixed_run(&rest[..run], space, &mut mixed.score))
        };
        let Some(done) = done.filter(|done| done.values > 0) else { break };
        at = plus(at, done);
    }
    for values in src[at.values..].chunks(BLOCK) {
        at.bytes += encode_few(values, dst.get_mut(at.bytes..)?)?;
    }
    Some(at.bytes)
}

/// Encodes the last values of a slice, at most a block, and returns the number of bytes used, or
/// `None` if `dst` is too small.
#[inline]
#[target_feature(enable = "bmi1,bmi2,lzcnt")]
fn encode_few<T: Lane>(values: &[T], dst: &mut [u8]) -> Option<usize> {
    /// The length of the longest encoding.
    const LONGEST: usize = 10;
    if dst.len() >= LONGEST * values.len() {
        return Some(bmi2::mixed(values, dst).bytes);
    }
    if values.iter().fold(0, |any, value| any | value.to_wire()) < 1 << 7 {
        // All values take one byte, so that the branches of the scalar loop are predicted.
        return scalar::encode(values, dst, Progress::default());
    }
    let mut buffer = [0; LONGEST * BLOCK];
    let bytes = bmi2::mixed(values, &mut buffer).bytes;
    dst.get_mut(..bytes)?.copy_from_slice(&buffer[..bytes]);
    Some(bytes)
}

/// Returns the progress after `done` more.
fn plus(at: Progress, done: Progress) -> Progress {
    Progress { values: at.values + done.values, bytes: at.bytes + done.bytes }
}

/// Encodes blocks while their values take at most four bytes each, and `dst` has space for the
/// longest encodings of their class.
#[inline(never)]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn short_blocks<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
    let mut values = 0;
    let mut bytes = 0;
    for block in as_chunks::<_, BLOCK>(src).0 {
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
        values += BLOCK;
        bytes += done;
    }
    Progress { values, bytes }
}

/// Encodes the number of values that fit even if all have the longest encoding. Packs eight at a
/// time if each takes at most four bytes, and encodes others one by one. When `score` is zero, all
/// are encoded one by one.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn mixed_run<T: Lane>(src: &[T], dst: &mut [u8], score: &mut usize) -> Progress {
    let mut at = Progress::default();
    for eight in as_chunks::<_, 8>(src).0 {
        let space = &mut dst[at.bytes..];
        if *score == 0 || space.len() < 10 * 8 {
            break;
        }
        let block = Block::load(eight);
        let len = match space.first_chunk_mut::<32>() {
            Some(space) if block.below::<T>(28) => {
                *score = Mixed::MAX_SCORE.min(*score + 1);
                short::pack_eight(block.to_dwords::<T>()[0], space, 0)
            }
            _ => {
                *score -= 1;
                bmi2::mixed(eight, space).bytes
            }
        };
        at = Progress { values: at.values + 8, bytes: at.bytes + len };
    }
    plus(at, bmi2::mixed(&src[at.values..], &mut dst[at.bytes..]))
}

/// The number of values to encode without a test of their blocks, after one block was mixed. Data
/// tends to stay mixed, and a branch that cannot be predicted costs more than it saves.
struct Mixed {
    /// The length of the last run.
    run: usize,
    /// The index of the value after the last run.
    end: usize,
    /// Grows with each eight values of a run that are packed, and shrinks with each that are not.
    score: usize,
}

impl Default for Mixed {
    fn default() -> Self {
        Self { run: Self::SHORTEST, end: 0, score: Self::FIRST_SCORE }
    }
}

impl Mixed {
    const SHORTEST: usize = 4 * BLOCK;
    const LONGEST: usize = 64 * BLOCK;
    /// After this number of other values, the data counts as changed.
    const CALM: usize = 16 * BLOCK;
    const FIRST_SCORE: usize = 2;
    const MAX_SCORE: usize = 8;

    /// Returns the length of the run that begins at the value with index `from`.
    fn run(&mut self, from: usize) -> usize {
        let again = from.saturating_sub(self.end) < Self::CALM;
        self.run = if again { (2 * self.run).min(Self::LONGEST) } else { Self::SHORTEST };
        self.end = from + self.run;
        if !again || self.run == Self::LONGEST {
            self.score = self.score.max(Self::FIRST_SCORE);
        }
        self.run
    }
}
