//! Byte strings in a row, and what the reference decoder makes of them.

use super::outcome::{BulkOutcome, Fault};
use super::reference;
use crate::plan::integer::Integer;

/// Byte strings one after another: each is an input of its own, or all together are a stream.
pub(super) struct Inputs<T> {
    pub(super) bytes: Vec<u8>,
    /// The offset of each string in `bytes`, then that of the end.
    pub(super) starts: Vec<usize>,
    /// How many values of a stream are decoded at a time; `None`: all of them.
    pub(super) capacity: Option<usize>,
    /// What is expected of a lenient and of a canonical decoder.
    expected: [Expected<T>; 2],
}

/// What is expected of a decoder that starts again after each faulty string.
pub(super) struct Expected<T> {
    /// The values of all strings.
    values: Vec<T>,
    /// The end of each value in the bytes.
    ends: Vec<usize>,
    /// The number of values before each string, then that of all values.
    pub(super) firsts: Vec<usize>,
    /// The error in each string, with its offset in the bytes.
    pub(super) faults: Vec<Option<Fault>>,
}

impl<T: Integer> Inputs<T> {
    pub(super) fn new(capacity: Option<usize>) -> Self {
        let expected = || Expected { values: vec![], ends: vec![], firsts: vec![0], faults: vec![] };
        Self { bytes: vec![], starts: vec![0], capacity, expected: [expected(), expected()] }
    }

    /// Adds a string that consists of these parts.
    pub(super) fn push(&mut self, parts: &[&[u8]]) {
        let start = self.bytes.len();
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        self.starts.push(self.bytes.len());
        for (expected, canonical) in self.expected.iter_mut().zip([false, true]) {
            expected.push(&self.bytes, start, canonical);
        }
    }

    /// Returns the number of strings.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns string number `index`.
    pub(super) fn string(&self, index: usize) -> &[u8] {
        &self.bytes[self.starts[index]..self.starts[index + 1]]
    }

    pub(super) fn expected(&self, canonical: bool) -> &Expected<T> {
        &self.expected[usize::from(canonical)]
    }
}

impl<T: Integer> Expected<T> {
    /// Adds what is expected of the string from `at` to the end of `bytes`.
    fn push(&mut self, bytes: &[u8], mut at: usize, canonical: bool) {
        let mut fault = None;
        while at < bytes.len() && fault.is_none() {
            match reference::first(&bytes[at..], canonical) {
                Ok((value, len)) => {
                    at += len;
                    self.values.push(value);
                    self.ends.push(at);
                }
                Err(error) => fault = Some(error.after(at)),
            }
        }
        self.firsts.push(self.values.len());
        self.faults.push(fault);
    }

    /// Returns what decoding up to `capacity` values gives, from value number `value` at offset `at` to the end of
    /// string number `last`, the only one that may be faulty. Offsets in the outcome count from `at`.
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
        // Once `dst` is full, the bytes after it are not examined.
        let fault = self.faults[last].filter(|_| values.len() < capacity);
        let fault = fault.map(|fault| Fault { offset: fault.offset - at, ..fault });
        (values, BulkOutcome { values: values.len(), bytes, fault })
    }

    /// Returns the number of the string that holds value number `value`.
    pub(super) fn string_of(&self, value: usize) -> usize {
        self.firsts.partition_point(|&first| first <= value).saturating_sub(1)
    }

    /// Returns whether string number `string` begins with a value.
    pub(super) fn has_value(&self, string: usize) -> bool {
        self.firsts[string] < self.firsts[string + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::ErrorKind::{NonCanonical, Truncated};
    use super::*;

    #[test]
    fn strings_up_to_a_faulty_one_are_one_input() {
        let mut inputs = Inputs::<u16>::new(None);
        for string in [&[1, 2][..], &[0x81, 0x00, 3], &[4, 0x80], &[5]] {
            inputs.push(&[string]);
        }
        let outcome = |canonical, from, last, capacity| {
            let (values, outcome) = inputs.expected(canonical).outcome(from, last, capacity);
            (values.to_vec(), outcome)
        };
        let ended = |values, bytes, fault: Option<(_, _)>| {
            let fault = fault.map(|(kind, offset)| Fault { kind, offset });
            BulkOutcome { values, bytes, fault }
        };
        // Lenient, the third string is the first faulty one; canonical, the second is.
        let fault = Some((Truncated, 7));
        assert_eq!(outcome(false, (0, 0), 2, 9), (vec![1, 2, 1, 3, 4], ended(5, 6, fault)));
        assert_eq!(outcome(false, (3, 4), 2, 2), (vec![3, 4], ended(2, 2, None)));
        assert_eq!(outcome(true, (0, 0), 1, 9), (vec![1, 2], ended(2, 2, Some((NonCanonical, 3)))));
        assert_eq!(outcome(true, (2, 5), 2, 9), (vec![4], ended(1, 1, Some((Truncated, 2)))));
        assert_eq!(outcome(true, (3, 7), 3, 9), (vec![5], ended(1, 1, None)));
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|value| inputs.expected(false).string_of(value)),
            [0, 0, 1, 1, 2, 3]
        );
    }
}
