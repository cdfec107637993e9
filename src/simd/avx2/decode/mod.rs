//! Decodes windows of 64 bytes, each by the loop that suits its values.

mod dense;
mod sparse;
mod squeeze;
mod uniform;
mod window;

use core::mem::MaybeUninit;

use super::count::ends;
use crate::error::{BulkError, Progress};
use crate::scalar::slice;
use crate::scalar::value::CONTINUE;
use crate::simd::end_mask::UNIFORM;
use crate::simd::lane::Lane;
use crate::simd::scalar;
use dense::dense;
use sparse::sparse;
use uniform::uniform;
use window::{REACH, SLACK, WINDOW, Window};

/// The number of values that the scalar loop decodes when a window is suspicious. It doubles each
/// time that the next window is suspicious too.
const SCALAR_RUN: usize = 16;
/// The upper limit of that number.
const LONGEST_SCALAR_RUN: usize = 1 << 12;
/// An input shorter than this is left to the scalar loop if its values are long, and therefore few.
const FEW: usize = 4 * WINDOW;
/// The most bytes that are copied to a buffer at a time near the end of a slice.
const SPAN: usize = 2 * WINDOW;

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
    let mut at = Progress::default();
    if src.len() < FEW && src.first_chunk().is_some_and(|bytes| ends(bytes).count_ones() <= 4) {
        return scalar::decode(src, dst, at, canonical);
    }
    let mut scalar_run = SCALAR_RUN;
    loop {
        let (bytes, space) = (src.len() - at.bytes, dst.len() - at.values);
        if !worthwhile_rest(bytes, space) {
            return scalar::decode(src, dst, at, canonical);
        }
        let before = at;
        at = windows(src, dst, at, canonical);
        if at == before {
            at = buffered(src, dst, at, canonical);
        }
        if at == before {
            let limit = dst.len().min(at.values + scalar_run);
            at = scalar::decode(src, &mut dst[..limit], at, canonical)?;
            scalar_run = LONGEST_SCALAR_RUN.min(2 * scalar_run);
        } else {
            scalar_run = SCALAR_RUN;
        }
    }
}

/// Decodes while whole windows are left and none is suspicious. It may write to slots after the
/// last value.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn windows<T: Lane>(src: &[u8], dst: &mut [MaybeUninit<T>], from: Progress, canonical: bool) -> Progress {
    let mut at = from;
    loop {
        let before = at;
        let Some(bytes) = src[at.bytes..].first_chunk() else { return at };
        let ends = Window::load(bytes).ends();
        let len = 1 + ends.trailing_zeros() as usize;
        if len <= T::MAX_BYTES && ends == UNIFORM[len] {
            at = uniform(len, src, dst, at, canonical);
        }
        if at == before {
            at = if is_dense::<T>(ends.count_ones()) {
                dense(src, dst, at, canonical)
            } else {
                sparse(src, dst, at, canonical)
            };
        }
        if at == before {
            return at;
        }
    }
}

/// Returns whether [`dense`] is the loop for a window in which `values` values end.
fn is_dense<T: Lane>(values: u32) -> bool {
    match T::MAX_BYTES {
        3 => true,
        5 => values > 24,
        _ => values > 18,
    }
}

/// Returns the bytes that must follow the last byte to decode. They are encodings of the greatest
/// length, so that they decode to as few values as possible.
const fn padding<T: Lane>() -> [u8; REACH - 1] {
    let mut padding = [0xff; REACH - 1];
    let mut last = T::MAX_BYTES - 1;
    while last < padding.len() {
        padding[last] = T::LAST_MAX;
        last += T::MAX_BYTES;
    }
    padding
}

/// Decodes near the end of `src` or `dst`, where no window fits: it copies the input to a buffer
/// with padding after it, and the values from another buffer.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn buffered<T: Lane>(src: &[u8], dst: &mut [MaybeUninit<T>], from: Progress, canonical: bool) -> Progress {
    let (rest, slots) = (&src[from.bytes..], &mut dst[from.values..]);
    let rest = &rest[..rest.len().min(SPAN).min(T::MAX_BYTES * slots.len())];
    // Only whole values, and after them the padding, whose values are dropped.
    let Some(last) = rest.iter().rposition(|&byte| byte < CONTINUE) else { return from };
    let (whole, padding) = (&rest[..=last], const { &padding::<T>() });
    let mut bytes = [0; SPAN + REACH - 1];
    bytes[..whole.len()].copy_from_slice(whole);
    bytes[whole.len()..][..padding.len()].copy_from_slice(padding);
    let mut values = [const { MaybeUninit::uninit() }; SPAN + REACH + SLACK];
    let bytes = &bytes[..whole.len() + padding.len()];
    let mut done = windows::<T>(bytes, &mut values, Progress::default(), canonical);
    if done.bytes > whole.len() {
        let values = done.values - (done.bytes - whole.len()) / T::MAX_BYTES;
        done = Progress { values, bytes: whole.len() };
    }
    if done.values > slots.len() {
        done = Progress { values: slots.len(), bytes: slice::skip(whole, slots.len()).unwrap_or(0) };
    }
    slots[..done.values].copy_from_slice(&values[..done.values]);
    Progress { values: from.values + done.values, bytes: from.bytes + done.bytes }
}
