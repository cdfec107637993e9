//! The wire types by names that do not depend on a language.

use zigzag_varint_oracle::{Format, Rule};

/// A wire type.
#[derive(Debug)]
pub struct WireType {
    /// Its name in vectors.
    pub name: &'static str,
    /// What its decoders accept.
    pub rule: Rule,
    /// Whether an unsigned number on the wire is a signed value in two's complement.
    pub is_cast: bool,
}

const fn of(name: &'static str, format: Format, bits: u32) -> WireType {
    WireType { name, rule: Rule::new(format, bits), is_cast: false }
}

const fn minecraft(name: &'static str, bits: u32, max_len: usize) -> WireType {
    WireType { name, rule: Rule::new(Format::UintField, bits).at_most(max_len), is_cast: true }
}

/// All wire types. `README.md` describes each.
pub static WIRE_TYPES: [WireType; 26] = [
    of("unsigned-8", Format::Unsigned, 8),
    of("unsigned-16", Format::Unsigned, 16),
    of("unsigned-32", Format::Unsigned, 32),
    of("unsigned-64", Format::Unsigned, 64),
    of("unsigned-128", Format::Unsigned, 128),
    of("zigzag-8", Format::Zigzag, 8),
    of("zigzag-16", Format::Zigzag, 16),
    of("zigzag-32", Format::Zigzag, 32),
    of("zigzag-64", Format::Zigzag, 64),
    of("zigzag-128", Format::Zigzag, 128),
    of("signed-8", Format::Signed, 8),
    of("signed-16", Format::Signed, 16),
    of("signed-32", Format::Signed, 32),
    of("signed-33", Format::Signed, 33),
    of("signed-64", Format::Signed, 64),
    of("signed-128", Format::Signed, 128),
    of("protobuf-int32", Format::IntField, 32),
    of("protobuf-int64", Format::IntField, 64),
    of("protobuf-uint32", Format::UintField, 32),
    of("protobuf-uint64", Format::UintField, 64),
    of("protobuf-sint32", Format::SintField, 32),
    of("protobuf-sint64", Format::SintField, 64),
    of("protobuf-bool", Format::BoolField, 1),
    WireType {
        name: "multiformats",
        rule: Rule::new(Format::Unsigned, 64).canonical().at_most(9),
        is_cast: false,
    },
    minecraft("minecraft-varint", 32, 5),
    minecraft("minecraft-varlong", 64, 10),
];

impl WireType {
    /// Returns the wire type of this name.
    pub(crate) fn by_name(name: &str) -> Option<&'static Self> {
        WIRE_TYPES.iter().find(|wire_type| wire_type.name == name)
    }

    /// Returns the length of the longest encoding that is accepted.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.rule.max_len.min(self.rule.wire_bits().div_ceil(7) as usize)
    }

    /// Returns whether values can be negative.
    pub(crate) fn is_signed(&self) -> bool {
        self.is_cast || !matches!(self.rule.format, Format::Unsigned | Format::UintField | Format::BoolField)
    }

    /// Returns the greatest number on the wire that fits the longest encoding.
    pub(crate) fn greatest_number(&self) -> u128 {
        let of_type = u128::MAX >> (128 - self.rule.wire_bits());
        let of_length = 128u128.checked_pow(self.longest() as u32).map_or(u128::MAX, |next| next - 1);
        of_type.min(of_length)
    }

    /// Returns the least and the greatest value.
    pub(crate) fn limits(&self) -> [u128; 2] {
        let half = 1 << (self.rule.bits - 1);
        match self.rule.format {
            _ if self.is_cast => [half, half - 1],
            Format::BoolField => [0, 1],
            Format::Unsigned | Format::UintField => {
                [0, self.greatest_number() & u128::MAX >> (128 - self.rule.bits)]
            }
            _ => [half.wrapping_neg(), half - 1],
        }
    }

    /// Returns the shortest encoding of a value.
    pub(crate) fn encode(&self, value: i128) -> Vec<u8> {
        let cast = if self.is_cast { u128::MAX >> (128 - self.rule.bits) } else { u128::MAX };
        self.rule.encode(value as u128 & cast)
    }

    /// Returns a value as a decimal number.
    #[must_use]
    pub fn decimal(&self, value: u128) -> String {
        let above = 128 - self.rule.bits;
        match self.is_signed() {
            true if self.is_cast => ((value << above) as i128 >> above).to_string(),
            true => (value as i128).to_string(),
            false => value.to_string(),
        }
    }
}
