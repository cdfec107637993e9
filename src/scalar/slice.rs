//! Slices by a scalar loop: the reference for every kernel, and what kernels call for their tails.

use core::mem::MaybeUninit;

use crate::error::{BulkError, DecodeError, ErrorKind, Progress};
use crate::scalar::value::CONTINUE;
use crate::width::Width;

/// Encodes `src[from.values..]` to `dst[from.bytes..]`; the bytes used in all, or `None` where it does not fit.
#[inline]
pub(crate) fn encode<T: Width>(src: &[T], dst: &mut [u8], from: Progress) -> Option<usize> {
    let available = dst.len();
    let mut rest = dst.get_mut(from.bytes..)?;
    for &value in src.get(from.values..)? {
        let len = value.put_wire(rest)?;
        rest = rest.get_mut(len..)?;
    }
    Some(available - rest.len())
}

/// Decodes from `src[from.bytes..]` to `dst[from.values..]`, until one of them ends.
#[inline]
pub(crate) fn decode<T: Width, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
) -> Result<Progress, BulkError> {
    let mut bytes = from.bytes;
    let mut values = from.values;
    for slot in dst.get_mut(values..).unwrap_or_default() {
        let Some(rest @ [_, ..]) = src.get(bytes..) else { break };
        match T::get_wire::<CANONICAL>(rest) {
            Ok((value, len)) => {
                slot.write(value);
                bytes += len;
                values += 1;
            }
            Err(error) => {
                return Err(BulkError { progress: Progress { values, bytes }, error: error.shifted(bytes) });
            }
        }
    }
    Ok(Progress { values, bytes })
}

/// Bytes that the encodings of `src` take. No overflow: no encoding is twice as long as its value, and a slice has
/// `isize::MAX` bytes at most.
#[inline]
pub(crate) fn encoded_len<T: Width>(src: &[T]) -> usize {
    src.iter().map(|value| value.wire_len()).sum()
}

/// Complete varints: every one ends with the only byte below 0x80 in it.
pub(crate) fn count(src: &[u8]) -> usize {
    let (blocks, rest) = src.as_chunks();
    let ends = rest.iter().filter(|&&byte| byte < CONTINUE).count();
    blocks.iter().fold(ends, |ends, block| ends + count_block(block))
}

/// Complete varints in a block. Counted in bytes, many of which go into a vector.
#[inline(always)]
fn count_block(block: &[u8; 64]) -> usize {
    block.iter().map(|&byte| u8::from(byte < CONTINUE)).sum::<u8>().into()
}

/// Bytes of the first `n` varints.
pub(crate) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    let mut left = n;
    let mut bytes = 0;
    for block in src.as_chunks().0 {
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
