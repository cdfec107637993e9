//! Byte strings one after another, with the reference decoder's results for them.

use super::decoder::{BulkOutcome, DecodingError};
use super::reference;
use crate::plan::integer::Integer;

/// Byte strings one after another. Each is an input of its own, or all of them form a stream.
pub(super) struct Strings<T> {
    pub(super) bytes: Vec<u8>,
    /// The offset of each string in `bytes`, followed by that of the end.
    pub(super) starts: Vec<usize>,
    /// The number of values of a stream to decode per call; `None` means all of them.
    pub(super) capacity: Option<usize>,
    /// The expected results of a lenient and of a canonical decoder.
    expected: [Expected<T>; 2],
}

/// The expected results of a decoder that continues with the next string after an error.
pub(super) struct Expected<T> {
    /// The values of all strings.
    values: Vec<T>,
    /// The offset in the bytes at which each value ends.
    ends: Vec<usize>,
    /// The number of values before each string, followed by that of all values.
    pub(super) firsts: Vec<usize>,
    /// The error in each string, with its offset in all bytes.
    pub(super) errors: Vec<Option<DecodingError>>,
}

impl<T: Integer> Strings<T> {
    pub(super) fn new() -> Self {
        let expected = || Expected { values: vec![], ends: vec![], firsts: vec![0], errors: vec![] };
        Self { bytes: vec![], starts: vec![0], capacity: None, expected: [expected(), expected()] }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.starts.truncate(1);
        self.capacity = None;
        for Expected { values, ends, firsts, errors } in &mut self.expected {
            values.clear();
            ends.clear();
            firsts.truncate(1);
            errors.clear();
        }
    }

    pub(super) fn push(&mut self, parts: &[&[u8]]) {
        let mut at = self.bytes.len();
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        self.starts.push(self.bytes.len());
        // Both results are the same up to the first overlong encoding.
        let [lenient, canonical] = &mut self.expected;
        let (mut error, mut overlong) = (None, None);
        while at < self.bytes.len() && error.is_none() {
            match reference::first(&self.bytes[at..]) {
                Ok((value, len)) => {
                    let varint = &self.bytes[at..at + len];
                    overlong = overlong.or_else(|| Some(reference::overlong_error(varint)?.offset_by(at)));
                    at += len;
                    lenient.push(value, at);
                    if overlong.is_none() {
                        canonical.push(value, at);
                    }
                }
                Err(found) => error = Some(found.offset_by(at)),
            }
        }
        lenient.end(error);
        canonical.end(overlong.or(error));
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn string(&self, index: usize) -> &[u8] {
        &self.bytes[self.starts[index]..self.starts[index + 1]]
    }

    pub(super) fn expected(&self, canonical: bool) -> &Expected<T> {
        &self.expected[usize::from(canonical)]
    }
}

impl<T: Integer> Expected<T> {
    #[inline]
    fn push(&mut self, value: T, end: usize) {
        self.values.push(value);
        self.ends.push(end);
    }

    #[inline]
    fn end(&mut self, error: Option<DecodingError>) {
        self.firsts.push(self.values.len());
        self.errors.push(error);
    }

    /// Returns the expected outcome of decoding up to `capacity` values, from value number `value`
    /// at offset `at` to the end of string number `last`. Only that string may be invalid. Offsets
    /// in the outcome are relative to `at`.
    #[inline]
    pub(super) fn outcome(
        &self,
        (value, at): (usize, usize),
        last: usize,
        capacity: usize,
    ) -> (&[T], BulkOutcome) {
        let values = &self.values[value..self.firsts[last + 1]];
        let values = &values[..values.len().min(capacity)];
        let bytes = if values.is_empty() { 0 } else { self.ends[value + values.len() - 1] - at };
        // Once `dst` is full, the bytes after the last value are not examined.
        let error = self.errors[last].filter(|_| values.len() < capacity);
        let error = error.map(|error| DecodingError { offset: error.offset - at, ..error });
        (values, BulkOutcome { values: values.len(), bytes, error })
    }

    pub(super) fn string_of(&self, value: usize) -> usize {
        self.firsts.partition_point(|&first| first <= value).saturating_sub(1)
    }
}
