//! The spaces of `bool` and `char`.
//!
//! The number of a character counts those before it, so that the surrogates have none.

use super::interval::Interval;
use super::space::{Primitive, Stratum};

const SURROGATES: u32 = 0xe000 - 0xd800;
const LAST: i128 = (char::MAX as u32 - SURROGATES) as i128;

pub(crate) const BOOL: Primitive = Primitive {
    name: "bool",
    limits: Interval { first: 0, last: 1 },
    classes: || by_last(&[("all", 1)]),
    edges: Vec::new,
    text: |number| (number == 1).to_string(),
    number: |text| text.parse().ok().map(bool::into),
};

/// The scalar values of Unicode, by their length in UTF-8. The edges are those before and after the
/// surrogates.
pub(crate) const CHAR: Primitive = Primitive {
    name: "char",
    limits: Interval { first: 0, last: LAST },
    classes: || {
        by_last(&[
            ("1 byte of UTF-8", 0x7f),
            ("2 bytes of UTF-8", 0x7ff),
            ("3 bytes of UTF-8", 0xffff - SURROGATES as i128),
            ("4 bytes of UTF-8", LAST),
        ])
    },
    edges: || vec![0xd7ff, 0xd800],
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

/// Returns the classes with these names, each with the number of its last value.
fn by_last(classes: &[(&str, i128)]) -> Vec<Stratum> {
    let firsts = [0].into_iter().chain(classes.iter().map(|(_, last)| last + 1));
    let classes = firsts.zip(classes).enumerate();
    classes.map(|(at, (first, &(name, last)))| Stratum::named(at, name, Interval::new(first, last))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::space::DynSpace;

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
