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
    /// The rows of its file in `vectors/`, for machines without files too.
    pub rows: &'static str,
}

macro_rules! wire_types {
    ($($format:ident $is_cast:literal: $($name:literal $bits:literal $([$($limit:tt)*])?),*;)*) => {
        /// All wire types. `README.md` describes each.
        pub static WIRE_TYPES: [WireType; 26] = [$($(WireType {
            name: $name,
            rule: Rule::new(Format::$format, $bits)$($($limit)*)?,
            is_cast: $is_cast,
            rows: include_str!(concat!("../vectors/", $name, ".jsonl")),
        }),*),*];
    };
}

wire_types! {
    Unsigned false: "unsigned-8" 8, "unsigned-16" 16, "unsigned-32" 32, "unsigned-64" 64, "unsigned-128" 128;
    Zigzag false: "zigzag-8" 8, "zigzag-16" 16, "zigzag-32" 32, "zigzag-64" 64, "zigzag-128" 128;
    Signed false: "signed-8" 8, "signed-16" 16, "signed-32" 32, "signed-33" 33, "signed-64" 64, "signed-128" 128;
    IntField false: "protobuf-int32" 32, "protobuf-int64" 64;
    UintField false: "protobuf-uint32" 32, "protobuf-uint64" 64;
    SintField false: "protobuf-sint32" 32, "protobuf-sint64" 64;
    BoolField false: "protobuf-bool" 1;
    Unsigned false: "multiformats" 64 [.canonical().at_most(9)];
    UintField true: "minecraft-varint" 32 [.at_most(5)], "minecraft-varlong" 64 [.at_most(10)];
}

impl WireType {
    /// Returns the name of its file in `vectors/`.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{}.jsonl", self.name)
    }

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
    #[must_use]
    pub fn is_signed(&self) -> bool {
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
