//! Count and skip: each value ends with its only byte without continuation bit.

use core::arch::x86_64::*;

use super::vector::{BYTES, load, load_front, low_bits};
use crate::error::{DecodeError, ErrorKind};

/// Bit i: byte i ends a value.
#[inline]
#[target_feature(enable = "avx512bw")]
fn ends(bytes: __m512i) -> u64 {
    !_mm512_movepi8_mask(bytes)
}

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
            return Ok(bytes + behind(ends, before));
        }
        before -= count;
        bytes += BYTES;
    }
    let ends = ends_at_front(tail);
    if before < ends.count_ones() as usize {
        return Ok(bytes + behind(ends, before));
    }
    Err(DecodeError::new(ErrorKind::Truncated, src.len()))
}

/// The index behind the end that has `before` others before it, fewer than there are.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
fn behind(ends: u64, before: usize) -> usize {
    _pdep_u64(1 << before, ends).trailing_zeros() as usize + 1
}
