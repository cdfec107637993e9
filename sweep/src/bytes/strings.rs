//! Which byte strings there are: all of a length, and beyond that a structured choice. Each is found from its number.

use std::fmt;
use std::ops::Range;

/// Bytes of the longest string: one more than the longest encoding of 64 bits.
pub const LONGEST: usize = 11;

/// What all bytes of a structured string hold below their continuation bit, but for one.
const FILLS: [u8; 2] = [0x00, 0x7f];
/// What that one holds: each bit alone, the limits of every width's last byte and their neighbours. The fills are among them.
const PAYLOADS: [u8; 15] =
    [0x00, 0x01, 0x02, 0x03, 0x04, 0x07, 0x08, 0x0f, 0x10, 0x1f, 0x20, 0x3f, 0x40, 0x7e, 0x7f];
/// Those that are not the fill.
const OTHERS: u64 = PAYLOADS.len() as u64 - 1;

/// A byte string of at most [`LONGEST`] bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteString {
    bytes: [u8; LONGEST],
    len: usize,
}

impl std::ops::Deref for ByteString {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Strings of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Bytes of each string.
    pub(super) length: usize,
    /// All strings of that length, or the structured ones.
    pub(super) every: bool,
}

/// The groups of a sweep: every string up to `len` bytes, structured ones from there on.
pub(super) fn groups(len: usize) -> Vec<Group> {
    (0..=LONGEST.max(len)).map(|length| Group { length, every: length <= len }).collect()
}

impl Group {
    /// How many strings.
    pub(super) fn count(self) -> u64 {
        if self.every {
            1 << (8 * self.length)
        } else {
            (1 << self.length) * self.fills() * self.variations()
        }
    }

    /// With fewer than three bytes one fill with its variations holds the others too.
    fn fills(self) -> u64 {
        if self.length < 3 { 1 } else { FILLS.len() as u64 }
    }

    /// The fill itself, and each other payload in each place.
    fn variations(self) -> u64 {
        1 + self.length as u64 * OTHERS
    }

    /// The string of that number, below [`count`](Self::count).
    ///
    /// Of all strings, the first byte changes fastest. Of structured ones all variations with one pattern of
    /// continuation bits come together. Either way long stretches of neighbours are cut into varints alike.
    pub(super) fn string(self, number: u64) -> ByteString {
        let mut bytes = [0; LONGEST];
        if self.every {
            bytes[..8].copy_from_slice(&number.to_le_bytes());
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
        ByteString { bytes, len: self.length }
    }

    /// The strings of these numbers in runs: the first of each, and how many in all differ from it in their first byte
    /// alone, by one each, with the same continuation bits. Where all strings of a length are, runs begin at multiples of 128.
    pub(super) fn runs(self, numbers: Range<u64>) -> impl Iterator<Item = (ByteString, usize)> {
        let alike = if self.every && self.length > 0 { 128 } else { 1 };
        let firsts = numbers.clone().step_by(alike);
        firsts.map(move |first| (self.string(first), alike.min((numbers.end - first) as usize)))
    }

    /// A step that, taken again and again modulo the count, leads to every string once, and far from the one before.
    pub(super) fn stride(self) -> u64 {
        let count = self.count();
        let mut stride = (count as f64 * 0.618_033_988_749_895) as u64 | 1;
        while divisor(stride, count) > 1 {
            stride += 2;
        }
        stride % count.max(2)
    }
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.length, if self.every { "" } else { " structured" })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_string_comes_twice_and_none_of_a_whole_length_is_missing() {
        for len in 0..=2 {
            for group in groups(len).into_iter().filter(|group| group.length <= 7) {
                let strings: HashSet<Vec<u8>> =
                    (0..group.count()).map(|number| group.string(number).to_vec()).collect();
                assert_eq!(strings.len() as u64, group.count(), "{group}");
                assert!(strings.iter().all(|string| string.len() == group.length), "{group}");
            }
        }
        assert_eq!(Group { length: 2, every: true }.count(), 65_536);
    }

    #[test]
    fn strides_lead_everywhere() {
        for group in groups(2).into_iter().filter(|group| group.count() < 1 << 20) {
            let count = group.count();
            let seen: HashSet<u64> = (0..count).map(|step| step * group.stride() % count).collect();
            assert_eq!(seen.len() as u64, count, "{group}");
        }
    }

    #[test]
    fn strings_of_a_run_differ_in_the_first_byte_by_one() {
        for group in groups(2).into_iter().filter(|group| group.length < 5) {
            let mut number = 0;
            for (first, count) in group.runs(0..group.count()) {
                for step in 0..count {
                    let mut string = first;
                    string.bytes[0] += step as u8;
                    assert_eq!(*string, *group.string(number));
                    assert_eq!(first.first().map(|byte| byte / 128), string.first().map(|byte| byte / 128));
                    number += 1;
                }
            }
            assert_eq!(number, group.count(), "{group}");
        }
    }

    #[test]
    fn structured_strings_have_every_pattern_and_every_single_bit_in_every_place() {
        let group = Group { length: 5, every: false };
        let strings: HashSet<Vec<u8>> = (0..group.count()).map(|n| group.string(n).to_vec()).collect();
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
