//! Scalar loops for differences: the reference for every kernel.

use crate::width::Width;

/// Fills `deltas` with the differences between each value of `src` and the one before it; the first
/// follows `previous`. Both slices have the same length.
#[inline(always)]
pub(crate) fn deltas<T: Width>(previous: T, src: &[T], deltas: &mut [T]) {
    let ([first, values @ ..], [first_delta, deltas @ ..]) = (src, deltas) else { return };
    *first_delta = first.delta(previous);
    // The previous value is read from `src` again, not carried from one iteration to the next, so
    // that the compiler can vectorize the loop.
    for (delta, (value, before)) in deltas.iter_mut().zip(values.iter().zip(src)) {
        *delta = value.delta(*before);
    }
}

/// Turns deltas into values in place, and returns the last value, or `previous` if there are none.
#[inline(always)]
pub(crate) fn add_up<T: Width>(mut previous: T, deltas: &mut [T]) -> T {
    for slot in deltas {
        previous = previous.plus_delta(*slot);
        *slot = previous;
    }
    previous
}
