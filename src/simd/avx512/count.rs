//! Counts and skips values. Each ends with its only byte without continuation bit.

use core::arch::x86_64::*;

use super::vector::{BYTES, load, load_front, low_bits};
use crate::error::{DecodeError, ErrorKind};

/// Returns a mask in which bit i is set if byte i ends a value.
#[inline]
#[target_feature(enable = "avx512bw")]
fn ends(bytes: __m512i) -> u64 {
    !_mm512_movepi8_mask(bytes)
}

/// Returns the mask of `bytes`, of which there are at most 64.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
fn ends_at_front(bytes: &[u8]) -> u64 {
    ends(load_front(bytes)) & low_bits(bytes.len())
}

#[target_feature(enable = "avx512bw,bmi2,popcnt")]
pub(super) fn count(src: &[u8]) -> usize {
    let (vectors, tail) = src.as_chunks::<BYTES>();
    let mut count = ends_at_front(tail).count_ones() as usize;
    for vector in vectors {
        count += ends(load(vector)).count_ones() as usize;
    }
    count
}

#[target_feature(enable = "avx512bw,bmi1,bmi2,popcnt")]
pub(super) fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    let Some(mut before) = n.checked_sub(1) else {
        return Ok(0);
    };
    let (vectors, tail) = src.as_chunks::<BYTES>();
    let mut bytes = 0;
    for vector in vectors {
        let ends = ends(load(vector));
        let count = ends.count_ones() as usize;
        if before < count {
            return Ok(bytes + index_after(ends, before));
        }
        before -= count;
        bytes += BYTES;
    }
    let ends = ends_at_front(tail);
    if before < ends.count_ones() as usize {
        return Ok(bytes + index_after(ends, before));
    }
    Err(DecodeError::new(ErrorKind::Truncated, src.len()))
}

/// Returns the index after the end that has `before` ends before it. There must be such an end.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn index_after(ends: u64, before: usize) -> usize {
    _pdep_u64(1 << before, ends).trailing_zeros() as usize + 1
}
