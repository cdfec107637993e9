//! Blocks of numbers on the wire, and the values of fields for them.

use core::mem::{self, MaybeUninit};

use super::field::Field;
use crate::bulk;
use crate::error::{BulkError, DecodeError, ErrorKind, Progress, continued};
use crate::kernel::Kernel;
use crate::simd::destination;
use crate::wire::Wire;

/// Returns the value of a number that has `len` bytes on the wire. The last of them decides whether an
/// encoding is canonical, so that it is the place of either error.
#[inline(always)]
pub(super) fn value<F: Field>(number: u64, len: usize, canonical: bool) -> Result<F::Value, DecodeError> {
    let value = F::from_number(number);
    if canonical && number != F::to_number(value) {
        return Err(DecodeError::new(ErrorKind::Overflow, len - 1));
    }
    Ok(value)
}

/// Decodes blocks of numbers, and converts them.
#[inline(always)]
pub(super) fn load_numbers<F: Field>(
    kernel: Option<Kernel>,
    src: &[u8],
    dst: &mut [MaybeUninit<F::Value>],
    canonical: bool,
) -> Result<Progress, BulkError> {
    let (max, mut rest) = (dst.len(), dst);
    in_number_blocks::<F>(kernel, src, max, canonical, |numbers| {
        let (slots, after) = mem::take(&mut rest).split_at_mut(numbers.len());
        for (slot, number) in slots.iter_mut().zip(numbers) {
            slot.write(F::from_number(*number));
        }
        rest = after;
    })
}

/// Decodes blocks of numbers, and appends their values.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn append_numbers<F: Field>(
    src: &[u8],
    dst: &mut alloc::vec::Vec<F::Value>,
    canonical: bool,
) -> Result<usize, BulkError> {
    let append = |numbers: &[u64]| {
        destination::reserve(numbers.len(), dst);
        dst.extend(numbers.iter().map(|number| F::from_number(*number)));
    };
    if !canonical && src.len() <= destination::BLOCK_VALUES {
        // One block has them all.
        let decode = |slots: &mut [_]| u64::load_all(None, src, slots, false);
        return destination::decode_block(decode, append).map(|progress| progress.values);
    }
    let kernel = Kernel::detect();
    destination::reserve(kernel.count(src), dst);
    let append = |numbers: &[u64]| dst.extend(numbers.iter().map(|number| F::from_number(*number)));
    let decoded = in_number_blocks::<F>(Some(kernel), src, usize::MAX, canonical, append);
    decoded.map(|progress| progress.values)
}

/// Decodes at most `max` numbers in blocks, which it passes to `take`: those before the first
/// error.
#[inline(always)]
fn in_number_blocks<F: Field>(
    kernel: Option<Kernel>,
    src: &[u8],
    max: usize,
    canonical: bool,
    mut take: impl FnMut(&[u64]),
) -> Result<Progress, BulkError> {
    let mut done = Progress::default();
    let misfit = |number: &u64| canonical && F::to_number(F::from_number(*number)) != *number;
    while done.values < max && done.bytes < src.len() {
        let rest = &src[done.bytes..];
        let room = max - done.values;
        let mut values = 0;
        let decoded = destination::decode_block(
            |numbers| {
                let len = room.min(numbers.len());
                u64::load_all(kernel, rest, &mut numbers[..len], canonical)
            },
            |numbers| {
                values = if canonical {
                    numbers.iter().position(misfit).unwrap_or(numbers.len())
                } else {
                    numbers.len()
                };
                take(&numbers[..values]);
            },
        );
        if values < decoded.unwrap_or_else(|failed| failed.progress).values {
            let bytes = bulk::skip_values(rest, values).unwrap_or_default();
            let progress = done.then(Progress { values, bytes });
            return Err(exact::<F>(src)(BulkError {
                progress,
                error: DecodeError::new(ErrorKind::Overflow, 0),
            }));
        }
        done = continued(done, decoded)?;
    }
    Ok(done)
}

/// Replaces an error by that of the field's own decoder, at the same value.
pub(super) fn exact<F: Field>(src: &[u8]) -> impl Fn(BulkError) -> BulkError {
    |BulkError { progress, error }| {
        let load = F::load(&src[progress.bytes..], true);
        BulkError { progress, error: load.map_or_else(|error| error.shifted(progress.bytes), |_| error) }
    }
}

/// The number of values that are converted and encoded at a time, on the stack.
pub(super) const BLOCK_VALUES: usize = 256;
/// The same for short fields, for which filling a longer block with zeros would take most of the
/// time.
const SHORT_BLOCK_VALUES: usize = 32;

/// Adds up the numbers of bytes of all blocks. `bytes_of` gets a block and the number of bytes
/// before it.
pub(super) fn in_blocks(
    values: &[i32],
    mut bytes_of: impl FnMut(&[i32], usize) -> Option<usize>,
) -> Option<usize> {
    values.chunks(BLOCK_VALUES).try_fold(0, |done, block| Some(done + bytes_of(block, done)?))
}

pub(super) fn any_negative(values: &[i32]) -> bool {
    values.iter().fold(0, |any, value| any | value) < 0
}

/// Passes the numbers on the wire to `take`.
pub(super) fn with_numbers<R>(values: &[i32], take: impl FnOnce(&[u64]) -> R) -> R {
    fn in_array<const N: usize, R>(values: &[i32], take: impl FnOnce(&[u64]) -> R) -> R {
        let mut numbers = [0; N];
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = i64::from(*value) as u64; // the sign is copied
        }
        take(&numbers[..values.len()])
    }
    if values.len() <= SHORT_BLOCK_VALUES {
        in_array::<SHORT_BLOCK_VALUES, R>(values, take)
    } else {
        in_array::<BLOCK_VALUES, R>(values, take)
    }
}
