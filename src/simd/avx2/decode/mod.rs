//! Decoding by windows of 64 bytes, each in the way that fits its values.

mod dense;
mod sparse;
mod squeeze;
mod tables;
mod uniform;
mod window;

use core::mem::MaybeUninit;

use super::count::ends;
use crate::error::{BulkError, Progress};
use crate::scalar::slice;
use crate::scalar::value::CONTINUE;
use crate::simd::end_mask::UNIFORM;
use crate::simd::lane::Lane;
use dense::dense;
use sparse::sparse;
use uniform::uniform;
use window::{REACH, SLACK, WINDOW, Window};

/// Values that the scalar loop decodes where a window is suspicious; twice as many each time that
/// the next window is suspicious too.
const SCALAR_RUN: usize = 16;
/// The most that they are doubled to.
const LONGEST_SCALAR_RUN: usize = 1 << 12;
/// Less input than this is for the scalar loop if its values are long, and so few.
const FEW: usize = 4 * WINDOW;
/// Bytes that are copied to a buffer at a time where the end is near.
const SPAN: usize = 2 * WINDOW;

/// Whether a call with `bytes` bytes and room for `room` values is better not left to the scalar
/// loop. A window is decoded whole: where there is room for part of it only, most of the work is
/// for nothing.
pub(super) fn worthwhile(bytes: usize, room: usize) -> bool {
    bytes >= WINDOW && room >= WINDOW
}

/// The same for the rest of a longer call, whose branches the scalar loop has not learnt.
fn worthwhile_rest(bytes: usize, room: usize) -> bool {
    bytes >= WINDOW && room >= 8
}

/// Decodes until `src` or `dst` ends.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode<T: Lane, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
) -> Result<Progress, BulkError> {
    let mut at = Progress::default();
    if src.len() < FEW && src.first_chunk().is_some_and(|bytes| ends(bytes).count_ones() <= 4) {
        return slice::decode::<T, CANONICAL>(src, dst, at);
    }
    let mut scalar_run = SCALAR_RUN;
    loop {
        let (bytes, room) = (src.len() - at.bytes, dst.len() - at.values);
        if !worthwhile_rest(bytes, room) {
            return slice::decode::<T, CANONICAL>(src, dst, at);
        }
        let before = at;
        at = windows::<T, CANONICAL>(src, dst, at);
        if at == before {
            at = buffered::<T, CANONICAL>(src, dst, at);
        }
        if at == before {
            let limit = dst.len().min(at.values + scalar_run);
            at = slice::decode::<T, CANONICAL>(src, &mut dst[..limit], at)?;
            scalar_run = LONGEST_SCALAR_RUN.min(2 * scalar_run);
        } else {
            scalar_run = SCALAR_RUN;
        }
    }
}

/// Decodes as long as there are whole windows and nothing is suspicious. May write to slots behind
/// the last value.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn windows<T: Lane, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
) -> Progress {
    let mut at = from;
    loop {
        let before = at;
        let Some(bytes) = src[at.bytes..].first_chunk() else { return at };
        let ends = Window::load(bytes).ends();
        let len = 1 + ends.trailing_zeros() as usize;
        if len <= T::MAX_BYTES && ends == UNIFORM[len] {
            at = uniform::<T, CANONICAL>(len, src, dst, at);
        }
        if at == before {
            at = if is_dense::<T>(ends.count_ones()) {
                dense::<T, CANONICAL>(src, dst, at)
            } else {
                sparse::<T, CANONICAL>(src, dst, at)
            };
        }
        if at == before {
            return at;
        }
    }
}

/// Whether a window of `values` values is for [`dense`].
fn is_dense<T: Lane>(values: u32) -> bool {
    match T::MAX_BYTES {
        3 => true,
        5 => values > 24,
        _ => values > 18,
    }
}

/// As many bytes as have to lie behind the last that is to be decoded: of values that are as long,
/// so as few, as can be.
const fn padding<T: Lane>() -> [u8; REACH - 1] {
    let mut padding = [0xff; REACH - 1];
    let mut last = T::MAX_BYTES - 1;
    while last < padding.len() {
        padding[last] = T::LAST_MAX;
        last += T::MAX_BYTES;
    }
    padding
}

/// Decodes near an end of `src` or `dst`, where windows have no room: by way of buffers that have
/// it.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn buffered<T: Lane, const CANONICAL: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    from: Progress,
) -> Progress {
    let (rest, room) = (&src[from.bytes..], &mut dst[from.values..]);
    let rest = &rest[..rest.len().min(SPAN).min(T::MAX_BYTES * room.len())];
    // Whole values only, and behind them others, which do not count.
    let Some(last) = rest.iter().rposition(|&byte| byte < CONTINUE) else { return from };
    let (whole, padding) = (&rest[..=last], const { &padding::<T>() });
    let mut bytes = [0; SPAN + REACH - 1];
    bytes[..whole.len()].copy_from_slice(whole);
    bytes[whole.len()..][..padding.len()].copy_from_slice(padding);
    let mut values = [const { MaybeUninit::uninit() }; SPAN + REACH + SLACK];
    let bytes = &bytes[..whole.len() + padding.len()];
    let mut done = windows::<T, CANONICAL>(bytes, &mut values, Progress::default());
    if done.bytes > whole.len() {
        let values = done.values - (done.bytes - whole.len()) / T::MAX_BYTES;
        done = Progress { values, bytes: whole.len() };
    }
    if done.values > room.len() {
        done = Progress { values: room.len(), bytes: slice::skip(whole, room.len()).unwrap_or(0) };
    }
    room[..done.values].copy_from_slice(&values[..done.values]);
    Progress { values: from.values + done.values, bytes: from.bytes + done.bytes }
}
