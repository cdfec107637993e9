//! The oracle: one varint by plain arithmetic, from the formats' descriptions and the verdicts' table alone.
//!
//! It shares nothing with the codec: it looks for the end first, then takes the digits of a number in base 128 from the
//! most significant one down (Horner's rule), and holds the number against the type's greatest.

use crate::ErrorKind;
use crate::Integer;

use super::verdict::Fault;

/// An oracle for one type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The greatest number on the wire.
    greatest: u128,
    /// Digits of that number in base 128: bytes of the longest encoding.
    longest: usize,
}

/// A varint at the front of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The number on the wire.
    pub(super) wire: u128,
    /// Bytes it took.
    pub(super) len: usize,
    /// Whether a shorter encoding exists.
    pub(super) overlong: bool,
}

impl Plain {
    pub(super) fn of<T: Integer>() -> Self {
        let greatest = (T::GREATEST - T::LEAST) as u128;
        let mut longest = 0;
        let mut rest = greatest;
        while rest > 0 {
            rest /= 128;
            longest += 1;
        }
        Self { greatest, longest }
    }

    /// The first varint of `src` by the lenient verdicts.
    pub(super) fn first(&self, src: &[u8]) -> Result<Item, Fault> {
        let seen = &src[..src.len().min(self.longest)];
        let Some(last) = seen.iter().position(|&byte| byte < 128) else {
            // Without an end among as many bytes as the longest encoding has, the last of them promises too much.
            return Err(if seen.len() < self.longest {
                Fault { kind: ErrorKind::Truncated, offset: src.len() }
            } else {
                Fault { kind: ErrorKind::Overflow, offset: self.longest - 1 }
            });
        };
        let wire =
            seen[..=last].iter().rev().fold(0u128, |number, byte| number * 128 + u128::from(byte % 128));
        if wire > self.greatest {
            return Err(Fault { kind: ErrorKind::Overflow, offset: self.unfitting(&seen[..=last]) });
        }
        Ok(Item { wire, len: last + 1, overlong: last > 0 && seen[last] == 0 })
    }

    /// The encoding of the greatest number.
    pub(super) fn longest(&self) -> Vec<u8> {
        let digit = |place| (self.greatest / 128u128.pow(place) % 128) as u8;
        let last = self.longest as u32 - 1;
        (0..=last).map(|place| digit(place) + if place < last { 128 } else { 0 }).collect()
    }

    /// The first byte with which the number passes the greatest.
    fn unfitting(&self, varint: &[u8]) -> usize {
        let (mut number, mut weight) = (0, 1u128);
        varint
            .iter()
            .position(|byte| {
                number += u128::from(byte % 128) * weight;
                weight *= 128;
                number > self.greatest
            })
            .unwrap_or(varint.len())
    }
}

/// The value that a number on the wire stands for: itself, or by zigzag 0, -1, 1, -2, 2 for 0, 1, 2, 3, 4.
#[inline]
pub(super) fn value<T: Integer>(wire: u128) -> T {
    let number = wire as i128;
    T::from_i128(if !T::SIGNED {
        number
    } else if number % 2 == 0 {
        number / 2
    } else {
        -(number / 2) - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict<T: Integer>(src: &[u8]) -> Result<(u128, usize, bool), (ErrorKind, usize)> {
        Plain::of::<T>()
            .first(src)
            .map(|item| (item.wire, item.len, item.overlong))
            .map_err(|fault| (fault.kind, fault.offset))
    }

    fn run(byte: u8, n: usize, end: &[u8]) -> Vec<u8> {
        [&vec![byte; n], end].concat()
    }

    #[test]
    fn u64_has_the_verdicts_of_the_table() {
        use ErrorKind::{Overflow, Truncated};
        assert_eq!(verdict::<u64>(&[]), Err((Truncated, 0)));
        assert_eq!(verdict::<u64>(&[0x80]), Err((Truncated, 1)));
        assert_eq!(verdict::<u64>(&[0x80; 9]), Err((Truncated, 9)));
        for n in 10..14 {
            assert_eq!(verdict::<u64>(&vec![0x80; n]), Err((Overflow, 9)));
        }
        assert_eq!(verdict::<u64>(&run(0xff, 9, &[0x01])), Ok((u64::MAX.into(), 10, false)));
        assert_eq!(verdict::<u64>(&run(0xff, 9, &[0x02])), Err((Overflow, 9)));
        assert_eq!(verdict::<u64>(&run(0xff, 9, &[0x7f])), Err((Overflow, 9)));
        assert_eq!(verdict::<u64>(&[0x80, 0x00]), Ok((0, 2, true)));
        assert_eq!(verdict::<u64>(&run(0x80, 9, &[0x00])), Ok((0, 10, true)));
        assert_eq!(verdict::<u64>(&[0x00]), Ok((0, 1, false)));
        assert_eq!(verdict::<u64>(&[0xac, 0x02, 0x80]), Ok((300, 2, false)));
    }

    #[test]
    fn the_last_byte_of_every_width_has_its_limit() {
        use ErrorKind::Overflow;
        assert_eq!(verdict::<u32>(&run(0xff, 4, &[0x0f])), Ok((u32::MAX.into(), 5, false)));
        assert_eq!(verdict::<u32>(&run(0xff, 4, &[0x10])), Err((Overflow, 4)));
        assert_eq!(verdict::<u16>(&run(0xff, 2, &[0x03])), Ok((u16::MAX.into(), 3, false)));
        assert_eq!(verdict::<u16>(&run(0xff, 2, &[0x04])), Err((Overflow, 2)));
        assert_eq!(verdict::<u8>(&run(0xff, 1, &[0x01])), Ok((u8::MAX.into(), 2, false)));
        assert_eq!(verdict::<u8>(&run(0xff, 1, &[0x02])), Err((Overflow, 1)));
        assert_eq!(verdict::<i8>(&run(0x80, 1, &[0x80])), Err((Overflow, 1)));
    }

    #[test]
    fn the_longest_encoding_is_that_of_the_greatest_number() {
        assert_eq!(Plain::of::<u32>().longest(), [0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert_eq!(Plain::of::<i64>().longest(), run(0xff, 9, &[0x01]));
    }

    #[test]
    fn zigzag_takes_turns() {
        assert_eq!([0, 1, 2, 3, 4].map(value::<i8>), [0, -1, 1, -2, 2]);
        assert_eq!(value::<i64>(u64::MAX.into()), i64::MIN);
        assert_eq!(value::<u64>(u64::MAX.into()), u64::MAX);
    }
}
