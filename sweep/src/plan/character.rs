//! The spaces of `bool` and `char`.
//!
//! The number of a character counts those before it, so that the surrogates have none.

use super::interval::Interval;
use super::space::{DynSpace, Stratum};

/// A type with few values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Few {
    name: &'static str,
    pub(crate) limits: Interval,
    /// The names of the classes, each with the number of its last value.
    classes: &'static [(&'static str, i128)],
    edges: &'static [i128],
    text: fn(i128) -> String,
    number: fn(&str) -> Option<i128>,
}

const SURROGATES: u32 = 0xe000 - 0xd800;
const LAST: i128 = (char::MAX as u32 - SURROGATES) as i128;

pub(crate) const BOOL: Few = Few {
    name: "bool",
    limits: Interval { first: 0, last: 1 },
    classes: &[("all", 1)],
    edges: &[],
    text: |number| (number == 1).to_string(),
    number: |text| text.parse().ok().map(bool::into),
};

/// The scalar values of Unicode, by their length in UTF-8. The edges are those before and after the
/// surrogates.
pub(crate) const CHAR: Few = Few {
    name: "char",
    limits: Interval { first: 0, last: LAST },
    classes: &[
        ("1 byte of UTF-8", 0x7f),
        ("2 bytes of UTF-8", 0x7ff),
        ("3 bytes of UTF-8", 0xffff - SURROGATES as i128),
        ("4 bytes of UTF-8", LAST),
    ],
    edges: &[0xd7ff, 0xd800],
    text: |number| format!("U+{:04X}", u32::from(character(number as u64))),
    number: |text| {
        let code = u32::from_str_radix(text.strip_prefix("U+")?, 16).ok()?;
        char::from_u32(code).map(number)
    },
};

/// Returns the character with this number.
#[inline(always)]
pub(crate) fn character(number: u64) -> char {
    let number = number as u32;
    let code = if number < 0xd800 { number } else { number.wrapping_add(SURROGATES) };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns the number of a character.
pub(crate) fn number(character: char) -> i128 {
    let code = u32::from(character);
    i128::from(if code < 0xd800 { code } else { code - SURROGATES })
}

impl Few {
    /// Returns the type with this name, if there is one.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        [BOOL, CHAR].into_iter().find(|few| few.name == name)
    }
}

impl DynSpace for Few {
    fn name(&self) -> String {
        self.name.into()
    }

    fn limits(&self) -> Interval {
        self.limits
    }

    fn classes(&self) -> Vec<Stratum> {
        let firsts = [0].into_iter().chain(self.classes.iter().map(|(_, last)| last + 1));
        let class = |(length, (first, (name, last))): (usize, (i128, &(&str, i128)))| Stratum {
            length,
            negative: false,
            name: Some((*name).into()),
            intervals: vec![Interval { first, last: *last }],
        };
        firsts.zip(self.classes).enumerate().map(class).collect()
    }

    fn edges(&self) -> Vec<i128> {
        self.edges.to_vec()
    }

    fn text(&self, number: i128) -> String {
        (self.text)(number)
    }

    fn number(&self, text: &str) -> Option<i128> {
        (self.number)(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_of_characters_are_their_lengths_in_utf_8() {
        for (class, length) in CHAR.classes().iter().zip(1..) {
            for end in [class.intervals[0].first, class.intervals[0].last] {
                assert_eq!(character(end as u64).len_utf8(), length, "{end}");
            }
        }
        assert_eq!(CHAR.classes().len(), 4);
        assert_eq!(CHAR.limits.count(), 0x11_0000 - 0x800);
        assert_eq!((CHAR.text(0xd7ff), CHAR.text(0xd800)), ("U+D7FF".into(), "U+E000".into()));
        assert_eq!((CHAR.number("U+D800"), CHAR.number("U+110000"), CHAR.number("é")), (None, None, None));
    }
}
