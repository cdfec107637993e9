//! Compares the results of a decoder with the expected ones.

use std::hint::black_box;
use std::ops::Range;

use super::decoder::ByteDecoder;
use super::inputs::{Expected, Inputs};
use super::outcome::{BulkOutcome, DecodingError};
use super::placement::Placement;
use crate::check::panics::guarded;
use crate::plan::integer::Integer;

/// A check of one decoder on strings in one placement, lenient or canonical.
pub(super) struct Check<'c, T> {
    pub(super) decoder: &'c dyn ByteDecoder<T>,
    pub(super) inputs: &'c Inputs<T>,
    pub(super) placement: Placement,
    pub(super) canonical: bool,
    /// A buffer with capacity for more values than all inputs hold.
    pub(super) dst: &'c mut [T],
}

impl<'c, T: Integer> Check<'c, T> {
    /// Returns the first of these strings that the decoder decodes wrongly or panics on. A stream
    /// begins at the first string.
    pub(super) fn first_wrong(&mut self, strings: Range<usize>) -> Option<usize> {
        self.run(strings.clone()).unwrap_or_else(|_| {
            // Find the shortest input that panics, or has a wrong value before the panic.
            let found = strings.clone().find(|&index| {
                let start = if self.placement.is_stream() { strings.start } else { index };
                self.run(start..index + 1) != Ok(None)
            });
            Some(found.unwrap_or(strings.end - 1))
        })
    }

    /// Decodes these strings and returns the first one with a wrong result.
    ///
    /// # Errors
    ///
    /// The message of a panic.
    pub(super) fn run(&mut self, strings: Range<usize>) -> Result<Option<usize>, String> {
        guarded(|| {
            let is_stream = self.placement.is_stream();
            let mut start = strings.start;
            while start < strings.end {
                let end = if is_stream { strings.end } else { start + 1 };
                let last = if is_stream { self.last(start..end) } else { start };
                let wrong = self.input(start, last, end);
                if wrong.is_some() {
                    return wrong;
                }
                start = last + 1;
            }
            None
        })
    }

    /// Returns the string at which decoding these strings ends: the first invalid one, or the last.
    #[inline]
    pub(super) fn last(&self, strings: Range<usize>) -> usize {
        let errors = &self.expected().errors;
        strings.clone().find(|&index| errors[index].is_some()).unwrap_or(strings.end - 1)
    }

    /// Decodes the strings from `start` to `end` as one input and returns the first one with a
    /// wrong result. The input ends, or has its first error, in string `last`.
    #[inline]
    fn input(&mut self, start: usize, last: usize, end: usize) -> Option<usize> {
        let expected = self.expected();
        let capacity = self.capacity(start);
        let (mut value, mut at) = (expected.firsts[start], self.inputs.starts[start]);
        loop {
            let src = &self.inputs.bytes[at..self.inputs.starts[end]];
            let (values, mut outcome) = expected.outcome((value, at), last, capacity);
            if self.placement == Placement::OneValue && src.is_empty() {
                outcome.error = Some(DecodingError::EMPTY_INPUT);
            }
            // Overwrite earlier results, so that a decoder that does not write a value cannot pass.
            values.iter().zip(&mut *self.dst).for_each(|(value, slot)| *slot = value.complement());
            let got = self.decode(src, capacity);
            if got != outcome || !are_equal(&self.dst[..values.len()], values) {
                let pairs = values.iter().zip(&*self.dst).take(got.values);
                let correct = pairs.take_while(|(expected, got)| expected == got).count();
                return Some(expected.string_of(value + correct).clamp(start, last));
            }
            if !self.placement.is_stream() || values.len() < capacity {
                return None;
            }
            (value, at) = (value + values.len(), at + outcome.bytes);
        }
    }

    /// Calls the decoder. The compiler cannot see its inputs or outputs, so it optimizes the call
    /// as it would in a user's program.
    #[inline]
    pub(super) fn decode(&mut self, src: &[u8], capacity: usize) -> BulkOutcome {
        let (decoder, src) = (black_box(self.decoder), black_box(src));
        if self.placement != Placement::OneValue {
            return decoder.decode_all(src, black_box(&mut self.dst[..capacity]), self.canonical);
        }
        match decoder.decode_first(src, self.canonical) {
            Ok((value, bytes)) => {
                self.dst[0] = value;
                BulkOutcome { values: 1, bytes, error: None }
            }
            Err(error) => BulkOutcome { values: 0, bytes: 0, error: Some(error) },
        }
    }

    /// Returns the number of values to decode per call from an input that begins with string
    /// `start`.
    #[inline]
    pub(super) fn capacity(&self, start: usize) -> usize {
        match self.placement {
            Placement::OneValue => 1,
            Placement::AllValues | Placement::Appended => self.inputs.string(start).len(),
            Placement::Stream | Placement::MixedStream => self.inputs.capacity.unwrap_or(self.dst.len()),
        }
    }

    #[inline]
    pub(super) fn expected(&self) -> &'c Expected<T> {
        self.inputs.expected(self.canonical)
    }
}

/// Returns whether the values are equal. For a few values, a loop takes less time than the call that
/// a comparison of slices compiles to.
#[inline]
fn are_equal<T: Integer>(values: &[T], expected: &[T]) -> bool {
    if expected.len() < 8 { values.iter().eq(expected) } else { values == expected }
}
