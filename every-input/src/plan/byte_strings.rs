//! The spaces of byte strings: every string up to a length, and for decoders structured strings
//! of greater lengths.

use std::fmt;
use std::ops::{Deref, Range};

use super::interval::Interval;
use super::space::{ErasedClass, ErasedPart, ErasedSpace, Space, by_erased};

/// The length of the longest structured strings: one byte more than the longest 64-bit encoding.
pub(crate) const MAX_STRUCTURED_LEN: usize = 11;

/// The maximum of [`ByteStrings::new`], with which there are fewer than 2^64 strings.
const MAX_LEN: usize = 7;

/// The payloads of all bytes of a structured string but one.
const FILLS: [u8; 2] = [0x00, 0x7f];
/// The payloads of the remaining byte: each bit alone, the fills, and the limits of the last byte
/// for every integer width with their neighbours.
const PAYLOADS: [u8; 15] =
    [0x00, 0x01, 0x02, 0x03, 0x04, 0x07, 0x08, 0x0f, 0x10, 0x1f, 0x20, 0x3f, 0x40, 0x7e, 0x7f];
/// The number of payloads that differ from one fill.
const OTHERS: u64 = PAYLOADS.len() as u64 - 1;

/// The strings of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The length of each string in bytes.
    pub(crate) length: usize,
    /// Whether the group has every string of this length, or structured strings only.
    pub(crate) every: bool,
}

/// Every byte string up to a length, in the order of a dictionary among those of one length.
///
/// ```
/// use every_input::{ByteStrings, exhaustive};
///
/// let is_digit = |bytes: &[u8]| bytes.len() == 1 && bytes[0].wrapping_sub(b'0') < 10;
/// exhaustive(ByteStrings::new(2)).check(|bytes| {
///     let parsed = std::str::from_utf8(&bytes).ok().and_then(|text| text.parse::<u8>().ok());
///     !is_digit(&bytes) || parsed == Some(bytes[0] - b'0')
/// });
/// ```
///
/// A check gets a [`ByteString`], which dereferences to a slice. For strings of a single length use
/// arrays, as in `[all::<u8>(); 4]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteStrings {
    /// The length up to which every string is in the space.
    len: usize,
    /// The length of the longest strings, which is greater with structured strings.
    longest: usize,
}

impl ByteStrings {
    /// The maximum length of [`structured`](Self::structured). Each further byte would take 256 times as
    /// long.
    pub const MAX_LEN_FOR_DECODERS: usize = 5;

    /// Returns the space of every byte string of up to `len` bytes. More than seven are more strings
    /// than a sweep can number.
    pub fn new(len: usize) -> Self {
        Self { len, longest: len }
    }

    /// Returns the space of every byte string of up to `len` bytes, at most
    /// [`MAX_LEN_FOR_DECODERS`](Self::MAX_LEN_FOR_DECODERS), and of structured ones of up to eleven
    /// bytes, for decoders.
    pub fn structured(len: usize) -> Self {
        Self { len: len.min(Self::MAX_LEN_FOR_DECODERS), longest: MAX_STRUCTURED_LEN }
    }

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        let plain = (0..=MAX_LEN).map(Self::new);
        let structured = (0..=Self::MAX_LEN_FOR_DECODERS).map(Self::structured);
        plain.chain(structured).find(|space| space.title() == name)
    }

    pub(crate) fn group(self, length: usize) -> Group {
        Group { length, every: length <= self.len }
    }

    /// Returns the groups, each with the numbers of its strings.
    pub(crate) fn groups(self) -> impl Iterator<Item = (Group, Interval)> {
        let mut end = 0;
        (0..=self.longest).map(move |length| {
            let (group, first) = (self.group(length), end);
            end += i128::from(group.count());
            (group, Interval { first, last: end - 1 })
        })
    }

    /// Returns the groups of consecutive strings, of which the first has this number, each with the
    /// numbers of these strings in the group.
    pub(crate) fn parts(self, first: i128, count: usize) -> impl Iterator<Item = (Group, Range<u64>)> {
        let strings = Interval { first, last: first + count as i128 - 1 };
        self.groups().filter_map(move |(group, own)| {
            let part = own.intersect(strings)?;
            Some((group, (part.first - own.first) as u64..(part.last - own.first) as u64 + 1))
        })
    }

    /// Returns the group that has the string with this number, and the number of its first string.
    pub(crate) fn locate(self, number: i128) -> Option<(Group, i128)> {
        self.groups().find(|(_, own)| own.contains(number)).map(|(group, own)| (group, own.first))
    }
}

/// A byte string of at most eleven bytes, which dereferences to a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteString {
    length: usize,
    bytes: [u8; MAX_STRUCTURED_LEN],
}

impl Deref for ByteString {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl fmt::Debug for ByteString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(self))
    }
}

impl Space for ByteStrings {
    type Item = ByteString;

    by_erased!();

    fn count(&self) -> u128 {
        if self.len > MAX_LEN {
            return u128::MAX; // more than a sweep can number
        }
        self.groups().map(|(_, own)| own.count()).sum()
    }

    fn at(&self, number: u64) -> ByteString {
        let (group, first) = self.locate(number.into()).unwrap_or((self.group(0), number.into()));
        ByteString { length: group.length, bytes: group.string((i128::from(number) - first) as u64) }
    }

    #[inline]
    fn fill(&self, first: u64, count: usize, items: &mut Vec<ByteString>) {
        items.clear();
        for (group, numbers) in self.parts(first.into(), count) {
            let length = group.length;
            items.extend(numbers.map(|number| ByteString { length, bytes: group.string(number) }));
        }
    }

    fn erased(&self) -> ErasedPart {
        ErasedPart::new(self.erased_space(), self.count())
    }
}

impl ByteStrings {
    fn title(self) -> String {
        let which = if self.longest == self.len { "all " } else { "" };
        format!("{which}byte strings of up to {} bytes", self.len)
    }

    pub(crate) fn erased_space(self) -> ErasedSpace {
        let class = |(group, own): (Group, Interval)| ErasedClass {
            length: group.length,
            negative: false,
            name: None,
            intervals: vec![own],
        };
        let count = self.count();
        // More strings than a sweep can number.
        let classes = if count == u128::MAX { Vec::new() } else { self.groups().map(class).collect() };
        let number = move |text: &str| {
            let bytes = from_hex(text)?;
            let (group, own) = self.groups().find(|(group, _)| group.length == bytes.len())?;
            Some(own.first + i128::from(group.number(&bytes)?))
        };
        let text = move |number| hex(&self.at(number as u64));
        ErasedSpace {
            classes,
            noun: "string",
            subject_noun: "decoders",
            // A decoder gets each string many times.
            unit_shift: if self.longest == self.len { 18 } else { 14 },
            ..ErasedSpace::new(self.title(), Interval::of_count(count), text, number)
        }
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(byte).collect()
}

/// Returns the text of bytes in hex, if they are text: UTF-8 without control characters but blanks.
pub(crate) fn text_of(hex: &str) -> Option<String> {
    let text = String::from_utf8(from_hex(hex)?).ok()?;
    let is_shown = |char: char| !char.is_control() || char.is_ascii_whitespace();
    (!text.is_empty() && text.chars().all(is_shown)).then_some(text)
}

impl Group {
    pub(crate) fn count(self) -> u64 {
        if self.every {
            1 << (8 * self.length)
        } else {
            (1 << self.length) * self.fills() * self.variations()
        }
    }

    /// Returns the number of fills. Below three bytes the variations of one fill include the other.
    fn fills(self) -> u64 {
        if self.length < 3 { 1 } else { FILLS.len() as u64 }
    }

    /// Returns the number of strings with one pattern of continuation bits and one fill: all bytes
    /// have the fill, or one byte has another payload.
    fn variations(self) -> u64 {
        1 + self.length as u64 * OTHERS
    }

    /// Returns a string by its number, which is below [`count`](Self::count), in the first `length`
    /// bytes.
    ///
    /// If every string is in the group, they are in the order of a dictionary: what a parser makes of
    /// a string depends on its start, so that failing strings are few ranges. Structured strings are
    /// sorted by continuation bits.
    pub(crate) fn string(self, number: u64) -> [u8; MAX_STRUCTURED_LEN] {
        let mut bytes = [0; MAX_STRUCTURED_LEN];
        if self.every {
            let shift = 64 - 8 * self.length as u32;
            bytes[..8].copy_from_slice(&number.checked_shl(shift).unwrap_or(0).to_be_bytes());
        } else {
            let (rest, variation) = (number / self.variations(), number % self.variations());
            let (pattern, fill) = (rest / self.fills(), FILLS[(rest % self.fills()) as usize]);
            bytes[..self.length].fill(fill);
            if let Some(variation) = variation.checked_sub(1) {
                let mut others = PAYLOADS.into_iter().filter(|&payload| payload != fill);
                let place = &mut bytes[(variation / OTHERS) as usize];
                *place = others.nth((variation % OTHERS) as usize).unwrap_or(fill);
            }
            for (place, byte) in bytes[..self.length].iter_mut().enumerate() {
                *byte |= ((pattern >> place & 1) as u8) << 7;
            }
        }
        bytes
    }

    /// Returns the number of a string of this length, if it is in the group.
    fn number(self, string: &[u8]) -> Option<u64> {
        if self.every {
            return Some(string.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)));
        }
        let pattern = string.iter().rev().fold(0, |bits, &byte| bits << 1 | u64::from(byte >> 7));
        let fills = FILLS.into_iter().take(self.fills() as usize);
        fills.zip(0..).find_map(|(fill, index)| {
            let mut others = string.iter().enumerate().filter(|(_, byte)| *byte & 0x7f != fill);
            let variation = match (others.next(), others.next()) {
                (None, _) => 0,
                (Some((place, byte)), None) => {
                    let mut payloads = PAYLOADS.into_iter().filter(|&payload| payload != fill);
                    1 + place as u64 * OTHERS + payloads.position(|payload| payload == byte & 0x7f)? as u64
                }
                _ => return None,
            };
            Some((pattern * self.fills() + index) * self.variations() + variation)
        })
    }

    /// Returns a stride that, repeated modulo the count, visits every string once. Each string is
    /// far from the one before.
    pub(crate) fn stride(self) -> u64 {
        let count = self.count();
        let mut stride = (count as f64 * 0.618_033_988_749_895) as u64 | 1; // the golden ratio
        while greatest_common_divisor(stride, count) > 1 {
            stride += 2;
        }
        stride % count.max(2)
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn strides_visit_every_string_once() {
        for (group, _) in ByteStrings::structured(2).groups().filter(|(group, _)| group.count() < 1 << 20) {
            let count = group.count();
            let seen: HashSet<u64> = (0..count).map(|step| step * group.stride() % count).collect();
            assert_eq!(seen.len() as u64, count, "{group:?}");
        }
    }

    #[test]
    fn structured_strings_have_every_pattern_with_each_single_bit_in_each_byte() {
        let group = Group { length: 5, every: false };
        let strings: HashSet<Vec<u8>> = (0..group.count()).map(|n| group.string(n)[..5].to_vec()).collect();
        for pattern in 0..32u8 {
            for place in 0..5 {
                for bit in 0..7 {
                    let mut string: Vec<u8> = (0..5).map(|at| (pattern >> at & 1) << 7).collect();
                    string[place] |= 1 << bit;
                    assert!(strings.contains(&string), "{string:02x?}");
                }
            }
        }
    }
}
