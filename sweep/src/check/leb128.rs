//! The encodings of LEB128, calculated by methods that share nothing with a codec. There is no shift
//! by 7 and no count of leading zeros.
//!
//! [`encode`] divides a single value by 128 repeatedly. [`ConsecutiveOracle`] checks the encodings
//! of consecutive values. It treats the digits in base 128 as an odometer, so that each value
//! follows from the one before by incrementing and carrying.

use crate::plan::integer::MAX_LEN;

/// Returns the number on the wire: the value itself if unsigned, or its zigzag mapping, which maps
/// 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
#[inline]
pub(crate) fn wire_number(value: i128, signed: bool) -> u128 {
    match (signed, value < 0) {
        (false, _) => value.unsigned_abs(),
        (true, false) => 2 * value.unsigned_abs(),
        (true, true) => 2 * value.unsigned_abs() - 1,
    }
}

/// Encodes a value into `dst` by repeated division, and returns the length of the encoding in
/// bytes.
///
/// The encoding has the digits in base 128, the lowest first. 128 is added to each but the last.
#[inline]
pub(crate) fn encode(value: i128, signed: bool, dst: &mut [u8; MAX_LEN]) -> usize {
    let mut number = wire_number(value, signed) as u64;
    let mut len = 0;
    while len < MAX_LEN - 1 && number >= 128 {
        dst[len] = (number % 128 + 128) as u8;
        number /= 128;
        len += 1;
    }
    dst[len] = number as u8;
    len + 1
}

/// An oracle for consecutive values, which compares a codec's bytes with the expected encodings
/// without building each of them.
///
/// A *run* is the longest sequence of values in which only the lowest digit changes. It has 128
/// values, or 64 with zigzag, which uses every other number. All encodings in a run have the same
/// length. From one run to the next only the second digit changes, except for an occasional carry.
/// So the bytes of a run are kept as a template, compared in place, and rebuilt after a carry.
#[derive(Clone, Debug)]
pub struct ConsecutiveOracle {
    /// The digits above the lowest one: the odometer.
    upper: [u8; MAX_LEN + 1],
    /// The number of significant digits among them.
    top: usize,
    /// The number of values left in this run.
    left: usize,
    /// Whether the values are negative. The zigzag number falls while such values rise.
    negative: bool,
    signed: bool,
    /// The bytes of the run, with 0 for the second digit of each value.
    base: [u8; RUN_BYTES],
    /// A mask with 0xff at the second digit of each value.
    second_digits: [u8; RUN_BYTES],
}

/// The number of bytes in the longest run.
const RUN_BYTES: usize = 128 * MAX_LEN;

impl ConsecutiveOracle {
    /// Creates an oracle that expects `value` next.
    pub(crate) fn starting_at(value: i128, signed: bool) -> Self {
        let mut number = wire_number(value, signed);
        let low = (number % 128) as usize;
        number /= 128;
        let mut upper = [0; MAX_LEN + 1];
        let mut top = 0;
        while number > 0 {
            upper[top] = (number % 128) as u8;
            number /= 128;
            top += 1;
        }
        let negative = value < 0;
        let left = match (signed, negative) {
            (false, _) => 128 - low,
            (true, false) => 64 - low / 2,
            (true, true) => low / 2 + 1,
        };
        let (base, second_digits) = ([0; RUN_BYTES], [0; RUN_BYTES]);
        let mut oracle = Self { upper, top, left, negative, signed, base, second_digits };
        oracle.build();
        oracle
    }

    /// Returns whether `got` contains exactly the encodings of the next `values` values.
    ///
    /// In either case the oracle advances past these values.
    pub(crate) fn check(&mut self, mut values: usize, mut got: &[u8]) -> bool {
        let mut same = true;
        while values > 0 {
            let len = self.top + 1;
            let take = values.min(self.left);
            let start = (self.run_len() - self.left) * len;
            let template = start..start + take * len;
            match got.split_at_checked(take * len) {
                Some((run, rest)) => {
                    same &= self.matches(run, template);
                    got = rest;
                }
                None => same = false,
            }
            values -= take;
            self.left -= take;
            if self.left == 0 {
                self.next_run();
            }
        }
        same && got.is_empty()
    }

    fn matches(&self, got: &[u8], template: std::ops::Range<usize>) -> bool {
        let digit = self.upper[0] + if self.top > 1 { 128 } else { 0 };
        let expected = self.base[template.clone()].iter().zip(&self.second_digits[template]);
        // This is the inner loop of a sweep. It has no early exit, so that it vectorizes.
        got.iter()
            .zip(expected)
            .fold(0, |differ, (got, (base, mask))| differ | (got ^ (base | (mask & digit))))
            == 0
    }

    /// Returns the number of values in a whole run.
    fn run_len(&self) -> usize {
        if self.signed { 64 } else { 128 }
    }

    fn next_run(&mut self) {
        self.left = self.run_len();
        let carried = if !self.negative {
            self.count_up()
        } else if self.top > 0 {
            self.count_down()
        } else {
            self.negative = false; // from -1 to 0; neither has upper digits
            true
        };
        if carried {
            self.build();
        }
    }

    /// Increments the odometer and returns whether more than the second digit changed.
    fn count_up(&mut self) -> bool {
        let mut digit = 0;
        while self.upper[digit] == 127 {
            self.upper[digit] = 0;
            digit += 1;
        }
        self.upper[digit] += 1;
        let longer = digit >= self.top;
        self.top = self.top.max(digit + 1);
        digit > 0 || longer
    }

    /// Decrements the odometer, which must not be zero, and returns whether more than the second
    /// digit changed.
    fn count_down(&mut self) -> bool {
        let mut digit = 0;
        while self.upper[digit] == 0 {
            self.upper[digit] = 127;
            digit += 1;
        }
        self.upper[digit] -= 1;
        let shorter = digit + 1 == self.top && self.upper[digit] == 0;
        self.top -= usize::from(shorter);
        digit > 0 || shorter
    }

    /// Builds the template of the current run.
    #[cold]
    fn build(&mut self) {
        let len = self.top + 1;
        for index in 0..self.run_len() {
            let low = match (self.signed, self.negative) {
                (false, _) => index,
                (true, false) => 2 * index,
                (true, true) => 127 - 2 * index,
            };
            for place in 0..len {
                let digit = match place {
                    0 => low as u8,
                    1 => 0,
                    _ => self.upper[place - 1],
                };
                let continuation = if place + 1 < len && place != 1 { 128 } else { 0 };
                self.base[index * len + place] = digit + continuation;
                self.second_digits[index * len + place] = if place == 1 { 0xff } else { 0 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns values shortly before the edge cases: changes of sign and length, carries, both
    /// ends.
    fn edge_cases(signed: bool) -> Vec<i128> {
        let ends: [i128; 2] = if signed { [i64::MIN.into(), i64::MAX.into()] } else { [0, u64::MAX.into()] };
        let mut values = vec![ends[0], ends[1] - 700];
        for bit in 0..64u32 {
            values.extend([(1i128 << bit) - 300, -(1i128 << bit) - 300]);
        }
        values.retain(|&value| value >= ends[0] && value + 700 <= ends[1]);
        values
    }

    /// Returns the encodings of consecutive values by division.
    fn encode_all(first: i128, values: usize, signed: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for value in first..first + values as i128 {
            let mut buffer = [0; MAX_LEN];
            let len = encode(value, signed, &mut buffer);
            bytes.extend_from_slice(&buffer[..len]);
        }
        bytes
    }

    #[test]
    fn the_odometer_agrees_with_division() {
        for signed in [false, true] {
            for first in edge_cases(signed) {
                let mut oracle = ConsecutiveOracle::starting_at(first, signed);
                let mut at = first;
                for values in [1, 2, 61, 64, 65, 128, 200, 179] {
                    let got = encode_all(at, values, signed);
                    assert!(oracle.check(values, &got), "{values} from {at}, signed {signed}");
                    at += values as i128;
                }
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_detected() {
        for signed in [false, true] {
            for first in edge_cases(signed) {
                let mut got = encode_all(first, 70, signed);
                for at in 0..got.len() {
                    for bit in 0..8 {
                        got[at] ^= 1 << bit;
                        assert!(!ConsecutiveOracle::starting_at(first, signed).check(70, &got));
                        got[at] ^= 1 << bit;
                    }
                }
            }
        }
    }

    #[test]
    fn missing_and_extra_bytes_are_detected() {
        let mut got = encode_all(1000, 70, true);
        got.push(0);
        assert!(!ConsecutiveOracle::starting_at(1000, true).check(70, &got));
        got.truncate(got.len() - 2);
        assert!(!ConsecutiveOracle::starting_at(1000, true).check(70, &got));
    }

    #[test]
    fn division_gives_the_examples_of_the_protobuf_guide() {
        let bytes = |value, signed| {
            let mut buffer = [0; MAX_LEN];
            let len = encode(value, signed, &mut buffer);
            buffer[..len].to_vec()
        };
        assert_eq!(bytes(150, false), [0x96, 0x01]);
        assert_eq!(bytes(-2, true), [0x03]);
        assert_eq!(bytes(0x7fff_ffff, true), [0xfe, 0xff, 0xff, 0xff, 0x0f]);
        assert_eq!(
            bytes(i64::MIN.into(), true),
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
        );
    }
}
