//! Describes a disagreement: the expected result for a string, and the decoder's result.

use std::ops::Range;

use super::batch::BATCH;
use super::check::Check;
use super::outcome::{BulkOutcome, DecodingError};
use super::placement::Placement;
use crate::check::failure::{Failure, FailureKind};
use crate::check::panics::guarded;
use crate::plan::byte_strings::hex;
use crate::plan::integer::Integer;

impl<T: Integer> Check<'_, T> {
    /// Describes the disagreement about string `index`, the first in `strings`.
    #[cold]
    pub(super) fn describe(&mut self, strings: Range<usize>, index: usize) -> Failure {
        let around =
            if self.placement.is_stream() { self.minimize(strings, index) } else { index..index + 1 };
        let starts = &self.inputs.starts;
        let stream = self.placement.is_stream().then(|| {
            (
                hex(&self.inputs.bytes[starts[around.start]..starts[around.end]]),
                starts[index] - starts[around.start],
            )
        });
        let (expected, got) = match self.placement {
            Placement::OneValue => (self.expected_first(index), self.got_first(index)),
            _ => self.first_difference(around, index),
        };
        let got = if got == expected { format!("{got}, but only when called again") } else { got };
        let value = hex(self.inputs.string(index));
        let kernel = self.decoder.kernel().map(|kernel| format!(" on {kernel}")).unwrap_or_default();
        let canonical = if self.canonical { "canonical, " } else { "" };
        let stream = match stream {
            Some((stream, at)) if stream != value => format!(", at byte {at} of {stream}"),
            _ => String::new(),
        };
        // The strings around it may matter.
        let block = if self.placement.is_stream() { BATCH as usize } else { 1 };
        let (name, placement) = (self.decoder.name(), self.placement);
        let context = format!("as {} by {name}{kernel} ({canonical}{placement}{stream})", T::NAME);
        let failure = Failure::new(value, FailureKind::Disagreement, expected, got, block);
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
        let start = (self.expected().firsts[index], self.inputs.starts[index]);
        let (values, outcome) = self.expected().outcome(start, index, 1);
        describe_first(values, outcome)
    }

    /// Describes the decoder's result for a string: its first value, its error or its panic.
    fn got_first(&mut self, index: usize) -> String {
        let got = guarded(|| self.decode(self.inputs.string(index), 1));
        got.map_or_else(|panic| panic, |got| describe_first(&self.dst[..got.values], got))
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
            values.get(differs).map_or_else(|| describe_end(outcome, offset), |&value| describe_value(value))
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

fn describe_first<T: Integer>(values: &[T], outcome: BulkOutcome) -> String {
    match values {
        [value, ..] => format!("{} in {} bytes", describe_value(*value), outcome.bytes),
        [] => outcome.error.unwrap_or(DecodingError::EMPTY_INPUT).to_string(),
    }
}

fn describe_value<T: Integer>(value: T) -> String {
    format!("value {}", value.to_i128())
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
