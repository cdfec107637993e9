//! The scripts of a batch of strings: one for each way in which they are placed.

use crate::Integer;

use super::disagreement::Placement;
use super::plain::Plain;
use super::script::Script;
use super::strings::Group;

/// Strings in a batch: a stream of them is long enough for every vector loop, and short enough for the cache.
pub(super) const BATCH: u64 = 1024;

/// Strings of this length at most come at the end of a stream too, and the structured ones.
const SHORT: usize = 2;
/// All strings of this length at most come in mixed streams, of the longer ones one batch in so many.
const MEDIUM: usize = 3;
const MIXED_ONE_IN: u64 = 16;

/// Room for values in mixed streams, by turns. 0: for all.
const ROOMS: [usize; 16] = [0, 64, 0, 1, 0, 100, 0, 8, 0, 33, 0, 7, 0, 300, 0, 65];

/// Sound varints before a string, by turns: 0 to 99 bytes of them.
const BEFORE: u64 = 100;

/// The scripts of one batch, made anew for each.
pub(super) struct Scripts<T> {
    /// Strings as they are.
    pub(super) raw: Script<T>,
    in_order: Script<T>,
    /// Whether a string ends inside a varint; otherwise `raw` serves in order.
    cut_short: bool,
    mixed: Script<T>,
    /// Strings with varints before them.
    at_end: Script<T>,
    /// The longest varint of the type.
    longest: Vec<u8>,
    /// Room for the values of any of them.
    room: Vec<T>,
    mixed_room: usize,
    /// Whether there are very many strings of this length.
    is_long: bool,
}

impl<T: Integer> Scripts<T> {
    pub(super) fn new() -> Self {
        Self {
            raw: Script::new(),
            in_order: Script::new(),
            cut_short: false,
            mixed: Script::new(),
            at_end: Script::new(),
            longest: Plain::of::<T>().longest(),
            room: vec![],
            mixed_room: 0,
            is_long: false,
        }
    }

    /// Lays out the batch of that number. `bulk`: for doors that meet the strings in every placement.
    pub(super) fn lay_out(&mut self, group: Group, batch: u64, bulk: bool) {
        let strings = batch * BATCH..(batch * BATCH + BATCH).min(group.count());
        for script in [&mut self.raw, &mut self.in_order, &mut self.mixed, &mut self.at_end] {
            script.clear();
        }
        let runs = || group.runs(strings.clone());
        // As they are, strings make a stream of their own unless one of them ends inside a varint.
        self.cut_short = runs().any(|(string, _)| string.last().is_some_and(|&byte| byte >= 128));
        for (string, count) in runs() {
            self.raw.push(&string);
            self.raw.push_next(count - 1);
            if self.cut_short {
                self.in_order.push_whole(&string);
                self.in_order.push_next(count - 1);
            }
        }
        self.is_long = group.every && group.length > MEDIUM;
        if bulk && (!self.is_long || batch.is_multiple_of(MIXED_ONE_IN)) {
            self.mix(group, strings.clone());
        }
        if bulk && (group.length <= SHORT || !group.every) {
            self.put_at_end(group, strings);
        }
        let scripts = [&self.raw, &self.in_order, &self.mixed, &self.at_end];
        // More than the values: a decoder is not to take a full room for the end. As a string has no more values than bytes,
        // enough for any one of them too.
        let room = scripts.map(|script| script.values.len()).into_iter().max().unwrap_or(0) + 160;
        if self.room.len() < room {
            self.room.resize(room, T::default());
        }
        let turn = if self.is_long { batch / MIXED_ONE_IN } else { batch };
        self.mixed_room = ROOMS[(turn % ROOMS.len() as u64) as usize];
    }

    /// As many strings as in the batch, from all over the group; over all batches each of them once.
    fn mix(&mut self, group: Group, strings: std::ops::Range<u64>) {
        let (count, stride) = (group.count(), group.stride());
        let mut number = (u128::from(strings.start) * u128::from(stride) % u128::from(count)) as u64;
        for index in strings.clone() {
            let string = group.string(number);
            if index + 1 == strings.end {
                self.mixed.push(&string);
                break;
            }
            self.mixed.push_whole(&string);
            match index % 13 {
                3 => self.mixed.push(&self.longest),
                6 => self.mixed.push(&[0x81, 0x01]),
                10 => self.mixed.push(&[0x05]),
                _ => {}
            }
            number += stride;
            if number >= count {
                number -= count;
            }
        }
    }

    fn put_at_end(&mut self, group: Group, strings: std::ops::Range<u64>) {
        let mut bytes = Vec::new();
        for number in strings {
            bytes.clear();
            let before = (number % BEFORE) as usize;
            // The turns of kind and number have no common divisor but 1.
            match number % 3 {
                0 => bytes.resize(before, 0x01),
                1 => bytes.extend([0x81, 0x01].repeat(before / 2)),
                _ => {
                    while bytes.len() + self.longest.len() < before {
                        bytes.extend_from_slice(&self.longest);
                        bytes.extend_from_slice(&[0x05, 0x81, 0x01][number as usize % 2..]);
                    }
                }
            }
            bytes.extend_from_slice(&group.string(number));
            self.at_end.push(&bytes);
        }
    }

    /// The script of a placement, and room for its values; `None` where a door does not meet it.
    pub(super) fn of(&mut self, placement: Placement, bulk: bool) -> Option<(&Script<T>, &mut [T])> {
        let (script, meets) = match placement {
            // What bulk doors make of many strings by `Whole` says all that this would.
            Placement::First => (&self.raw, !bulk || !self.is_long),
            Placement::Whole => (&self.raw, bulk),
            Placement::InOrder if self.cut_short => (&self.in_order, true),
            Placement::InOrder => (&self.raw, true),
            Placement::Mixed => (&self.mixed, bulk),
            Placement::AtEnd => (&self.at_end, bulk),
        };
        let room = match (placement, self.mixed_room) {
            (Placement::Mixed, room @ 1..) => &mut self.room[..room],
            _ => &mut self.room[..],
        };
        (meets && !script.entries.is_empty()).then_some((script, room))
    }
}
