//! Compares a decoder with what is expected of it.

use std::hint::black_box;
use std::ops::Range;

use super::decoder::ByteDecoder;
use super::inputs::{Expected, Inputs};
use super::outcome::{BulkOutcome, Fault};
use super::placement::Placement;
use crate::check::panics::guarded;
use crate::plan::integer::Integer;

/// The check of a decoder on strings in one placement, lenient or canonical.
pub(super) struct Check<'c, T> {
    pub(super) decoder: &'c dyn ByteDecoder<T>,
    pub(super) inputs: &'c Inputs<T>,
    pub(super) placement: Placement,
    pub(super) canonical: bool,
    /// Space for more values than all inputs have.
    pub(super) dst: &'c mut [T],
}

impl<'c, T: Integer> Check<'c, T> {
    /// Returns the first of these strings that the decoder gets wrong or panics on. Streams begin at the first one.
    pub(super) fn first_wrong(&mut self, strings: Range<usize>) -> Option<usize> {
        self.run(strings.clone()).unwrap_or_else(|_| {
            // The shortest input with a panic, or with a wrong value before the panic.
            let found = strings.clone().find(|&index| {
                let start = if self.placement.is_stream() { strings.start } else { index };
                self.run(start..index + 1) != Ok(None)
            });
            Some(found.unwrap_or(strings.end - 1))
        })
    }

    /// Decodes these strings; the first wrong one, or the message of a panic.
    pub(super) fn run(&mut self, strings: Range<usize>) -> Result<Option<usize>, String> {
        guarded(|| {
            let mut start = strings.start;
            while start < strings.end {
                let end = if self.placement.is_stream() { strings.end } else { start + 1 };
                let last = self.last(start..end);
                let wrong = self.input(start, last, end);
                if wrong.is_some() {
                    return wrong;
                }
                start = last + 1;
            }
            None
        })
    }

    /// Returns the string with which decoding these strings ends: the first faulty one, or else the last.
    #[inline]
    pub(super) fn last(&self, strings: Range<usize>) -> usize {
        let faults = &self.expected().faults;
        strings.clone().find(|&index| faults[index].is_some()).unwrap_or(strings.end - 1)
    }

    /// Decodes the strings from `start` to `end` as one input, which ends or has its first fault in string `last`;
    /// returns the first wrong one.
    #[inline]
    fn input(&mut self, start: usize, last: usize, end: usize) -> Option<usize> {
        let expected = self.expected();
        let capacity = self.capacity(start);
        let (mut value, mut at) = (expected.firsts[start], self.inputs.starts[start]);
        loop {
            let src = &self.inputs.bytes[at..self.inputs.starts[end]];
            let (values, mut outcome) = expected.outcome((value, at), last, capacity);
            if self.placement == Placement::First && src.is_empty() {
                outcome.fault = Some(Fault::EMPTY);
            }
            // A decoder that leaves a value out must not pass.
            values.iter().zip(&mut *self.dst).for_each(|(value, slot)| *slot = value.other());
            let got = self.decode(src, capacity);
            if got != outcome || self.dst[..values.len()] != *values {
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

    /// Calls the decoder as a user does: the compiler sees neither what goes in nor what comes out.
    #[inline]
    pub(super) fn decode(&mut self, src: &[u8], capacity: usize) -> BulkOutcome {
        let (decoder, src) = (black_box(self.decoder), black_box(src));
        if self.placement != Placement::First {
            return decoder.all(src, black_box(&mut self.dst[..capacity]), self.canonical);
        }
        match decoder.first(src, self.canonical) {
            Ok((value, bytes)) => {
                self.dst[0] = value;
                BulkOutcome { values: 1, bytes, fault: None }
            }
            Err(fault) => BulkOutcome { values: 0, bytes: 0, fault: Some(fault) },
        }
    }

    /// Returns how many values are decoded at a time from an input that begins with string `start`.
    #[inline]
    pub(super) fn capacity(&self, start: usize) -> usize {
        match self.placement {
            Placement::First => 1,
            Placement::Whole | Placement::AtEnd => self.inputs.string(start).len(),
            Placement::InOrder | Placement::Mixed => self.inputs.capacity.unwrap_or(self.dst.len()),
        }
    }

    #[inline]
    pub(super) fn expected(&self) -> &'c Expected<T> {
        self.inputs.expected(self.canonical)
    }
}
