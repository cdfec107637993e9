//! Decoding into a slice of values, or into the spare capacity of a vector.
//!
//! The kernels write to slots that need not be initialized. The functions here provide such slots.
//!
//! # Why this is sound
//!
//! The unsafe code relies on two properties of every function that it is given, which the type
//! system does not express:
//!
//! 1. It writes only initialized values to the slots, and never reads one. A slot that held a value
//!    before a call holds a value after it.
//! 2. It has written every slot up to the `values` that it reports, in `Ok` or in an error.
//!
//! All of them call `load_all` of the trait [`Wire`](crate::wire::Wire), or `decode` of a kernel.
//! Both traits are private to this crate. Their implementations are the scalar loop, which writes a
//! slot for each value that it counts, the kernels in this folder, and those that call one of
//! these.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress};

/// Decodes into `dst`, by a function with properties 1 and 2.
#[inline(always)]
pub(crate) fn decode<V: Copy>(
    dst: &mut [V],
    decode: impl FnOnce(&mut [MaybeUninit<V>]) -> Result<Progress, BulkError>,
) -> Result<Progress, BulkError> {
    // SAFETY: `decode` writes only initialized values (property 1 above).
    decode(unsafe { as_uninit(dst) })
}

/// Decodes at most `max` values and appends them to `dst`. If there is an error, the values before
/// it are appended.
///
/// Reserves space for `max` values.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn append<V: Copy>(
    max: usize,
    dst: &mut Vec<V>,
    decode: impl FnOnce(&mut [MaybeUninit<V>]) -> Result<Progress, BulkError>,
) -> Result<Progress, BulkError> {
    reserve(max, dst);
    let slots = &mut dst.spare_capacity_mut()[..max];
    let outcome = decode(slots);
    let Progress { values, .. } = outcome.unwrap_or_else(|failed| failed.progress);
    assert!(values <= max, "{values} values decoded into space for {max}");
    // SAFETY: `values` is at most `max`, which the capacity covers, and `decode` has initialized
    // that number of slots (property 2 above).
    unsafe { dst.set_len(dst.len() + values) };
    outcome
}

/// Reserves space for `n` more values: no more than that if `dst` has no capacity yet. `Vec::reserve` would
/// give four or eight values at least.
///
/// All values of a call are reserved at once, because it may double the capacity each time.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn reserve<V>(n: usize, dst: &mut Vec<V>) {
    if dst.capacity() == 0 { dst.reserve_exact(n) } else { dst.reserve(n) }
}

/// The greatest number of values in a block of [`decode_block`].
pub(crate) const BLOCK_VALUES: usize = 256;

/// Decodes at most [`BLOCK_VALUES`] values, and passes them to `take`. They are stored on the stack.
#[inline]
pub(crate) fn decode_block<V: Copy>(
    decode: impl FnOnce(&mut [MaybeUninit<V>]) -> Result<Progress, BulkError>,
    take: impl FnOnce(&[V]),
) -> Result<Progress, BulkError> {
    let mut slots = [const { MaybeUninit::uninit() }; BLOCK_VALUES];
    let outcome = decode(&mut slots);
    let Progress { values, .. } = outcome.unwrap_or_else(|failed| failed.progress);
    let slots = &slots[..values];
    // SAFETY: `MaybeUninit<V>` has the layout of `V`, and `decode` has initialized the slots
    // (property 2 above).
    take(unsafe { &*(core::ptr::from_ref(slots) as *const [V]) });
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
