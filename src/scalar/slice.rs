//! Slices by a scalar loop: the reference for every kernel, and what kernels call for their tails.

use crate::error::{BulkError, DecodeError, ErrorKind, Progress};
use crate::scalar::value::CONTINUE;
use crate::width::Width;

/// Encodes `src[from.values..]` to `dst[from.bytes..]`; the bytes used in all, or `None` where it does not fit.
pub(crate) fn encode<T: Width>(src: &[T], dst: &mut [u8], from: Progress) -> Option<usize> {
    let mut bytes = from.bytes;
    for &value in src.get(from.values..)? {
        bytes += value.put(dst.get_mut(bytes..)?)?;
    }
    Some(bytes)
}

/// Decodes from `src[from.bytes..]` to `dst[from.values..]`, until one of them ends.
pub(crate) fn decode<T: Width, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [T],
    from: Progress,
) -> Result<Progress, BulkError> {
    let mut progress = from;
    for slot in dst.get_mut(from.values..).unwrap_or_default() {
        let rest = src.get(progress.bytes..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
        match T::get::<CANONICAL>(rest) {
            Ok((value, len)) => {
                *slot = value;
                progress.values += 1;
                progress.bytes += len;
            }
            Err(error) => {
                return Err(BulkError { progress, error: error.shifted(progress.bytes) });
            }
        }
    }
    Ok(progress)
}

/// Bytes that the encodings of `src` take. No overflow: no encoding is twice as long as its value, and a slice has
/// `isize::MAX` bytes at most.
pub(crate) fn encoded_len<T: Width>(src: &[T]) -> usize {
    src.iter().map(|value| value.len()).sum()
}

/// Complete varints: every one ends with the only byte below 0x80 in it.
pub(crate) fn count(src: &[u8]) -> usize {
    src.iter().filter(|&&byte| byte < CONTINUE).count()
}

/// Bytes of the first `n` varints.
pub(crate) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    if n == 0 {
        return Ok(0);
    }
    let ends = src.iter().enumerate().filter(|(_, byte)| **byte < CONTINUE);
    match ends.map(|(at, _)| at).nth(n - 1) {
        Some(last) => Ok(last + 1),
        None => Err(DecodeError::new(ErrorKind::Truncated, src.len())),
    }
}
