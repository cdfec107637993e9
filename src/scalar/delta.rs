//! Differences by loops: the reference for every kernel.

use crate::width::Width;

/// Fills `deltas` with what stands for the values of `src`, of which there are as many; `previous` is the value before them.
#[inline(always)]
pub(crate) fn deltas<T: Width>(previous: T, src: &[T], deltas: &mut [T]) {
    let ([first, values @ ..], [first_delta, deltas @ ..]) = (src, deltas) else { return };
    *first_delta = first.delta(previous);
    // No value is carried from one turn to the next, which leaves the loop to vectors.
    for (delta, (value, before)) in deltas.iter_mut().zip(values.iter().zip(src)) {
        *delta = value.delta(*before);
    }
}

/// Turns deltas into values; the last one, or `previous` where there is none.
#[inline(always)]
pub(crate) fn add_up<T: Width>(mut previous: T, deltas: &mut [T]) -> T {
    for slot in deltas {
        previous = previous.plus_delta(*slot);
        *slot = previous;
    }
    previous
}
