//! The encodings of LEB128, calculated by methods that share nothing with a codec. There is no shift
//! by 7 and no count of leading zeros.
//!
//! [`encode`] divides a single value by 128 repeatedly. [`Runs`] checks the encodings of consecutive
//! values, most of which differ from their neighbours in two digits in base 128 only.

use std::ops::Range;

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

/// Compares bytes with the encodings of consecutive values, without building each of these.
///
/// A *run* is the longest sequence of values in which only the lowest digit changes. It has 128
/// values, or 64 with zigzag, which uses every other number. All encodings in a run have the same
/// length. From one run to the next only the second digit changes, except for an occasional carry.
/// So the bytes of a run are kept as a template, compared in place, and rebuilt after a carry.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// What the runs of the template have in common: whether the values are negative, the digits
    /// above the second one, and whether there is no second one.
    common: Option<(bool, u64, bool)>,
    /// The length of each encoding.
    len: usize,
    /// The bytes of a run, with 0 for the second digit of each value.
    base: Vec<u8>,
    /// A mask with 0xff at the second digit of each value.
    second_digits: Vec<u8>,
}

/// The number of bytes in the longest run.
const RUN_BYTES: usize = 128 * MAX_LEN;

impl Runs {
    /// Returns whether `got` contains exactly the encodings of `count` values from `first` on.
    pub(crate) fn match_all(&mut self, first: i128, count: usize, signed: bool, mut got: &[u8]) -> bool {
        let (mut at, mut left, mut same) = (first, count, true);
        while left > 0 {
            let number = wire_number(at, signed) as u64;
            let low = (number % 128) as usize;
            // The zigzag number falls while negative values rise.
            let (index, run) = match (signed, at < 0) {
                (false, _) => (low, 128),
                (true, false) => (low / 2, 64),
                (true, true) => ((127 - low) / 2, 64),
            };
            let (second, upper) = (number / 128 % 128, number / (128 * 128));
            let common = Some((at < 0, upper, number < 128));
            if self.common != common {
                self.common = common;
                self.build(at - index as i128, run, signed);
            }
            let take = left.min(run - index);
            let (start, bytes) = (index * self.len, take * self.len);
            let Some((encodings, rest)) = got.split_at_checked(bytes) else { return false };
            let second = second as u8 + if upper > 0 { 128 } else { 0 };
            same &= self.matches(encodings, start..start + bytes, second);
            (at, left, got) = (at + take as i128, left - take, rest);
        }
        same && got.is_empty()
    }

    fn matches(&self, got: &[u8], template: Range<usize>, second: u8) -> bool {
        let expected = self.base[template.clone()].iter().zip(&self.second_digits[template]);
        // This is the inner loop of a sweep. It has no early exit, so that it vectorizes.
        got.iter()
            .zip(expected)
            .fold(0, |differ, (got, (base, mask))| differ | (got ^ (base | (mask & second))))
            == 0
    }

    #[cold]
    fn build(&mut self, first: i128, run: usize, signed: bool) {
        let (mut bytes, mut mask) = ([0; MAX_LEN], [0; MAX_LEN]);
        self.len = encode(first, signed, &mut bytes);
        (bytes[1], mask[1]) = (0, 0xff);
        let step = match (signed, first < 0) {
            (false, _) => 1u8,
            (true, false) => 2,
            (true, true) => 2u8.wrapping_neg(),
        };
        self.base.resize(RUN_BYTES, 0);
        self.second_digits.resize(RUN_BYTES, 0);
        let mut low = bytes[0];
        for index in 0..run {
            // Whole arrays are copied faster. The next value overwrites what is too long.
            let start = index * self.len;
            self.base[start..start + MAX_LEN].copy_from_slice(&bytes);
            self.second_digits[start..start + MAX_LEN].copy_from_slice(&mask);
            self.base[start] = low;
            low = low.wrapping_add(step);
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

    #[test]
    fn only_the_encodings_by_division_match_consecutive_values() {
        for signed in [false, true] {
            let mut runs = Runs::default();
            for first in edge_cases(signed) {
                let mut at = first;
                for count in [1, 2, 61, 64, 65, 128, 200, 179, 70] {
                    let mut got = encode_all(at, count, signed);
                    let mut matches = |got: &[u8]| runs.match_all(at, count, signed, got);
                    assert!(matches(&got), "{count} from {at}, signed {signed}");
                    for bit in 0..if count == 70 { 8 * got.len() } else { 0 } {
                        got[bit / 8] ^= 1 << (bit % 8);
                        assert!(!matches(&got), "bit {bit} of {count} from {at}, signed {signed}");
                        got[bit / 8] ^= 1 << (bit % 8);
                    }
                    assert!(!matches(&got[1..]) && !matches(&got[..got.len() - 1]));
                    got.push(0);
                    assert!(!matches(&got));
                    at += count as i128;
                }
            }
        }
    }

    fn encode_all(first: i128, count: usize, signed: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for value in first..first + count as i128 {
            let mut buffer = [0; MAX_LEN];
            let len = encode(value, signed, &mut buffer);
            bytes.extend_from_slice(&buffer[..len]);
        }
        bytes
    }

    #[test]
    fn division_gives_the_examples_of_the_protobuf_guide() {
        assert_eq!(encode_all(150, 1, false), [0x96, 0x01]);
        assert_eq!(encode_all(-2, 1, true), [0x03]);
        assert_eq!(encode_all(0x7fff_ffff, 1, true), [0xfe, 0xff, 0xff, 0xff, 0x0f]);
        let least = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(encode_all(i64::MIN.into(), 1, true), least);
    }
}
