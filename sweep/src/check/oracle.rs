//! What the bytes must be, by ways that share nothing with the codec: no shift by 7, no count of leading zeros.
//!
//! [`Counting`] serves consecutive values. It counts: the digits of a number in base 128 are an odometer, and the
//! next number is one carry away. [`divide`] serves any value. It divides by 128.

pub use crate::plan::integer::MAX_LEN;

/// The number on the wire: the value itself, or its zigzag (0, -1, 1, -2, ... as 0, 1, 2, 3, ...).
fn wire_number(value: i128, signed: bool) -> u128 {
    match (signed, value < 0) {
        (false, _) => value.unsigned_abs(),
        (true, false) => 2 * value.unsigned_abs(),
        (true, true) => 2 * value.unsigned_abs() - 1,
    }
}

/// The encoding by division: its digits in base 128, the lowest first, each but the last with 128 added. Written to
/// the front of `dst`; its length.
#[inline]
pub fn divide(value: i128, signed: bool, dst: &mut [u8; MAX_LEN]) -> usize {
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

/// Encodings of consecutive values, held against what a codec wrote, without building them.
///
/// A *run* is the longest stretch of values in which the lowest digit alone changes: 64 values where zigzag
/// takes every other number, 128 where not. All encodings in a run have one length, and from one run to the next
/// only the second digit changes, but for a carry now and then. So the run's bytes are kept as a template,
/// compared in place, and built anew on a carry.
#[derive(Clone, Debug)]
pub struct Counting {
    /// Digits above the lowest: the odometer.
    upper: [u8; MAX_LEN + 1],
    /// Significant ones among them.
    top: usize,
    /// Values left in this run.
    left: usize,
    /// Negative values: upwards, their zigzag falls.
    negative: bool,
    signed: bool,
    /// The run's bytes, 0 where the second digit stands.
    base: [u8; RUN_BYTES],
    /// 0xff where the second digit stands.
    column: [u8; RUN_BYTES],
}

/// Bytes of the longest run.
const RUN_BYTES: usize = 128 * MAX_LEN;

impl Counting {
    /// An oracle whose next value is this one.
    pub fn from(value: i128, signed: bool) -> Self {
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
        let (base, column) = ([0; RUN_BYTES], [0; RUN_BYTES]);
        let mut oracle = Self { upper, top, left, negative, signed, base, column };
        oracle.build();
        oracle
    }

    /// Whether `got` is exactly the encodings of the next `values` values, which are then behind. Adds to `by_length`.
    pub fn check(&mut self, mut values: usize, mut got: &[u8], by_length: &mut [u64; MAX_LEN + 1]) -> bool {
        let mut same = true;
        while values > 0 {
            let len = self.top + 1;
            let take = values.min(self.left);
            by_length[len] += take as u64;
            let start = (self.run() - self.left) * len;
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
        let expected = self.base[template.clone()].iter().zip(&self.column[template]);
        // No early exit: this is the sweep's inner loop and vectorizes.
        got.iter()
            .zip(expected)
            .fold(0, |differ, (got, (base, column))| differ | (got ^ (base | (column & digit))))
            == 0
    }

    /// Values in a whole run.
    fn run(&self) -> usize {
        if self.signed { 64 } else { 128 }
    }

    fn next_run(&mut self) {
        self.left = self.run();
        let carried = if !self.negative {
            self.count_up()
        } else if self.top > 0 {
            self.count_down()
        } else {
            self.negative = false; // from -1 to 0: the same upper digits, none
            true
        };
        if carried {
            self.build();
        }
    }

    /// One up; whether more than the second digit changed.
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

    /// One down, from above zero; whether more than the second digit changed.
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

    #[cold]
    fn build(&mut self) {
        let len = self.top + 1;
        for index in 0..self.run() {
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
                let more = if place + 1 < len && place != 1 { 128 } else { 0 };
                self.base[index * len + place] = digit + more;
                self.column[index * len + place] = if place == 1 { 0xff } else { 0 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places where something happens: signs, carries, changes of length, both ends.
    fn places(signed: bool) -> Vec<i128> {
        let ends: [i128; 2] = if signed { [i64::MIN.into(), i64::MAX.into()] } else { [0, u64::MAX.into()] };
        let mut places = vec![ends[0], ends[1] - 700];
        for bit in 0..64u32 {
            places.extend([(1i128 << bit) - 300, -(1i128 << bit) - 300]);
        }
        places.retain(|&place| place >= ends[0] && place + 700 <= ends[1]);
        places
    }

    fn divided(first: i128, values: usize, signed: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for value in first..first + values as i128 {
            let mut buffer = [0; MAX_LEN];
            let len = divide(value, signed, &mut buffer);
            bytes.extend_from_slice(&buffer[..len]);
        }
        bytes
    }

    #[test]
    fn counting_and_dividing_agree() {
        for signed in [false, true] {
            for first in places(signed) {
                let mut counting = Counting::from(first, signed);
                let mut by_length = [0; MAX_LEN + 1];
                let mut at = first;
                for values in [1, 2, 61, 64, 65, 128, 200, 179] {
                    let got = divided(at, values, signed);
                    assert!(
                        counting.check(values, &got, &mut by_length),
                        "{values} from {at}, signed {signed}"
                    );
                    at += values as i128;
                }
                assert_eq!(by_length.iter().sum::<u64>(), 700);
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        for signed in [false, true] {
            for first in places(signed) {
                let mut got = divided(first, 70, signed);
                for at in 0..got.len() {
                    for bit in 0..8 {
                        got[at] ^= 1 << bit;
                        assert!(!Counting::from(first, signed).check(70, &got, &mut [0; MAX_LEN + 1]));
                        got[at] ^= 1 << bit;
                    }
                }
            }
        }
    }

    #[test]
    fn missing_and_needless_bytes_are_noticed() {
        let mut got = divided(1000, 70, true);
        got.push(0);
        assert!(!Counting::from(1000, true).check(70, &got, &mut [0; MAX_LEN + 1]));
        got.truncate(got.len() - 2);
        assert!(!Counting::from(1000, true).check(70, &got, &mut [0; MAX_LEN + 1]));
    }

    #[test]
    fn division_gives_the_vectors_of_the_protobuf_guide() {
        let bytes = |value, signed| {
            let mut buffer = [0; MAX_LEN];
            let len = divide(value, signed, &mut buffer);
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
