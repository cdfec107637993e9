//! Where decoded values go. The kernels write to slots that need not be initialized; the functions
//! here lend them a slice of values, or the spare capacity of a vector.
//!
//! # Why this is sound
//!
//! Two facts about the implementations of [`Slices`] are used, and no type expresses them:
//!
//! 1. They write nothing but initialized values to the slots, and never read one. A slot that held
//!    a value before the call holds a value after it.
//! 2. The `values` that a call reports, in `Ok` or in an error, are the number of slots from the
//!    first on to which it has written.
//!
//! `Slices` is private to this crate, so that these implementations are all there are: the scalar
//! loop, which writes a slot for each value that it counts, and the kernels in this folder.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::backend::Slices;
use crate::error::{BulkError, Progress};
use crate::width::Width;

/// Decodes into `dst`, as [`Slices::decode`] or, for `canonical`, [`Slices::decode_canonical`]
/// does.
#[inline]
pub(crate) fn decode<T: Width, S: Slices<T> + ?Sized>(
    slices: &S,
    canonical: bool,
    src: &[u8],
    dst: &mut [T],
) -> Result<Progress, BulkError> {
    // SAFETY: the implementations of `Slices` write nothing but initialized values (fact 1 above).
    let slots = unsafe { as_uninit(dst) };
    decode_uninit(slices, canonical, src, slots)
}

/// Decodes at most `max` values and appends them to `dst`. After an error, the values before it are
/// appended.
///
/// Reserves space for `max` values, but for no more than `src` can hold.
#[cfg(feature = "alloc")]
pub(crate) fn append<T: Width, S: Slices<T> + ?Sized>(
    slices: &S,
    canonical: bool,
    src: &[u8],
    max: usize,
    dst: &mut Vec<T>,
) -> Result<Progress, BulkError> {
    // A value takes one byte or more.
    let max = max.min(src.len());
    dst.reserve(max);
    let slots = &mut dst.spare_capacity_mut()[..max];
    let outcome = decode_uninit(slices, canonical, src, slots);
    let Progress { values, .. } = outcome.unwrap_or_else(|failed| failed.progress);
    assert!(values <= max, "{values} values decoded into space for {max}");
    // SAFETY: the spare capacity has `max` slots, and the first `values` of them, no more, have
    // been initialized (fact 2 above).
    unsafe { dst.set_len(dst.len() + values) };
    outcome
}

#[inline]
fn decode_uninit<T: Width, S: Slices<T> + ?Sized>(
    slices: &S,
    canonical: bool,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
) -> Result<Progress, BulkError> {
    if canonical { slices.decode_canonical(src, dst) } else { slices.decode(src, dst) }
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
