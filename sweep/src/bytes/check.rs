//! A door held against what the oracle says of some strings.

use std::hint::black_box;
use std::ops::Range;

use crate::Integer;

use super::door::Door;
use super::script::Script;

/// Each string an input of its own, of which the first value is asked for: the first string that the door gets wrong.
/// Like the others it panics where the door does.
pub(super) fn first<T: Integer>(
    door: &dyn Door<T>,
    script: &Script<T>,
    strings: Range<usize>,
    canonical: bool,
) -> Option<usize> {
    for index in strings {
        let entry = &script.entries[index];
        // As a user calls it: the compiler sees neither what goes in nor what comes out.
        if black_box(door).first(black_box(script.string(entry)), canonical) != script.first(entry, canonical)
        {
            return Some(index);
        }
    }
    None
}

/// Each string an input of its own, of which all values are asked for. `room` has at least as many places as a string
/// has bytes.
pub(super) fn whole<T: Integer>(
    door: &dyn Door<T>,
    script: &Script<T>,
    strings: Range<usize>,
    canonical: bool,
    room: &mut [T],
) -> Option<usize> {
    for index in strings {
        let entry = &script.entries[index];
        let due = script.ended(entry, entry, canonical);
        let values = &script.values[entry.value as usize..][..due.values];
        let room = &mut room[..entry.len.into()];
        poison(values, room);
        let got = black_box(door).all(black_box(script.string(entry)), black_box(room), canonical);
        if got != due || black_box(room)[..due.values] != *values {
            return Some(index);
        }
    }
    None
}

/// The strings together an input, decoded into `room` over and over, and anew behind a faulty string.
pub(super) fn stream<T: Integer>(
    door: &dyn Door<T>,
    script: &Script<T>,
    strings: Range<usize>,
    canonical: bool,
    room: &mut [T],
) -> Option<usize> {
    let mut start = strings.start;
    let faulty = &script.faulty[usize::from(canonical)];
    let mut next = faulty.partition_point(|&faulty| (faulty as usize) < start);
    while start < strings.end {
        let last = faulty.get(next).map_or(usize::MAX, |&faulty| faulty as usize).min(strings.end - 1);
        let disagrees = segment(door, script, start..last + 1, strings.end, canonical, room);
        if disagrees.is_some() {
            return disagrees;
        }
        (start, next) = (last + 1, next + 1);
    }
    None
}

/// The strings up to the first faulty one, which is the last, with the others up to `end` behind them.
fn segment<T: Integer>(
    door: &dyn Door<T>,
    script: &Script<T>,
    strings: Range<usize>,
    end: usize,
    canonical: bool,
    room: &mut [T],
) -> Option<usize> {
    let (from, to, behind) =
        (&script.entries[strings.start], &script.entries[strings.end - 1], &script.entries[end - 1]);
    let due = script.ended(from, to, canonical);
    let (start, end) = (from.byte as usize, behind.byte as usize + usize::from(behind.len));
    let mut bytes = start;
    let mut values = from.value as usize;
    let last_value = values + due.values;
    loop {
        let expected = &script.values[values..last_value.min(values + room.len())];
        poison(expected, room);
        let got = black_box(door).all(black_box(&script.bytes[bytes..end]), black_box(&mut *room), canonical);
        // Where the room is full, nothing behind it is judged.
        let full = expected.len() == room.len();
        let stop = if full { script.ends[values + room.len() - 1] as usize } else { start + due.bytes };
        let fault = due.fault.filter(|_| !full).map(|fault| (fault.kind, start + fault.offset - bytes));
        let same = got.values == expected.len()
            && got.bytes == stop - bytes
            && got.fault.map(|fault| (fault.kind, fault.offset)) == fault;
        if !same || black_box(&*room)[..expected.len()] != *expected {
            let sound = expected.iter().zip(&*room).take(got.values).take_while(|(e, got)| e == got).count();
            return Some(script.holder(values + sound).clamp(strings.start, strings.end - 1));
        }
        if !full {
            return None;
        }
        (bytes, values) = (stop, values + room.len());
    }
}

/// Fills the places of the values expected with what they are not: a decoder that leaves one out cannot pass.
#[inline]
fn poison<T: Integer>(expected: &[T], room: &mut [T]) {
    for (value, place) in expected.iter().zip(room) {
        *place = value.other();
    }
}
