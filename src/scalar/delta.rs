//! Scalar loops for differences: the reference for every kernel.
//!
//! `previous` has the values before the first one. Their number is the distance between a value and
//! the one that it is compared with: one for each component of interleaved sequences.

use crate::width::Width;

/// Fills `deltas` with the differences of the values of `src`. Both slices have the same length.
#[inline(always)]
pub(crate) fn deltas<T: Width>(previous: &[T], src: &[T], deltas: &mut [T]) {
    for (delta, (value, before)) in deltas.iter_mut().zip(src.iter().zip(previous)) {
        *delta = value.delta(*before);
    }
    let (Some(deltas), Some(values)) = (deltas.get_mut(previous.len()..), src.get(previous.len()..)) else {
        return;
    };
    // The previous value is read from `src` again, not carried from one iteration to the next, so
    // that the compiler can vectorize the loop.
    for (delta, (value, before)) in deltas.iter_mut().zip(values.iter().zip(src)) {
        *delta = value.delta(*before);
    }
}

/// Turns deltas into values in place.
#[inline(always)]
pub(crate) fn add_up<T: Width>(previous: &[T], deltas: &mut [T]) {
    match *previous {
        [a] => add_up_each([a], deltas),
        [a, b] => add_up_each([a, b], deltas),
        [a, b, c] => add_up_each([a, b, c], deltas),
        [a, b, c, d] => add_up_each([a, b, c, d], deltas),
        _ => {
            for index in 0..deltas.len() {
                let before =
                    index.checked_sub(previous.len()).map_or_else(|| previous[index], |at| deltas[at]);
                deltas[index] = before.plus_delta(deltas[index]);
            }
        }
    }
}

/// Does the same for a constant number of components, whose sums are in registers.
#[inline(always)]
fn add_up_each<T: Width, const N: usize>(mut sums: [T; N], deltas: &mut [T]) {
    let mut points = deltas.chunks_exact_mut(N);
    for point in &mut points {
        for (sum, slot) in sums.iter_mut().zip(point) {
            *sum = sum.plus_delta(*slot);
            *slot = *sum;
        }
    }
    for (sum, slot) in sums.iter().zip(points.into_remainder()) {
        *slot = sum.plus_delta(*slot);
    }
}
