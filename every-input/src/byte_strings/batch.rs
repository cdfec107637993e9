//! The placements in which strings are given to a decoder, and the inputs of a batch of strings for
//! each of them.

use std::fmt;
use std::ops::Range;

use crate::byte_strings::reference;
use crate::byte_strings::strings::Strings;
use crate::plan::byte_strings::{Group, MAX_STRUCTURED_LEN};
use crate::plan::integer::Integer;

/// The number of strings in a batch: enough for every vector loop in a stream, few enough for the
/// cache.
pub(super) const BATCH: u64 = 1024;

/// An upper bound on the number of values in a stream: a string may be followed by a terminating
/// byte and a further varint.
pub(super) const MAX_VALUES: usize = BATCH as usize * (MAX_STRUCTURED_LEN + 2);

/// Strings up to this length, and structured strings, are also appended to valid varints.
const MAX_APPENDED_LEN: usize = 2;
/// All strings up to this length are placed in mixed streams. Of the longer strings, one batch in
/// `MIXED_ONE_IN` is.
const MAX_MIXED_LEN: usize = 3;
const MIXED_ONE_IN: u64 = 16;

/// The capacities with which mixed streams are decoded, in rotation; 0 means all values at once.
const CAPACITIES: [usize; 16] = [0, 64, 0, 1, 0, 100, 0, 8, 0, 33, 0, 7, 0, 300, 0, 65];

/// The number of bytes before an appended string cycles through 0 to this value, exclusive.
const PREFIX_LENGTHS: u64 = 100;

/// The strings of one batch, in all placements. Strings without strings are absent.
pub(super) struct Batch<T> {
    /// Each string as an input of its own.
    pub(super) alone: Strings<T>,
    /// Absent if it is the same as `alone`.
    stream: Strings<T>,
    mixed: Strings<T>,
    appended: Strings<T>,
    /// Whether this length has too many strings to give bulk decoders each of them in every
    /// placement.
    is_long: bool,
}

impl<T: Integer> Batch<T> {
    pub(super) fn new() -> Self {
        let [alone, stream, mixed, appended] = std::array::from_fn(|_| Strings::new());
        Self { alone, stream, mixed, appended, is_long: false }
    }

    /// Replaces the strings by those with these numbers, in the same memory. With `bulk`, the
    /// placements for bulk decoders are included, with the strings of `mixed` in mixed streams.
    pub(super) fn fill(&mut self, group: Group, numbers: &[u64], mixed_numbers: &[u64], bulk: bool) {
        let Self { alone, stream, mixed, appended, is_long } = self;
        for inputs in [&mut *alone, &mut *stream, &mut *mixed, &mut *appended] {
            inputs.clear();
        }
        for &number in numbers {
            alone.push(&[&group.string(number)[..group.length]]);
        }
        fill_stream(stream, alone);
        *is_long = group.every && group.length > MAX_MIXED_LEN;
        let batch = numbers.first().map_or(0, |first| first / BATCH);
        let (is_mixed, turn) = match is_long {
            true => (batch.is_multiple_of(MIXED_ONE_IN), batch / MIXED_ONE_IN),
            false => (true, batch),
        };
        if bulk && is_mixed {
            let capacity = CAPACITIES[(turn % CAPACITIES.len() as u64) as usize];
            mixed.capacity = (capacity > 0).then_some(capacity);
            fill_mixed(mixed, group, mixed_numbers);
        }
        if bulk && (group.length <= MAX_APPENDED_LEN || !group.every) {
            fill_appended(appended, group, numbers);
        }
    }

    /// Returns the inputs of a placement, or `None` if the decoder does not get this batch in it.
    pub(super) fn inputs(&self, placement: Placement, bulk: bool) -> Option<&Strings<T>> {
        fn present<T: Integer>(inputs: &Strings<T>) -> Option<&Strings<T>> {
            (inputs.count() > 0).then_some(inputs)
        }
        match placement {
            // For bulk decoders, `AllValues` covers the same cases.
            Placement::OneValue => (!bulk || !self.is_long).then_some(&self.alone),
            Placement::AllValues => bulk.then_some(&self.alone),
            Placement::Stream => Some(present(&self.stream).unwrap_or(&self.alone)),
            Placement::MixedStream => present(&self.mixed).filter(|_| bulk),
            Placement::Appended => present(&self.appended).filter(|_| bulk),
        }
    }
}

/// Returns the byte that terminates a string that ends inside a varint, so that the varint does not
/// continue in the next string.
fn terminator(string: &[u8]) -> &[u8] {
    if string.last().is_some_and(|&byte| byte >= 128) { &[0x01] } else { &[] }
}

/// Adds the strings of `alone`, each terminated, unless all of them already are.
fn fill_stream<T: Integer>(inputs: &mut Strings<T>, alone: &Strings<T>) {
    let strings = || (0..alone.count()).map(|index| alone.string(index));
    if strings().any(|string| !terminator(string).is_empty()) {
        strings().for_each(|string| inputs.push(&[string, terminator(string)]));
    }
}

/// Returns the numbers of as many strings as the range has, taken from the whole group. Over all
/// ranges, each string occurs once.
pub(super) fn mixed(group: Group, numbers: Range<u64>) -> impl Iterator<Item = u64> {
    let (count, stride) = (u128::from(group.count()), u128::from(group.stride()));
    numbers.map(move |number| (u128::from(number) * stride % count) as u64)
}

/// Adds the strings with these numbers, with other varints between them.
fn fill_mixed<T: Integer>(inputs: &mut Strings<T>, group: Group, numbers: &[u64]) {
    let longest = reference::longest::<T>();
    for (index, &number) in numbers.iter().enumerate() {
        let string = &group.string(number)[..group.length];
        if index + 1 == numbers.len() {
            inputs.push(&[string]);
            break;
        }
        inputs.push(&[string, terminator(string)]);
        match index % 13 {
            3 => inputs.push(&[&longest]),
            6 => inputs.push(&[&[0x81, 0x01]]),
            10 => inputs.push(&[&[0x05]]),
            _ => {}
        }
    }
}

/// Adds the strings, each appended to valid varints of one of three kinds in rotation.
fn fill_appended<T: Integer>(inputs: &mut Strings<T>, group: Group, numbers: &[u64]) {
    let longest = reference::longest::<T>();
    for &number in numbers {
        // The periods of length and kind are coprime, so all pairs occur.
        let length = (number % PREFIX_LENGTHS) as usize;
        let prefix = match number % 3 {
            0 => vec![0x01; length],
            1 => [0x81, 0x01].repeat(length / 2),
            _ => {
                let unit = [&longest, &[0x05, 0x81, 0x01][number as usize % 2..]].concat();
                unit.repeat(length.saturating_sub(longest.len()).div_ceil(unit.len()))
            }
        };
        inputs.push(&[&prefix, &group.string(number)[..group.length]]);
    }
}

/// The input in which a string is given to a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// The string alone; one value is decoded.
    OneValue,
    /// The string alone; all its values are decoded.
    AllValues,
    /// A stream with the strings before and after it.
    Stream,
    /// A stream of dissimilar strings with long varints between them; the capacity for values
    /// varies.
    MixedStream,
    /// Valid varints followed by the string, which may be truncated.
    Appended,
}

impl Placement {
    /// All placements.
    pub(super) const ALL: [Self; 5] =
        [Self::OneValue, Self::AllValues, Self::Stream, Self::MixedStream, Self::Appended];

    #[inline]
    pub(super) fn is_stream(self) -> bool {
        matches!(self, Self::Stream | Self::MixedStream)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneValue => "one value",
            Self::AllValues => "all values",
            Self::Stream => "stream",
            Self::MixedStream => "mixed stream",
            Self::Appended => "appended",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn mixed_streams_have_every_string_of_the_group() {
        let group = Group { length: 2, every: true };
        let (mut batch, mut seen) = (Batch::<u64>::new(), HashSet::new());
        for number in 0..group.count() / BATCH {
            let numbers = number * BATCH..(number + 1) * BATCH;
            let strings: Vec<u64> = numbers.clone().collect();
            batch.fill(group, &strings, &mixed(group, numbers).collect::<Vec<_>>(), true);
            let strings = (0..batch.mixed.count()).map(|index| batch.mixed.string(index));
            seen.extend(strings.filter(|string| string.len() >= 2).map(|string| [string[0], string[1]]));
        }
        assert_eq!(seen.len() as u64, group.count());
    }
}
