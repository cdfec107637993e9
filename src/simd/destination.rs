//! Decoding into a slice of values, or into the spare capacity of a vector.
//!
//! The kernels write to slots that need not be initialized. The functions here provide such slots.
//!
//! # Why this is sound
//!
//! The unsafe code relies on two properties of every implementation of [`Slices`], which the type
//! system does not express:
//!
//! 1. It writes only initialized values to the slots, and never reads one. A slot that held a value
//!    before a call holds a value after it.
//! 2. It has written every slot up to the `values` that it reports, in `Ok` or in an error.
//!
//! `Slices` is private to this crate. Its only implementations are the scalar loop, which writes a
//! slot for each value that it counts, the kernels in this folder, and `Backend`, which calls one of
//! these.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::backend::Slices;
use crate::error::{BulkError, Progress};
use crate::width::Width;

/// Decodes into `dst` by [`Slices::decode`].
#[inline]
pub(crate) fn decode<T: Width, S: Slices<T>>(
    slices: S,
    canonical: bool,
    src: &[u8],
    dst: &mut [T],
) -> Result<Progress, BulkError> {
    // SAFETY: `slices` writes only initialized values (property 1 above).
    let slots = unsafe { as_uninit(dst) };
    slices.decode(src, slots, canonical)
}

/// Decodes at most `max` values and appends them to `dst`. If there is an error, the values before
/// it are appended.
///
/// Reserves space for `max` values, or for one per byte of `src` if that is less.
#[cfg(feature = "alloc")]
pub(crate) fn append<T: Width, S: Slices<T>>(
    slices: S,
    canonical: bool,
    src: &[u8],
    max: usize,
    dst: &mut Vec<T>,
) -> Result<Progress, BulkError> {
    // A value takes one byte or more.
    let max = max.min(src.len());
    dst.reserve(max);
    let slots = &mut dst.spare_capacity_mut()[..max];
    let outcome = slices.decode(src, slots, canonical);
    let Progress { values, .. } = outcome.unwrap_or_else(|failed| failed.progress);
    assert!(values <= max, "{values} values decoded into space for {max}");
    // SAFETY: `values` is at most `max`, which the capacity covers, and `slices` has initialized
    // that number of slots (property 2 above).
    unsafe { dst.set_len(dst.len() + values) };
    outcome
}

/// The greatest number of values in a block of [`decode_block`].
pub(crate) const BLOCK: usize = 256;

/// Decodes values from the start of `src` until it is exhausted or there are [`BLOCK`] values, and
/// passes the values to `take`. They are stored on the stack.
#[inline]
pub(crate) fn decode_block<T: Width, S: Slices<T>>(
    slices: S,
    canonical: bool,
    src: &[u8],
    take: impl FnOnce(&[T]),
) -> Result<Progress, BulkError> {
    let mut slots = [const { MaybeUninit::uninit() }; BLOCK];
    let outcome = slices.decode(src, &mut slots, canonical);
    let Progress { values, .. } = outcome.unwrap_or_else(|failed| failed.progress);
    let slots = &slots[..values];
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, and `slices` has initialized the slots
    // (property 2 above).
    take(unsafe { &*(core::ptr::from_ref(slots) as *const [T]) });
    outcome
}

/// Returns `values` as slots that need not be initialized.
///
/// # Safety
///
/// Nothing but initialized values may be written to the slots.
#[inline(always)]
pub(super) unsafe fn as_uninit<T>(values: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`. The lifetime and the length are those of
    // `values`, and the caller ensures that every slot still holds a value at the end.
    unsafe { &mut *(core::ptr::from_mut(values) as *mut [MaybeUninit<T>]) }
}
