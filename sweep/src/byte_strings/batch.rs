//! Builds the inputs for a batch of strings, one set for each placement.

use std::ops::Range;

use super::inputs::Inputs;
use super::placement::Placement;
use super::reference;
use super::strings::{Group, MAX_STRUCTURED_LEN};
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

/// The strings of one batch, in all placements. Inputs without strings are absent.
pub(super) struct Batch<T> {
    /// Each string as an input of its own.
    pub(super) alone: Inputs<T>,
    /// Absent if it is the same as `alone`.
    stream: Inputs<T>,
    mixed: Inputs<T>,
    appended: Inputs<T>,
    /// Whether this length has too many strings to give bulk decoders each of them in every
    /// placement.
    is_long: bool,
}

impl<T: Integer> Batch<T> {
    /// Creates a batch without strings.
    pub(super) fn new() -> Self {
        let [alone, stream, mixed, appended] = std::array::from_fn(|_| Inputs::new());
        Self { alone, stream, mixed, appended, is_long: false }
    }

    /// Replaces the strings by those of batch number `batch`, in the same memory. With `bulk`, the
    /// placements for bulk decoders are included.
    pub(super) fn fill(&mut self, group: Group, batch: u64, bulk: bool) {
        let Self { alone, stream, mixed, appended, is_long } = self;
        for inputs in [&mut *alone, &mut *stream, &mut *mixed, &mut *appended] {
            inputs.clear();
        }
        let strings = batch * BATCH..(batch * BATCH + BATCH).min(group.count());
        for number in strings.clone() {
            alone.push(&[&group.string(number)[..group.length]]);
        }
        fill_stream(stream, alone);
        *is_long = group.every && group.length > MAX_MIXED_LEN;
        let (is_mixed, turn) = match is_long {
            true => (batch.is_multiple_of(MIXED_ONE_IN), batch / MIXED_ONE_IN),
            false => (true, batch),
        };
        if bulk && is_mixed {
            let capacity = CAPACITIES[(turn % CAPACITIES.len() as u64) as usize];
            mixed.capacity = (capacity > 0).then_some(capacity);
            fill_mixed(mixed, group, strings.clone());
        }
        if bulk && (group.length <= MAX_APPENDED_LEN || !group.every) {
            fill_appended(appended, group, strings);
        }
    }

    /// Returns the inputs of a placement, or `None` if the decoder does not get this batch in it.
    pub(super) fn inputs(&self, placement: Placement, bulk: bool) -> Option<&Inputs<T>> {
        fn present<T: Integer>(inputs: &Inputs<T>) -> Option<&Inputs<T>> {
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
fn fill_stream<T: Integer>(inputs: &mut Inputs<T>, alone: &Inputs<T>) {
    let strings = || (0..alone.count()).map(|index| alone.string(index));
    if strings().any(|string| !terminator(string).is_empty()) {
        strings().for_each(|string| inputs.push(&[string, terminator(string)]));
    }
}

/// Adds as many strings as the batch has, taken from the whole group. Over all batches, each string
/// occurs once.
fn fill_mixed<T: Integer>(inputs: &mut Inputs<T>, group: Group, batch: Range<u64>) {
    let longest = reference::longest::<T>();
    let (count, stride) = (group.count(), group.stride());
    let mut number = (u128::from(batch.start) * u128::from(stride) % u128::from(count)) as u64;
    for index in batch.clone() {
        let string = &group.string(number)[..group.length];
        number = (number + stride) % count;
        if index + 1 == batch.end {
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
fn fill_appended<T: Integer>(inputs: &mut Inputs<T>, group: Group, batch: Range<u64>) {
    let longest = reference::longest::<T>();
    for number in batch {
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn mixed_streams_have_every_string_of_the_group() {
        let group = Group { length: 2, every: true };
        let (mut batch, mut seen) = (Batch::<u64>::new(), HashSet::new());
        for number in 0..group.count() / BATCH {
            batch.fill(group, number, true);
            let strings = (0..batch.mixed.count()).map(|index| batch.mixed.string(index));
            seen.extend(strings.filter(|string| string.len() >= 2).map(|string| [string[0], string[1]]));
        }
        assert_eq!(seen.len() as u64, group.count());
    }
}
