//! What `Delta` has to write and to return: schemes by plain arithmetic on places. A place is the
//! number of values of the type that are less than the value.

use zigzag_varint::ErrorKind;
use zigzag_varint_oracle::{self as oracle, BulkOutcome, ErrorAt};

use super::random_values::Rng;

/// What is written for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    Zigzag,
    Gaps,
    StrictGaps,
}

impl Scheme {
    pub const ALL: [Self; 3] = [Self::Zigzag, Self::Gaps, Self::StrictGaps];
}

/// A scheme for values of a number of bits.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub scheme: Scheme,
    pub bits: u32,
}

impl Format {
    /// Returns the greatest place, which is also the greatest number on the wire.
    pub fn greatest(self) -> u128 {
        u128::MAX >> (128 - self.bits)
    }

    /// Returns the number on the wire, or `None` if the scheme has none.
    fn number(self, before: u128, value: u128) -> Option<u128> {
        match self.scheme {
            Scheme::Zigzag => {
                let (up, down) = (value.wrapping_sub(before), before.wrapping_sub(value));
                let (up, down) = (up & self.greatest(), down & self.greatest());
                Some(if up <= self.greatest() / 2 { 2 * up } else { 2 * (down - 1) + 1 })
            }
            Scheme::Gaps => value.checked_sub(before),
            Scheme::StrictGaps => value.checked_sub(before)?.checked_sub(1),
        }
    }

    /// Returns the value of a number on the wire, or `None` if it is past the greatest one.
    fn value(self, before: u128, number: u128) -> Option<u128> {
        let sum = match self.scheme {
            Scheme::Zigzag if number % 2 == 0 => {
                return Some(before.wrapping_add(number / 2) & self.greatest());
            }
            Scheme::Zigzag => return Some(before.wrapping_sub(number / 2 + 1) & self.greatest()),
            Scheme::Gaps => before.checked_add(number),
            Scheme::StrictGaps => before.checked_add(number)?.checked_add(1),
        };
        sum.filter(|&sum| sum <= self.greatest())
    }

    /// Returns the encoding of a sequence, or the index of the first value that has none.
    pub fn encode(self, previous: &[u128], values: &[u128]) -> Result<Vec<u8>, usize> {
        let pairs = values.iter().zip(previous.iter().chain(values));
        let numbers =
            pairs.enumerate().map(|(index, (&value, &before))| self.number(before, value).ok_or(index));
        Ok(oracle::encode_all(numbers.collect::<Result<Vec<_>, _>>()?))
    }

    /// Decodes at most `capacity` values, up to the first error.
    pub fn decode(self, previous: &[u128], src: &[u8], capacity: usize, canonical: bool) -> BulkOutcome {
        let numbers = oracle::decode_all(src, self.bits, capacity, canonical);
        let mut values = previous.to_vec();
        for (index, &number) in numbers.values.iter().enumerate() {
            let Some(value) = self.value(values[index], number) else {
                let bytes = oracle::skip(src, index).expect("decoded before");
                let error = Some(ErrorAt { kind: ErrorKind::Overflow, offset: bytes });
                return BulkOutcome { values: values.split_off(previous.len()), bytes, error };
            };
            values.push(value);
        }
        BulkOutcome { values: values.split_off(previous.len()), ..numbers }
    }

    /// Returns a sequence of at most `n` values whose numbers have random lengths, up to the longest
    /// that leaves room for the others.
    pub fn sequence(self, rng: &mut Rng, previous: &[u128], n: usize) -> Vec<u128> {
        let mut values = previous.to_vec();
        for index in 0..n {
            let before = values[index];
            let left = 1 + (n - index) as u128 / previous.len() as u128;
            let room = match self.scheme {
                Scheme::Zigzag => self.greatest(),
                _ => (self.greatest() - before) / left,
            };
            let number = any_up_to(rng, room.saturating_sub(u128::from(self.scheme == Scheme::StrictGaps)));
            let Some(value) = self.value(before, number) else { break };
            values.push(value);
        }
        values.split_off(previous.len())
    }
}

/// Returns a number of a random length up to `greatest`.
pub fn any_up_to(rng: &mut Rng, greatest: u128) -> u128 {
    let any = u128::from(rng.next()) << 64 | u128::from(rng.next());
    let bits = rng.below(129 - greatest.leading_zeros() as usize);
    let any = if bits == 128 { any } else { any & !(u128::MAX << bits) };
    any.min(greatest)
}
