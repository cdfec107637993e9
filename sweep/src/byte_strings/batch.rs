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

/// The strings of one batch, in all placements.
pub(super) struct Batch<T> {
    /// Each string as an input of its own.
    pub(super) alone: Inputs<T>,
    /// `None` if it is the same as `alone`.
    stream: Option<Inputs<T>>,
    mixed: Option<Inputs<T>>,
    appended: Option<Inputs<T>>,
    /// Whether this length has too many strings to give bulk decoders each of them in every
    /// placement.
    is_long: bool,
}

impl<T: Integer> Batch<T> {
    /// Builds the inputs for batch number `batch`. With `bulk`, the placements for bulk decoders
    /// are included.
    pub(super) fn new(group: Group, batch: u64, bulk: bool) -> Self {
        let strings = batch * BATCH..(batch * BATCH + BATCH).min(group.count());
        let mut alone = Inputs::new(None);
        for number in strings.clone() {
            alone.push(&[&group.string(number)[..group.length]]);
        }
        let is_long = group.every && group.length > MAX_MIXED_LEN;
        let (is_mixed, turn) = match is_long {
            true => (batch.is_multiple_of(MIXED_ONE_IN), batch / MIXED_ONE_IN),
            false => (true, batch),
        };
        let capacity = CAPACITIES[(turn % CAPACITIES.len() as u64) as usize];
        let capacity = (capacity > 0).then_some(capacity);
        let is_appended = group.length <= MAX_APPENDED_LEN || !group.every;
        Self {
            stream: stream(&alone),
            alone,
            mixed: (bulk && is_mixed).then(|| mixed(group, strings.clone(), capacity)),
            appended: (bulk && is_appended).then(|| appended(group, strings)),
            is_long,
        }
    }

    /// Returns the inputs of a placement, or `None` if the decoder does not get this batch in it.
    pub(super) fn inputs(&self, placement: Placement, bulk: bool) -> Option<&Inputs<T>> {
        match placement {
            // For bulk decoders, `AllValues` covers the same cases.
            Placement::OneValue => (!bulk || !self.is_long).then_some(&self.alone),
            Placement::AllValues => bulk.then_some(&self.alone),
            Placement::Stream => Some(self.stream.as_ref().unwrap_or(&self.alone)),
            Placement::MixedStream => self.mixed.as_ref().filter(|_| bulk),
            Placement::Appended => self.appended.as_ref().filter(|_| bulk),
        }
    }
}

/// Returns the byte that terminates a string that ends inside a varint, so that the varint does not
/// continue in the next string.
fn terminator(string: &[u8]) -> &[u8] {
    if string.last().is_some_and(|&byte| byte >= 128) { &[0x01] } else { &[] }
}

/// Returns the strings of `alone`, each terminated, or `None` if all of them already are.
fn stream<T: Integer>(alone: &Inputs<T>) -> Option<Inputs<T>> {
    let strings = || (0..alone.count()).map(|index| alone.string(index));
    let mut inputs = Inputs::new(None);
    strings().any(|string| !terminator(string).is_empty()).then(|| {
        strings().for_each(|string| inputs.push(&[string, terminator(string)]));
        inputs
    })
}

/// Returns as many strings as the batch has, taken from the whole group. Over all batches, each
/// string occurs once.
fn mixed<T: Integer>(group: Group, batch: Range<u64>, capacity: Option<usize>) -> Inputs<T> {
    let longest = reference::longest::<T>();
    let mut inputs = Inputs::new(capacity);
    let (count, stride) = (u128::from(group.count()), u128::from(group.stride()));
    for index in batch.clone() {
        let string = &group.string((u128::from(index) * stride % count) as u64)[..group.length];
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
    inputs
}

/// Returns the strings, each appended to valid varints of one of three kinds in rotation.
fn appended<T: Integer>(group: Group, batch: Range<u64>) -> Inputs<T> {
    let longest = reference::longest::<T>();
    let mut inputs = Inputs::new(None);
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
    inputs
}
