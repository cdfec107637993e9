//! Gaps: differences without a sign.

use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress};
use crate::kernel::Kernel;
use crate::simd::lane::{cast, cast_mut};
use crate::simd::slices::Slices;
use crate::width::Width;
use crate::wire_types::integers::Primitive;

/// The functions of a kernel for gaps. The varints are those of the unsigned type of the same width.
/// Differences and sums are those of the signed type, which has no zigzag form to undo.
#[derive(Clone, Copy)]
pub(super) struct Gaps {
    pub(super) kernel: Kernel,
    /// Whether the gaps are written minus one.
    pub(super) strict: bool,
}

impl<T: Primitive> Slices<T> for Gaps {
    #[inline]
    fn encode(self, src: &[T], dst: &mut [u8]) -> Option<usize> {
        T::Unsigned::slices(self.kernel).encode(cast(src), dst)
    }

    #[inline]
    fn decode(self, src: &[u8], dst: &mut [MaybeUninit<T>], canonical: bool) -> Result<Progress, BulkError> {
        T::Unsigned::slices(self.kernel).decode(src, cast_mut(dst), canonical)
    }

    #[inline]
    fn encoded_len(self, src: &[T]) -> usize {
        T::Unsigned::slices(self.kernel).encoded_len(cast(src))
    }

    #[inline]
    fn deltas(self, previous: &[T], src: &[T], deltas: &mut [T]) {
        let deltas = cast_mut::<T, T::Signed>(deltas);
        T::Signed::slices(self.kernel).deltas(cast(previous), cast(src), deltas);
        if self.strict {
            add(deltas, MINUS_ONE);
        }
    }

    #[inline]
    fn add_up(self, previous: &[T], deltas: &mut [T]) {
        let deltas = cast_mut::<T, T::Signed>(deltas);
        if self.strict {
            add(deltas, PLUS_ONE);
        }
        T::Signed::slices(self.kernel).add_up(cast(previous), deltas);
    }

    /// Returns the index of the first value that is less than the one `previous.len()` before it, or
    /// equal to it if the gaps are strict.
    #[inline]
    fn first_wrong(self, previous: &[T], values: &[T]) -> Option<usize> {
        if self.strict {
            first_wrong(previous, values, |before, value| before >= value)
        } else {
            first_wrong(previous, values, |before, value| before > value)
        }
    }
}

/// The zigzag forms of two numbers.
const MINUS_ONE: u8 = 1;
const PLUS_ONE: u8 = 2;

/// Adds a number in zigzag form to all values.
fn add<S: Width>(values: &mut [S], zigzag: u8) {
    let number = S::from_raw(zigzag.into());
    for value in values {
        *value = value.plus_delta(number);
    }
}

/// The number of values that are compared before the result is looked at.
const COMPARED_VALUES: usize = 64;

fn first_wrong<T>(previous: &[T], values: &[T], is_wrong: impl Fn(&T, &T) -> bool) -> Option<usize> {
    let first = |before: &[T], values: &[T]| {
        before.iter().zip(values).position(|(before, value)| is_wrong(before, value))
    };
    // Without a branch for each value, so that the compiler can compare vectors of them.
    let any = |(before, values): (&[T], &[T])| {
        before.iter().zip(values).fold(false, |any, (before, value)| any | is_wrong(before, value))
    };
    first(previous, values).or_else(|| {
        let later = values.get(previous.len()..)?;
        let start = COMPARED_VALUES
            * values.chunks(COMPARED_VALUES).zip(later.chunks(COMPARED_VALUES)).position(any)?;
        first(&values[start..], &later[start..]).map(|index| previous.len() + start + index)
    })
}
