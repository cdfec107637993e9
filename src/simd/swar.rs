//! Words of 64 bits in place of vectors, for any CPU: wherever there is no better kernel.

use crate::backend::Backend;
use crate::error::{BulkError, Progress};
use crate::scalar::slice;
use crate::scalar::word::{self, BY_LENGTH, LENGTHS};
use crate::simd::end_mask::{OVERHANG, UNIFORM, WINDOW, ends_in};
use crate::simd::slices::slices;
use crate::width::Width;

struct Swar;

/// The backend. Every CPU has words.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    Some(&Swar)
}

slices!(Swar {
    encode(src, dst) => encode(src, dst, |value| value.to_raw() as u64),
    decode::<CANONICAL>(src, dst) => decode::<_, CANONICAL>(src, dst),
});

impl Backend for Swar {
    fn name(&self) -> &'static str {
        "swar"
    }
}

/// Encodes eight values at a time, the last ones by the scalar loop.
#[inline(always)]
fn encode<T: Width>(src: &[T], dst: &mut [u8], to_word: impl Fn(T) -> u64) -> Option<usize> {
    let mut done = Progress::default();
    for block in src.as_chunks::<8>().0 {
        let Some(room) = dst.get_mut(done.bytes..)?.first_chunk_mut::<80>() else { break };
        done.bytes += encode_eight(block.map(&to_word), room);
        done.values += 8;
    }
    slice::encode(src, dst, done)
}

/// Encodes eight values, at most ten bytes each; the bytes used.
#[inline(always)]
fn encode_eight(values: [u64; 8], dst: &mut [u8; 80]) -> usize {
    let any = values.iter().fold(0, |any, value| any | value);
    // The top bit says that one of them is below 128, unless one of them has it itself.
    let short = values.iter().fold(0, |short, value| short | value.wrapping_sub(1 << 7));
    if any < 1 << 7 {
        for (byte, value) in dst.iter_mut().zip(values) {
            *byte = value as u8;
        }
        8
    } else if any < 1 << 14 && short < 1 << 63 {
        for (pair, value) in dst.as_chunks_mut().0.iter_mut().zip(values) {
            *pair = (value as u16 & 0x7f | 0x80 | (value as u16) << 1 & 0x7f00).to_le_bytes();
        }
        16
    } else {
        let mut bytes = 0;
        for value in values {
            let len = LENGTHS[(value | 1).leading_zeros() as usize] as usize;
            let low = word::spread(value) | BY_LENGTH.continuations[len];
            let Some(to) = dst.get_mut(bytes..).and_then(<[u8]>::first_chunk_mut::<10>) else { return bytes };
            to[..8].copy_from_slice(&low.to_le_bytes());
            to[8..].copy_from_slice(&[(value >> 56) as u8, 1]);
            bytes += len;
        }
        bytes
    }
}

/// Decodes window by window, the last ones and whatever is no value by the scalar loop.
#[inline(always)]
fn decode<T: Width, const CANONICAL: bool>(src: &[u8], dst: &mut [T]) -> Result<Progress, BulkError> {
    let mut done = Progress::default();
    while let Some(bytes) = src.get(done.bytes..).and_then(<[u8]>::first_chunk)
        && let Some(slots) = dst.get_mut(done.values..).and_then(<[T]>::first_chunk_mut)
        && let Some(window) = bytes.first_chunk()
        && let Some(decoded) = decode_window::<T, CANONICAL>(bytes, ends_in::<WINDOW>(window), slots)
    {
        done.values += decoded.values;
        done.bytes += decoded.bytes;
    }
    slice::decode::<T, CANONICAL>(src, dst, done)
}

/// Decodes the values that end in a window. `None` where one of them is not valid, or none ends there.
#[inline(always)]
fn decode_window<T: Width, const CANONICAL: bool>(
    src: &[u8; WINDOW + OVERHANG],
    ends: u64,
    dst: &mut [T; WINDOW],
) -> Option<Progress> {
    if ends == u64::MAX {
        for (slot, &byte) in dst.iter_mut().zip(src) {
            *slot = T::from_raw(byte.into());
        }
        return Some(Progress { values: WINDOW, bytes: WINDOW });
    }
    if ends == UNIFORM[2] && T::MAX_BYTES > 2 {
        let mut least = u8::MAX;
        for (slot, &[low, high]) in dst.iter_mut().zip(src.as_chunks().0) {
            *slot = T::from_raw(u64::from(u16::from(low & 0x7f) | u16::from(high) << 7).try_into().ok()?);
            least = least.min(high);
        }
        return (least > 0 || !CANONICAL).then_some(Progress { values: WINDOW / 2, bytes: WINDOW });
    }
    let len = ends.trailing_zeros() as usize + 1;
    if UNIFORM.get(len) == Some(&ends) {
        let values = WINDOW / len;
        for (index, slot) in dst[..values].iter_mut().enumerate() {
            *slot = value_at::<T, CANONICAL>(src, index * len, len, len > 8)?;
        }
        return Some(Progress { values, bytes: values * len });
    }
    let mut rest = ends;
    let mut done = Progress::default();
    for slot in dst {
        if rest == 0 {
            break;
        }
        let end = rest.trailing_zeros() as usize + 1;
        *slot = value_at::<T, CANONICAL>(src, done.bytes, end - done.bytes, true)?;
        rest &= rest - 1;
        done = Progress { values: done.values + 1, bytes: end };
    }
    (done.values > 0).then_some(done)
}

/// The value of `len` bytes at `start`, `None` where it is not valid. Only where it `may_be_long` it has more than eight.
#[inline(always)]
fn value_at<T: Width, const CANONICAL: bool>(
    src: &[u8; WINDOW + OVERHANG],
    start: usize,
    len: usize,
    may_be_long: bool,
) -> Option<T> {
    // Every value starts within the window, which the compiler cannot know.
    let bytes = &src[start % WINDOW..];
    let head = u64::from_le_bytes(*bytes.first_chunk()?);
    let tail = if may_be_long { u16::from_le_bytes(*bytes[8..].first_chunk()?) } else { 0 };
    word::value((head, tail), len, CANONICAL, word::squeeze_ten)
}
