//! Wire types: a format, the number of bits of its values, and which encodings are accepted.
//!
//! A value is a `u128`: the value itself in two's complement, for `bool` 0 or 1.

use alloc::vec::Vec;

use zigzag_varint::ErrorKind;

use crate::{BulkOutcome, ErrorAt, Outcome, decode, encode_all, signed};

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Unsigned LEB128 of an unsigned integer.
    Unsigned,
    /// Unsigned LEB128 of the zigzag encoding of a signed integer.
    Zigzag,
    /// Signed LEB128.
    Signed,
    /// `int32` and `int64` of Protocol Buffers: two's complement of 64 bits.
    IntField,
    /// `uint32` and `uint64`.
    UintField,
    /// `sint32` and `sint64`: zigzag.
    SintField,
    /// `bool`.
    BoolField,
}

/// What a wire type accepts.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The format.
    pub format: Format,
    /// The number of bits of the values.
    pub bits: u32,
    /// Whether only the shortest encoding of a value is accepted.
    pub canonical: bool,
    /// The number of bytes of the longest encoding that is accepted.
    pub max_len: usize,
}

impl Rule {
    /// Returns the rule of a format without restrictions.
    pub const fn new(format: Format, bits: u32) -> Self {
        Self { format, bits, canonical: false, max_len: usize::MAX }
    }

    /// Returns the rule that accepts only the shortest encodings.
    pub const fn canonical(self) -> Self {
        Self { canonical: true, ..self }
    }

    /// Returns the rule that accepts at most this number of bytes.
    pub const fn at_most(self, max_len: usize) -> Self {
        Self { max_len: if max_len < self.max_len { max_len } else { self.max_len }, ..self }
    }

    /// Decodes the first value of `src`.
    pub fn decode(self, src: &[u8]) -> Outcome<u128> {
        if src.iter().take_while(|&&byte| byte >= 128).count() >= self.max_len {
            return Err(ErrorAt { kind: ErrorKind::TooLong, offset: self.max_len - 1 });
        }
        if self.format == Format::Signed {
            return signed::decode(self.bits, src, self.canonical).map(|(value, len)| (value as u128, len));
        }
        let (number, len) = decode(src, self.wire_bits(), self.canonical)?;
        let value = self.value(number);
        if self.canonical && self.number(value) != number {
            return Err(ErrorAt { kind: ErrorKind::Overflow, offset: len - 1 });
        }
        Ok((value, len))
    }

    /// Decodes at most `capacity` values of `src`, up to its end or the first error.
    pub fn decode_all(self, src: &[u8], capacity: usize) -> BulkOutcome {
        let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
        while outcome.values.len() < capacity && outcome.bytes < src.len() && outcome.error.is_none() {
            match self.decode(&src[outcome.bytes..]) {
                Ok((value, len)) => {
                    outcome.values.push(value);
                    outcome.bytes += len;
                }
                Err(error) => outcome.error = Some(error.shifted(outcome.bytes)),
            }
        }
        outcome
    }

    /// Returns the shortest encoding of a value, whether or not it is accepted.
    pub fn encode(self, value: u128) -> Vec<u8> {
        match self.format {
            Format::Signed => signed::forms(self.bits, value as i128).swap_remove(0),
            _ => encode_all([self.number(value)]),
        }
    }

    /// Returns the values next to powers of two, negated ones included.
    pub fn edge_values(self) -> Vec<u128> {
        let powers = (0..128).map(|shift| 1u128 << shift);
        let near = powers.flat_map(|power| [power - 1, power, power + 1]);
        near.flat_map(|value| [value, value.wrapping_neg()]).filter(|&value| self.is_value(value)).collect()
    }

    /// Returns whether this is a value of the type.
    pub fn is_value(self, value: u128) -> bool {
        let magnitude = if value as i128 >= 0 { value } else { !value };
        match self.format {
            Format::Unsigned | Format::UintField => value <= u128::MAX >> (128 - self.bits),
            Format::BoolField => value <= 1,
            _ => magnitude < 1 << (self.bits - 1),
        }
    }

    /// Returns whether the format is one of Protocol Buffers, which wraps numbers of 64 bits.
    pub fn is_field(self) -> bool {
        !matches!(self.format, Format::Unsigned | Format::Zigzag | Format::Signed)
    }

    /// Returns the number of bits of the numbers on the wire.
    pub fn wire_bits(self) -> u32 {
        if self.is_field() { 64 } else { self.bits }
    }

    /// Returns the number on the wire. For signed LEB128 it is the zigzag encoding, which has the same
    /// length.
    pub fn number(self, value: u128) -> u128 {
        match self.format {
            Format::IntField => value % (1 << 64),
            Format::Zigzag | Format::SintField | Format::Signed if value as i128 >= 0 => 2 * value,
            Format::Zigzag | Format::SintField | Format::Signed => 2 * !value + 1,
            _ => value,
        }
    }

    /// Returns the value of a number on the wire. Of numbers with more bits, the low ones are kept.
    pub fn value(self, number: u128) -> u128 {
        let low = number & u128::MAX >> (128 - self.bits);
        match self.format {
            Format::IntField if low >> (self.bits - 1) == 1 => low | u128::MAX << (self.bits - 1),
            Format::Zigzag | Format::SintField | Format::Signed if low % 2 == 1 => !(low / 2),
            Format::Zigzag | Format::SintField | Format::Signed => low / 2,
            Format::BoolField => u128::from(number != 0),
            _ => low,
        }
    }
}
