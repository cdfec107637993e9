//! Scalar loops over slices: the reference for every kernel. Kernels also call them near the ends
//! of slices, and to report errors.

use core::mem::{self, MaybeUninit};
use core::slice;

use crate::error::{BulkError, DecodeError, ErrorKind, Progress};
use crate::scalar::rule::CONTINUE;
use crate::width::Width;

/// Encodes `src[from.values..]` into `dst[from.bytes..]`, and returns the length used of all of
/// `dst`, or `None` if `dst` is too small.
#[inline]
pub(crate) fn encode<T: Width>(src: &[T], dst: &mut [u8], from: Progress) -> Option<usize> {
    let available = dst.len();
    let mut encoding = Encoding { rest: dst.get_mut(from.bytes..)?, values: src.get(from.values..)?.iter() };
    while encoding.step()? {}
    Some(available - encoding.rest.len())
}

/// The state between two values.
#[repr(C)]
struct Encoding<'a, T> {
    rest: &'a mut [u8],
    values: slice::Iter<'a, T>,
}

impl<T: Width> Encoding<'_, T> {
    /// Encodes a value, and returns whether there was one, or `None` if there is no space for it.
    #[cfg_attr(not(proof_steps), inline(always))]
    #[cfg_attr(proof_steps, inline(never))]
    fn step(&mut self) -> Option<bool> {
        let Some(&value) = self.values.next() else { return Some(false) };
        let len = value.put_wire(self.rest)?;
        self.rest = mem::take(&mut self.rest).get_mut(len..)?;
        Some(true)
    }
}

/// Decodes from `src[from.bytes..]` into `dst[from.values..]` until `src` is exhausted or `dst` is
/// full, and rejects overlong encodings if `canonical` is set. The progress counts from the start
/// of both slices.
// Always inlined, so that callers with a constant for `canonical` do not test it.
#[inline(always)]
pub(crate) fn decode<T: Width>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
    canonical: bool,
) -> Result<Progress, BulkError> {
    let slots = dst.get_mut(from.values..).unwrap_or_default().iter_mut();
    let mut decoding = Decoding { src, at: from, slots };
    loop {
        match decoding.step(canonical) {
            Ok(true) => {}
            Ok(false) => return Ok(decoding.at),
            Err(error) => return Err(BulkError { progress: decoding.at, error }),
        }
    }
}

/// The state between two values.
#[repr(C)]
struct Decoding<'a, T> {
    src: &'a [u8],
    at: Progress,
    slots: slice::IterMut<'a, MaybeUninit<T>>,
}

impl<T: Width> Decoding<'_, T> {
    /// Decodes a value, and returns whether there was one and a slot for it.
    #[cfg_attr(not(proof_steps), inline(always))]
    #[cfg_attr(proof_steps, inline(never))]
    fn step(&mut self, canonical: bool) -> Result<bool, DecodeError> {
        let Progress { values, bytes } = self.at;
        let Some(slot) = self.slots.next() else { return Ok(false) };
        let Some(rest @ [_, ..]) = self.src.get(bytes..) else { return Ok(false) };
        match T::get_wire(rest, canonical) {
            Ok((value, len)) => {
                slot.write(value);
                self.at = Progress { values: values + 1, bytes: bytes + len };
                Ok(true)
            }
            Err(error) => Err(error.shifted(bytes)),
        }
    }
}

/// Returns the length of `src` without the incomplete value at its end.
///
/// Decoding the bytes before it never gives `Truncated`. A tail of `longest` or more
/// continuation bytes is invalid, so it is kept.
#[inline]
pub(crate) fn complete_len(src: &[u8], longest: usize) -> usize {
    let last_bytes = src.iter().rev().take(longest);
    let incomplete = last_bytes.take_while(|&&byte| byte >= CONTINUE).count();
    if incomplete < longest { src.len() - incomplete } else { src.len() }
}

/// Returns the length of the encodings of `src` in bytes.
///
/// The sum does not overflow: a slice has at most `isize::MAX` bytes, and no encoding is more than
/// twice as long as its value.
#[inline]
pub(crate) fn encoded_len<T: Width>(src: &[T]) -> usize {
    src.iter().map(|value| value.wire_len()).sum()
}

/// Returns the number of complete varints: each ends with its only byte below 0x80.
pub(crate) fn count(src: &[u8]) -> usize {
    src.chunks(BLOCK_BYTES).map(count_block).sum()
}

/// The number of bytes in a block of [`count`] and [`skip`].
const BLOCK_BYTES: usize = 64;

/// Returns the number of complete varints in at most one block. It is summed as a `u8`, so that the
/// compiler can use all lanes of a vector.
#[inline(always)]
fn count_block(block: &[u8]) -> usize {
    block.iter().map(|&byte| u8::from(byte < CONTINUE)).sum::<u8>().into()
}

/// Returns the length of the first `n` varints in bytes.
pub(crate) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    let mut left = n;
    let mut bytes = 0;
    for block in src.chunks_exact(BLOCK_BYTES) {
        let ends = count_block(block);
        if left <= ends {
            break;
        }
        left -= ends;
        bytes += block.len();
    }
    while left > 0 {
        let Some(&byte) = src.get(bytes) else {
            return Err(DecodeError::new(ErrorKind::Truncated, src.len()));
        };
        left -= usize::from(byte < CONTINUE);
        bytes += 1;
    }
    Ok(bytes)
}
