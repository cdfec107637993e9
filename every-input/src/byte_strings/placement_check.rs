//! Compares the results of a decoder with the expected ones, and describes a disagreement.

use std::hint::black_box;
use std::ops::Range;

use crate::byte_strings::batch::{BATCH, Placement};
use crate::byte_strings::decoder::{BulkOutcome, ByteDecoder, DecodingError, describe_first};
use crate::byte_strings::reference;
use crate::byte_strings::strings::{Expected, Strings};
use crate::check::failure::{Failure, FailureKind};
use crate::check::panics::guarded;
use crate::plan::byte_strings::hex;
use crate::plan::integer::Integer;

/// A check of one decoder on strings in one placement, lenient or canonical.
pub(super) struct PlacementCheck<'c, T> {
    pub(super) decoder: &'c dyn ByteDecoder<T>,
    pub(super) inputs: &'c Strings<T>,
    pub(super) placement: Placement,
    pub(super) canonical: bool,
    /// A buffer with capacity for more values than all inputs hold.
    pub(super) dst: &'c mut [T],
}

impl<'c, T: Integer> PlacementCheck<'c, T> {
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

    /// Decodes these strings and returns the first one with a wrong result. Returns the message of
    /// a panic as an error.
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

impl<T: Integer> PlacementCheck<'_, T> {
    /// Describes the disagreement about string `index`, the first in `strings`.
    #[cold]
    pub(super) fn describe(&mut self, strings: Range<usize>, index: usize) -> Failure {
        let around =
            if self.placement.is_stream() { self.minimize(strings, index) } else { index..index + 1 };
        let starts = &self.inputs.starts;
        let value = hex(self.inputs.string(index));
        let stream = hex(&self.inputs.bytes[starts[around.start]..starts[around.end]]);
        let at = starts[index] - starts[around.start];
        let stream = if stream == value { String::new() } else { format!(", at byte {at} of {stream}") };
        let (expected, got) = match self.placement {
            Placement::OneValue => {
                let (decoder, string) = (black_box(self.decoder), black_box(self.inputs.string(index)));
                let got = guarded(|| decoder.decode_first(string, self.canonical));
                (self.expected_first(index), got.map_or_else(|panic| panic, describe_first))
            }
            _ => self.first_difference(around, index),
        };
        let (kind, got) = match got == expected {
            true => (FailureKind::NotReproducible, "another result, only the first time".into()),
            false => (FailureKind::Disagreement, got),
        };
        let kernel = self.decoder.kernel().map(|kernel| format!(" on {kernel}")).unwrap_or_default();
        let canonical = if self.canonical { "canonical, " } else { "" };
        // The strings around it may matter.
        let block = if self.placement.is_stream() { BATCH as usize } else { 1 };
        let (name, placement) = (self.decoder.name(), self.placement);
        let context = format!("as {} by {name}{kernel} ({canonical}{placement}{stream})", T::NAME);
        let failure = Failure::new(value, kind, expected, got, block);
        Failure { context: Some(context), ..failure }
    }

    /// Returns the fewest strings around string `index` that still show a disagreement. They are
    /// not moved in memory, because a fault may depend on the address.
    fn minimize(&mut self, strings: Range<usize>, index: usize) -> Range<usize> {
        let mut reach = 0;
        loop {
            let around = index.saturating_sub(reach).max(strings.start)..(index + reach + 1).min(strings.end);
            if around == strings || self.run(around.clone()) != Ok(None) {
                return around;
            }
            reach = 2 * reach + 1;
        }
    }

    /// Describes the expected result for a string: its first value, or its error.
    fn expected_first(&self, index: usize) -> String {
        describe_first(reference::decode::<T>(self.inputs.string(index), self.canonical))
    }

    /// Describes the first difference in the input that contains string `index`, as the expected
    /// and the actual result.
    fn first_difference(&mut self, around: Range<usize>, index: usize) -> (String, String) {
        let (expected, starts) = (self.expected(), &self.inputs.starts);
        let is_invalid = |&string: &usize| expected.errors[string].is_some();
        let start = (around.start..index).rev().find(is_invalid).map_or(around.start, |before| before + 1);
        let last = self.last(index..around.end);
        let src = &self.inputs.bytes[starts[start]..starts[around.end]];
        let (values, outcome) = expected.outcome((expected.firsts[start], starts[start]), last, usize::MAX);
        let (got_values, got) = match guarded(|| self.decode_all(src, self.capacity(start))) {
            Ok(decoded) => decoded,
            Err(panic) => return (self.expected_first(index), panic),
        };
        let differs = values.iter().zip(&got_values).position(|(value, got)| value != got);
        let differs = differs.unwrap_or(values.len().min(got_values.len()));
        let offset = starts[index] - starts[start];
        let describe = |values: &[T], outcome| {
            values
                .get(differs)
                .map_or_else(|| describe_end(outcome, offset), |value| format!("value {value}"))
        };
        (describe(values, outcome), describe(&got_values, got))
    }

    /// Decodes all values of `src`, `capacity` at a time.
    fn decode_all(&mut self, src: &[u8], capacity: usize) -> (Vec<T>, BulkOutcome) {
        let (mut values, mut bytes) = (Vec::new(), 0);
        loop {
            let got = self.decode(src.get(bytes..).unwrap_or_default(), capacity);
            values.extend_from_slice(&self.dst[..got.values.min(capacity)]);
            let error = got.error.map(|error| error.offset_by(bytes));
            bytes = bytes.saturating_add(got.bytes);
            let is_stuck = capacity == 0 || got.bytes == 0 || values.len() > src.len();
            if error.is_some() || got.values < capacity || is_stuck {
                return (values, BulkOutcome { values: 0, bytes, error });
            }
        }
    }
}

/// Describes how decoding ended. Offsets are relative to a string at `offset`.
fn describe_end(outcome: BulkOutcome, offset: usize) -> String {
    let relative = |at: usize| at as i128 - offset as i128;
    let end = relative(outcome.bytes);
    match outcome.error {
        Some(DecodingError { kind, offset }) => {
            format!("{kind:?} at byte {} after values up to byte {end}", relative(offset))
        }
        None => format!("end of input at byte {end}"),
    }
}
