//! Differences, which are computed, encoded, decoded and added up a block at a time.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::bulk;
use crate::error::{BulkError, DecodeError, ErrorKind, Progress, continued};
use crate::simd::destination;
#[cfg(feature = "alloc")]
use crate::simd::lane::cast_mut;
use crate::simd::slices::Slices;
use crate::width::Width;
#[cfg(feature = "alloc")]
use crate::wire_types::Integer;

/// The greatest number of components: the smallest block of differences.
pub(super) const MAX_COMPONENTS: usize = 32;
/// The number of differences that are computed before the kernel encodes them. They are stored on
/// the stack, which may be small without `std`.
const ENCODED_DELTAS: usize = if cfg!(feature = "std") { 1024 } else { 256 };
/// The number of differences that are decoded before they are added up, while they are in the L1
/// cache.
const DECODED_DELTAS: usize = 1024;

/// Encodes the differences and returns the number of bytes, or `None` if `dst` is too small.
pub(super) fn encode<T: Width>(
    slices: impl Slices<T>,
    previous: &[T],
    src: &[T],
    dst: &mut [u8],
) -> Option<usize> {
    let mut bytes = 0;
    by_block(slices, previous, src, |_, _, deltas| {
        let free = dst.get_mut(bytes..)?;
        bytes += slices.encode(deltas, free)?;
        Some(())
    })?;
    Some(bytes)
}

/// Appends the encoded differences to `dst`, and returns the number of bytes, or the index of the
/// first value that is wrong. Then `dst` is unchanged.
#[cfg(feature = "alloc")]
pub(super) fn encode_append<T: Width>(
    slices: impl Slices<T>,
    previous: &[T],
    src: &[T],
    dst: &mut Vec<u8>,
) -> Result<usize, usize> {
    let begin = dst.len();
    let (mut done, mut wrong) = (0, None);
    dst.reserve(src.len());
    by_block(slices, previous, src, |before, block, deltas| {
        // The order is checked while the block is in the cache, not in a pass of its own.
        wrong = slices.first_wrong(before, block).map(|index| done + index);
        if wrong.is_some() {
            return None;
        }
        done += block.len();
        let start = dst.len();
        dst.resize(start + slices.encoded_len(deltas), 0);
        slices.encode(deltas, &mut dst[start..]).map(|_| ())
    });
    if let Some(index) = wrong {
        dst.truncate(begin);
        return Err(index);
    }
    Ok(dst.len() - begin)
}

/// Returns the number of bytes that `encode` writes.
pub(super) fn encoded_len<T: Width>(slices: impl Slices<T>, previous: &[T], src: &[T]) -> usize {
    let mut bytes = 0;
    let _: Option<()> = by_block(slices, previous, src, |_, _, deltas| {
        bytes += slices.encoded_len(deltas);
        Some(())
    });
    bytes
}

/// Passes each block of `src` to `take`, with the values before it and its differences, until `take`
/// returns `None`.
fn by_block<T: Width>(
    slices: impl Slices<T>,
    previous: &[T],
    src: &[T],
    take: impl FnMut(&[T], &[T], &[T]) -> Option<()>,
) -> Option<()> {
    // A block is zeroed before it is used, which would be the main cost of a short sequence. Each
    // block costs a call, so that a long sequence should have few.
    match src.len() {
        len if len <= MAX_COMPONENTS => by_block_of::<T, MAX_COMPONENTS>(slices, previous, src, take),
        ..=256 => by_block_of::<T, 256>(slices, previous, src, take),
        _ => by_block_of::<T, ENCODED_DELTAS>(slices, previous, src, take),
    }
}

fn by_block_of<T: Width, const B: usize>(
    slices: impl Slices<T>,
    previous: &[T],
    src: &[T],
    mut take: impl FnMut(&[T], &[T], &[T]) -> Option<()>,
) -> Option<()> {
    let mut deltas = [T::default(); B];
    let mut before = previous;
    for block in src.chunks(B) {
        let deltas = &mut deltas[..block.len()];
        slices.deltas(before, block, deltas);
        take(before, block, deltas)?;
        // All blocks but the last one have at least as many values as there are components.
        before = &block[block.len().saturating_sub(previous.len())..];
    }
    Some(())
}

/// Decodes a block at a time, and adds it up while it is in the cache.
pub(super) fn decode<T: Width>(
    slices: impl Slices<T>,
    previous: &[T],
    src: &[u8],
    dst: &mut [T],
    canonical: bool,
) -> Result<Progress, BulkError> {
    let mut done = Progress::default();
    let mut before = previous;
    for block in dst.chunks_mut(DECODED_DELTAS) {
        let rest = &src[done.bytes..];
        if rest.is_empty() {
            break;
        }
        let mut outcome = destination::decode(block, |slots| slices.decode(rest, slots, canonical));
        let progress = outcome.unwrap_or_else(|failed| failed.progress);
        let values = &mut block[..progress.values];
        slices.add_up(before, values);
        if let Some(index) = slices.first_wrong(before, values) {
            outcome = Err(overflow(rest, index));
        }
        // Only the last block has fewer values than there are components.
        before = &values[values.len().saturating_sub(previous.len())..];
        done = continued(done, outcome)?;
    }
    Ok(done)
}

/// Returns a number of values that `src` cannot have more of: one more than the complete varints, for one
/// that the end cuts short, which has to be found.
#[cfg(feature = "alloc")]
pub(super) fn max_values(src: &[u8]) -> usize {
    if src.len() <= destination::BLOCK_VALUES { src.len() } else { src.len().min(bulk::count(src) + 1) }
}

/// Decodes at most `max` values, and appends them to `dst`.
#[cfg(feature = "alloc")]
pub(super) fn append<T: Integer>(
    slices: impl Slices<T::Format>,
    previous: &[T::Format],
    src: &[u8],
    max: usize,
    dst: &mut Vec<T>,
    canonical: bool,
) -> Result<Progress, BulkError> {
    let begin = dst.len();
    let decoded = destination::append(max, dst, |slots| slices.decode(src, cast_mut(slots), canonical));
    let values = cast_mut(&mut dst[begin..]);
    slices.add_up(previous, values);
    if let Some(index) = slices.first_wrong(previous, values) {
        dst.truncate(begin + index);
        return Err(overflow(src, index));
    }
    decoded
}

/// Returns the error of the varint at `index`, whose sum does not fit the type.
#[cold]
fn overflow(src: &[u8], index: usize) -> BulkError {
    let bytes = bulk::skip_values(src, index).unwrap_or_default();
    BulkError {
        progress: Progress { values: index, bytes },
        error: DecodeError::new(ErrorKind::Overflow, bytes),
    }
}
