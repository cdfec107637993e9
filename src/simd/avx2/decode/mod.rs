//! Decodes windows of 64 bytes, each by the loop that suits its values.

mod steps;

use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress};
use crate::simd::end_mask::{UNIFORM, ends_in};
use crate::simd::lane::Lane;
use steps::{At, Buffer, OVERHANG, WINDOW, Window, dense, rest, some, sparse, uniform};
#[cfg(kernel = "avx512")]
pub(in crate::simd) use steps::{dense_from, uniform_from};

/// The number of values that the scalar loop decodes when a window is suspicious. It doubles each
/// time that the next window is suspicious too.
const SCALAR_RUN: usize = 16;
/// The upper limit of that number.
const LONGEST_SCALAR_RUN: usize = 1 << 12;
/// An input shorter than this is left to the scalar loop if its values are long, and therefore few.
const FEW_BYTES: usize = 4 * WINDOW;

/// Returns whether this kernel is faster than the scalar loop for a call with `bytes` bytes and
/// space for `space` values.
///
/// A window is decoded as a whole. If there is space for only a part of its values, most of the
/// work is wasted.
pub(super) fn worthwhile(bytes: usize, space: usize) -> bool {
    bytes >= WINDOW && space >= WINDOW
}

/// Returns the same for the rest of a longer call. The limit is lower, because the branches of the
/// scalar loop are not yet predicted.
fn worthwhile_rest(bytes: usize, space: usize) -> bool {
    bytes >= WINDOW && space >= 8
}

/// Decodes until `src` is exhausted or `dst` is full.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode<T: Lane>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    canonical: bool,
) -> Result<Progress, BulkError> {
    let mut at = At::default();
    if src.len() < FEW_BYTES && src.first_chunk::<32>().is_some_and(|bytes| ends_in(bytes).count_ones() <= 4)
    {
        return rest(src, dst, at, canonical);
    }
    let mut scalar_run = SCALAR_RUN;
    loop {
        let (bytes, space) = (src.len() - at.bytes(), dst.len() - at.values());
        if !worthwhile_rest(bytes, space) {
            return rest(src, dst, at, canonical);
        }
        let before = at;
        at = windows(src, dst, at, canonical);
        if at == before {
            at = buffered(src, dst, at, canonical);
        }
        if at == before {
            at = some(src, dst, at, scalar_run, canonical)?;
            scalar_run = LONGEST_SCALAR_RUN.min(2 * scalar_run);
        } else {
            scalar_run = SCALAR_RUN;
        }
    }
}

/// Decodes while whole windows are left and none is suspicious. It may write to slots after the
/// last value.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn windows<T: Lane>(src: &[u8], dst: &mut [MaybeUninit<T>], from: At, canonical: bool) -> At {
    let mut at = from;
    loop {
        let before = at;
        let rest = &src[at.bytes()..];
        // After the last value of a buffer are fewer bytes, so that its padding is not decoded alone.
        let Some(bytes) = rest.first_chunk().filter(|_| rest.len() >= WINDOW + OVERHANG) else { return at };
        let ends = Window::load(bytes).ends();
        let len = 1 + ends.trailing_zeros() as usize;
        if len <= T::MAX_BYTES && ends == UNIFORM[len] {
            at = uniform(len, src, dst, at, canonical);
        }
        if const { T::MAX_BYTES > 3 } && at == before && !is_dense::<T>(ends.count_ones()) {
            at = sparse(src, dst, at, canonical);
        }
        if at == before {
            at = dense(src, dst, at, canonical);
        }
        if at == before {
            return at;
        }
    }
}

/// Returns whether [`dense`] is the loop for windows of which the first has `values` values.
fn is_dense<T: Lane>(values: u32) -> bool {
    values > if T::MAX_BYTES > 5 { 18 } else { 24 }
}

/// Decodes near the end of `src` or `dst`, where no window fits.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn buffered<T: Lane>(src: &[u8], dst: &mut [MaybeUninit<T>], from: At, canonical: bool) -> At {
    let mut buffer = Buffer::new();
    if !buffer.fill(src, dst, from) {
        return from;
    }
    let (bytes, values) = buffer.parts();
    let done = windows(bytes, values, At::default(), canonical);
    buffer.take(done, dst, from)
}
