//! A buffer for the end of a slice, where no window fits.

use core::mem::MaybeUninit;

use super::at::At;
use super::window::{OVERHANG, SLACK, WINDOW};
use crate::scalar::rule::CONTINUE;
use crate::scalar::slice;
use crate::simd::lane::Lane;

/// The most bytes that are copied to a buffer at a time.
const SPAN: usize = 2 * WINDOW;
/// The number of bytes after them, with which the last byte is in a window that can be decoded.
const PADDING: usize = WINDOW + OVERHANG - 1;

/// Returns the bytes that must follow the last byte to decode. They are encodings of the greatest
/// length, so that they decode to as few values as possible.
const fn padding<T: Lane>() -> [u8; PADDING] {
    let mut padding = [0xff; PADDING];
    let mut last = T::MAX_BYTES - 1;
    while last < padding.len() {
        padding[last] = T::LAST_MAX;
        last += T::MAX_BYTES;
    }
    padding
}

/// The values that are left of `src`, with padding after them, and slots for what they decode to.
pub(in super::super) struct Buffer<T> {
    bytes: [u8; SPAN + PADDING],
    /// The length of the values, without the padding.
    len: usize,
    values: [MaybeUninit<T>; SPAN + PADDING + SLACK],
}

impl<T: Lane> Buffer<T> {
    #[inline]
    pub(in super::super) fn new() -> Self {
        let values = [const { MaybeUninit::uninit() }; SPAN + PADDING + SLACK];
        Self { bytes: [0; SPAN + PADDING], len: 0, values }
    }

    /// Copies whole values for `dst`, and returns whether there are any.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    pub(in super::super) fn fill(&mut self, src: &[u8], dst: &[MaybeUninit<T>], from: At) -> bool {
        let (rest, slots) = (&src[from.bytes..], &dst[from.values..]);
        let rest = &rest[..rest.len().min(SPAN).min(T::MAX_BYTES * slots.len())];
        let Some(last) = rest.iter().rposition(|&byte| byte < CONTINUE) else { return false };
        let (whole, padding) = (&rest[..=last], const { &padding::<T>() });
        self.bytes[..whole.len()].copy_from_slice(whole);
        self.bytes[whole.len()..][..padding.len()].copy_from_slice(padding);
        self.len = whole.len();
        true
    }

    /// Returns the values with the padding, and the slots.
    #[inline]
    pub(in super::super) fn parts(&mut self) -> (&[u8], &mut [MaybeUninit<T>]) {
        (&self.bytes[..self.len + PADDING], &mut self.values)
    }

    /// Copies what was `done` of the buffer to `dst`, without the values of the padding and those for
    /// which there is no space.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    pub(in super::super) fn take(&self, mut done: At, dst: &mut [MaybeUninit<T>], from: At) -> At {
        let slots = &mut dst[from.values..];
        let whole = &self.bytes[..self.len];
        if done.bytes > whole.len() {
            let values = done.values - (done.bytes - whole.len()) / T::MAX_BYTES;
            done = At { values, bytes: whole.len() };
        }
        if done.values > slots.len() {
            done = At { values: slots.len(), bytes: slice::skip(whole, slots.len()).unwrap_or(0) };
        }
        slots[..done.values].copy_from_slice(&self.values[..done.values]);
        At { values: from.values + done.values, bytes: from.bytes + done.bytes }
    }
}
