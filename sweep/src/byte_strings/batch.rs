//! The inputs of a batch of strings: a row of them for each placement.

use std::ops::Range;

use super::inputs::Inputs;
use super::placement::Placement;
use super::reference;
use super::strings::{Group, LONGEST};
use crate::plan::integer::Integer;

/// Strings in a batch: enough for every vector loop in a stream, few enough for the cache.
pub(super) const BATCH: u64 = 1024;

/// An upper bound of the values in a stream: each string may get a last byte and a varint after it.
pub(super) const MAX_VALUES: usize = BATCH as usize * (LONGEST + 2);

/// Strings up to this length, and structured ones, are placed at the end of an input too.
const SHORT: usize = 2;
/// All strings up to this length are placed in mixed streams; of the longer ones, one batch in `MIXED_ONE_IN` is.
const MEDIUM: usize = 3;
const MIXED_ONE_IN: u64 = 16;

/// How many values of mixed streams are decoded at a time, in rotation; 0: all of them.
const CAPACITIES: [usize; 16] = [0, 64, 0, 1, 0, 100, 0, 8, 0, 33, 0, 7, 0, 300, 0, 65];

/// The rotation of the number of bytes before a string at the end of an input.
const BEFORE: u64 = 100;

/// The strings of one batch, placed in every way.
pub(super) struct Batch<T> {
    /// The strings as they are.
    pub(super) alone: Inputs<T>,
    /// `None` if it is the same as `alone`.
    in_order: Option<Inputs<T>>,
    mixed: Option<Inputs<T>>,
    at_end: Option<Inputs<T>>,
    /// Whether there are too many strings of this length for bulk decoders to get each of them in every placement.
    is_long: bool,
}

impl<T: Integer> Batch<T> {
    /// Places the strings of batch number `batch`; with `bulk` also in the placements for bulk decoders.
    pub(super) fn new(group: Group, batch: u64, bulk: bool) -> Self {
        let strings = batch * BATCH..(batch * BATCH + BATCH).min(group.count());
        let mut alone = Inputs::new(None);
        for number in strings.clone() {
            alone.push(&[&group.string(number)[..group.length]]);
        }
        let is_long = group.every && group.length > MEDIUM;
        let (is_mixed, turn) = match is_long {
            true => (batch.is_multiple_of(MIXED_ONE_IN), batch / MIXED_ONE_IN),
            false => (true, batch),
        };
        let capacity = CAPACITIES[(turn % CAPACITIES.len() as u64) as usize];
        let capacity = (capacity > 0).then_some(capacity);
        let is_at_end = group.length <= SHORT || !group.every;
        Self {
            in_order: in_order(&alone),
            alone,
            mixed: (bulk && is_mixed).then(|| mixed(group, strings.clone(), capacity)),
            at_end: (bulk && is_at_end).then(|| at_end(group, strings)),
            is_long,
        }
    }

    /// Returns the inputs of a placement; `None` if such a decoder does not get the batch in it.
    pub(super) fn inputs(&self, placement: Placement, bulk: bool) -> Option<&Inputs<T>> {
        match placement {
            // For bulk decoders of many strings, `Whole` covers all that this would.
            Placement::First => (!bulk || !self.is_long).then_some(&self.alone),
            Placement::Whole => bulk.then_some(&self.alone),
            Placement::InOrder => Some(self.in_order.as_ref().unwrap_or(&self.alone)),
            Placement::Mixed => self.mixed.as_ref().filter(|_| bulk),
            Placement::AtEnd => self.at_end.as_ref().filter(|_| bulk),
        }
    }
}

/// The last byte for a string that ends inside a varint, so that it does not run into the next one.
fn closing(string: &[u8]) -> &[u8] {
    if string.last().is_some_and(|&byte| byte >= 128) { &[0x01] } else { &[] }
}

/// The strings of `alone`, each with its last byte; `None` if no string needs one.
fn in_order<T: Integer>(alone: &Inputs<T>) -> Option<Inputs<T>> {
    let strings = || (0..alone.count()).map(|index| alone.string(index));
    let mut inputs = Inputs::new(None);
    strings().any(|string| !closing(string).is_empty()).then(|| {
        strings().for_each(|string| inputs.push(&[string, closing(string)]));
        inputs
    })
}

/// The same number of strings from all over the group, each of them once over all batches.
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
        inputs.push(&[string, closing(string)]);
        match index % 13 {
            3 => inputs.push(&[&longest]),
            6 => inputs.push(&[&[0x81, 0x01]]),
            10 => inputs.push(&[&[0x05]]),
            _ => {}
        }
    }
    inputs
}

/// The strings after varints of three kinds, in rotation.
fn at_end<T: Integer>(group: Group, batch: Range<u64>) -> Inputs<T> {
    let longest = reference::longest::<T>();
    let mut inputs = Inputs::new(None);
    for number in batch {
        // The rotations of length and kind have no common divisor, so all pairs occur.
        let length = (number % BEFORE) as usize;
        let before = match number % 3 {
            0 => vec![0x01; length],
            1 => [0x81, 0x01].repeat(length / 2),
            _ => {
                let unit = [&longest, &[0x05, 0x81, 0x01][number as usize % 2..]].concat();
                unit.repeat(length.saturating_sub(longest.len()).div_ceil(unit.len()))
            }
        };
        inputs.push(&[&before, &group.string(number)[..group.length]]);
    }
    inputs
}
