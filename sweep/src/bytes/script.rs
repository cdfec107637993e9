//! Byte strings in a row, with all that the oracle says of them.

use crate::ErrorKind;
use crate::Integer;

use super::plain::{Plain, value};
use super::verdict::{Ended, Fault, Verdict};

/// Strings one after another: each an input of its own, or all together a stream.
///
/// In a stream a bad varint ends the decoding, and it goes on with the next string. The values of the strings passed
/// without a fault, and of the faulty one up to its fault, stand without a gap in `values`, by either policy.
#[derive(Debug)]
pub(super) struct Script<T> {
    plain: Plain,
    pub(super) bytes: Vec<u8>,
    /// The values of each string up to what the lenient policy finds wrong. The canonical one finds a part of them.
    pub(super) values: Vec<T>,
    /// Where each value ends in `bytes`.
    pub(super) ends: Vec<u32>,
    pub(super) entries: Vec<Entry>,
    /// The entries in which a fault is found, by policy.
    pub(super) faulty: [Vec<u32>; 2],
    /// The first value of the last string, as it travels.
    wire: u128,
}

/// A string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where it begins in `bytes`.
    pub(super) byte: u32,
    /// Where its values begin.
    pub(super) value: u32,
    pub(super) len: u16,
    /// How it ends, by policy.
    brief: [Brief; 2],
}

/// An [`Ended`], small.
#[derive(Clone, Copy, Debug)]
struct Brief {
    values: u16,
    bytes: u16,
    offset: u16,
    kind: Option<ErrorKind>,
}

impl<T: Integer> Script<T> {
    pub(super) fn new() -> Self {
        Self {
            plain: Plain::of::<T>(),
            bytes: vec![],
            values: vec![],
            ends: vec![],
            entries: vec![],
            faulty: [vec![], vec![]],
            wire: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.values.clear();
        self.ends.clear();
        self.entries.clear();
        self.faulty.iter_mut().for_each(Vec::clear);
    }

    /// Adds a string.
    pub(super) fn push(&mut self, string: &[u8]) {
        let (byte, value) = (self.bytes.len(), self.values.len());
        self.bytes.extend_from_slice(string);
        self.judge(byte, value);
    }

    /// Adds a string and, where it ends inside a varint, a last byte: nothing runs into the next one.
    pub(super) fn push_whole(&mut self, string: &[u8]) {
        let (byte, value) = (self.bytes.len(), self.values.len());
        self.bytes.extend_from_slice(string);
        if string.last().is_some_and(|&byte| byte >= 128) {
            self.bytes.push(1);
        }
        self.judge(byte, value);
    }

    /// Adds the last string `count` times more, each time with one more in its first byte, whose continuation bit stays
    /// the same. So nothing else changes but the first value, which is one more on the wire.
    pub(super) fn push_next(&mut self, count: usize) {
        let Some(&last) = self.entries.last() else { return };
        let (byte, value) = (last.byte as usize, last.value as usize);
        let (len, values) = (self.bytes.len() - byte, self.values.len() - value);
        repeat(&mut self.bytes, len, count);
        repeat(&mut self.values, values, count);
        repeat(&mut self.ends, values, count);
        for step in 1..=count {
            self.bytes[byte + step * len] += step as u8;
            let first = value + step * values;
            for end in &mut self.ends[first..first + values] {
                *end += (step * len) as u32;
            }
            if values > 0 {
                self.wire += 1;
                self.values[first] = self::value(self.wire);
            }
            self.add(Entry { byte: (byte + step * len) as u32, value: first as u32, ..last });
        }
    }

    /// The oracle's word on the bytes from `byte` on.
    fn judge(&mut self, byte: usize, value: usize) {
        let string = &self.bytes[byte..];
        let len = string.len() as u16;
        let (mut values, mut at) = (0, 0);
        let mut strict = None;
        let fault = loop {
            if at == string.len() {
                break None;
            }
            match self.plain.first(&string[at..]) {
                Ok(item) => {
                    if values == 0 {
                        self.wire = item.wire;
                    }
                    let end = at + item.len;
                    if item.overlong && strict.is_none() {
                        let fault = Fault { kind: ErrorKind::NonCanonical, offset: end - 1 };
                        strict = Some(Ended { values, bytes: at, fault: Some(fault) });
                    }
                    self.values.push(self::value(item.wire));
                    self.ends.push((byte + end) as u32);
                    values += 1;
                    at = end;
                }
                Err(fault) => break Some(Fault { offset: at + fault.offset, ..fault }),
            }
        };
        let lenient = Ended { values, bytes: at, fault };
        let brief = [lenient, strict.unwrap_or(lenient)].map(Brief::from);
        self.add(Entry { byte: byte as u32, value: value as u32, len, brief });
    }

    fn add(&mut self, entry: Entry) {
        for (faulty, brief) in self.faulty.iter_mut().zip(entry.brief) {
            if brief.kind.is_some() {
                faulty.push(self.entries.len() as u32);
            }
        }
        self.entries.push(entry);
    }

    /// The bytes of a string.
    #[inline]
    pub(super) fn string(&self, entry: &Entry) -> &[u8] {
        &self.bytes[entry.byte as usize..][..usize::from(entry.len)]
    }

    /// What is due of a string by itself, where one value is asked for.
    #[inline]
    pub(super) fn first(&self, entry: &Entry, canonical: bool) -> Verdict<T> {
        let brief = &entry.brief[usize::from(canonical)];
        if brief.values > 0 {
            let at = entry.value as usize;
            return Ok((self.values[at], (self.ends[at] - entry.byte) as usize));
        }
        Err(brief.fault().unwrap_or(Fault { kind: ErrorKind::Truncated, offset: 0 }))
    }

    /// What is due of the strings from `from` to `to` as one input: the first fault is in the last of them, if in any.
    pub(super) fn ended(&self, from: &Entry, to: &Entry, canonical: bool) -> Ended {
        let brief = &to.brief[usize::from(canonical)];
        let before = (to.byte - from.byte) as usize;
        Ended {
            values: (to.value - from.value) as usize + usize::from(brief.values),
            bytes: before + usize::from(brief.bytes),
            fault: brief.fault().map(|fault| Fault { offset: before + fault.offset, ..fault }),
        }
    }

    /// The string that holds value number `value`.
    pub(super) fn holder(&self, value: usize) -> usize {
        self.entries.partition_point(|entry| entry.value as usize <= value).saturating_sub(1)
    }
}

/// Adds the last `len` items `count` times more.
fn repeat<I: Copy>(items: &mut Vec<I>, len: usize, count: usize) {
    let (start, end) = (items.len() - len, items.len() + len * count);
    while items.len() < end {
        // Twice as many each time.
        let more = (items.len() - start).min(end - items.len());
        items.extend_from_within(start..start + more);
    }
}

impl From<Ended> for Brief {
    fn from(ended: Ended) -> Self {
        Self {
            values: ended.values as u16,
            bytes: ended.bytes as u16,
            offset: ended.fault.map_or(0, |fault| fault.offset as u16),
            kind: ended.fault.map(|fault| fault.kind),
        }
    }
}

impl Brief {
    #[inline]
    fn fault(&self) -> Option<Fault> {
        self.kind.map(|kind| Fault { kind, offset: self.offset.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::strings::groups;

    /// The quick way from string to string says what the plain one says.
    fn next_is_as_judged<T: Integer>() {
        for group in groups(2).into_iter().filter(|group| group.every) {
            let (mut quick, mut plain) = (Script::<T>::new(), Script::<T>::new());
            let mut number = 0;
            for (string, count) in group.runs(0..group.count()) {
                quick.clear();
                plain.clear();
                quick.push_whole(&string);
                quick.push_next(count - 1);
                for _ in 0..count {
                    plain.push_whole(&group.string(number));
                    number += 1;
                }
                assert_eq!(format!("{quick:?}"), format!("{plain:?}"), "{group} from {string:?}");
            }
        }
    }

    #[test]
    fn items_are_repeated_as_often_as_asked() {
        for (len, count) in [(3, 0), (3, 1), (3, 6), (1, 127), (0, 5)] {
            let mut items = vec![9, 1, 2, 3];
            let again = items[4 - len..].repeat(count);
            repeat(&mut items, len, count);
            assert_eq!(items, [&[9, 1, 2, 3], &again[..]].concat());
        }
    }

    #[test]
    fn next_is_as_judged_u8() {
        next_is_as_judged::<u8>();
    }

    #[test]
    fn next_is_as_judged_u16() {
        next_is_as_judged::<u16>();
    }

    #[test]
    fn next_is_as_judged_i64() {
        next_is_as_judged::<i64>();
    }
}
