//! The vectors that show each rule: one for each way in which a decoder can break it.

use zigzag_varint_oracle::{Format, Rule, encode_all};

use crate::vector::Vector;
use crate::wire_type::WireType;

/// The vectors of a wire type.
struct Vectors {
    wire_type: &'static WireType,
    vectors: Vec<Vector>,
}

/// Returns the vectors of a wire type, rule by rule.
pub(crate) fn vectors(wire_type: &'static WireType) -> Vec<Vector> {
    let mut all = Vectors { wire_type, vectors: Vec::new() };
    all.limits();
    all.sign();
    all.length();
    all.truncated();
    all.overlong();
    all.width();
    all.last_byte();
    all.too_long();
    all.more_input();
    all.vectors
}

/// Returns `len` bytes: all are `fill`, except the last one.
fn filled(fill: u8, len: usize, last: u8) -> Vec<u8> {
    [&vec![fill; len - 1], &[last][..]].concat()
}

impl Vectors {
    /// Adds a vector, unless there is one with these bytes.
    fn add(&mut self, rule: &'static str, bytes: Vec<u8>, why: impl Into<String>) {
        if self.vectors.iter().all(|vector| vector.bytes != bytes) {
            self.vectors.push(Vector::new(self.wire_type, rule, bytes, why.into()));
        }
    }

    fn rule(&self) -> Rule {
        self.wire_type.rule
    }

    fn limits(&mut self) {
        let names = ["The least value.", "The greatest value."];
        for (limit, why) in self.wire_type.limits().into_iter().zip(names) {
            self.add("limits", self.rule().encode(limit), why);
        }
    }

    fn sign(&mut self) {
        let (values, why): (&[i128], _) = match self.rule().format {
            Format::Zigzag | Format::SintField => {
                (&[0, -1, 1, -2, 2], "Zigzag counts 0, -1, 1, -2, 2 and so on.")
            }
            Format::Signed => {
                (&[-1, 63, -64, 64, -65, 127, -128], "The sign is bit 6 of the last byte, not of another.")
            }
            Format::IntField => {
                (&[-1, -2], "A negative number is written as one of 64 bits, so it has ten bytes.")
            }
            Format::UintField if self.wire_type.is_cast => {
                (&[-1, -2], "A negative number is cast to an unsigned one of the same width.")
            }
            _ => return,
        };
        for &value in values {
            self.add("sign", self.wire_type.encode(value), why);
        }
        if self.rule().format == Format::IntField {
            let why = "The number 2^32 - 1 in five bytes is -1 as an int32, and positive as an int64.";
            self.add("sign", filled(0xff, 5, 0x0f), why);
        }
    }

    fn length(&mut self) {
        let (rule, longest) = (self.rule(), self.wire_type.longest());
        for len in 1..=longest {
            let first = if len == 1 { 0 } else { 128u128.pow(len as u32 - 1) };
            let last =
                if len == longest { self.wire_type.greatest_number() } else { 128u128.pow(len as u32) - 1 };
            // With a sign, two values begin and two end the numbers of a length.
            let two = matches!(rule.format, Format::Zigzag | Format::SintField | Format::Signed);
            let numbers = if two { vec![first, first + 1, last - 1, last] } else { vec![first, last] };
            for number in numbers.into_iter().filter(|&number| rule.number(rule.value(number)) == number) {
                let bytes = rule.encode(rule.value(number));
                let plural = if len == 1 { "" } else { "s" };
                self.add("length", bytes, format!("The values of {len} byte{plural} begin or end here."));
            }
        }
    }

    fn truncated(&mut self) {
        for len in 0..self.wire_type.longest() {
            let why = format!("The input ends at offset {len}, where the next byte of the value has to be.");
            self.add("truncated", vec![0xff; len], why);
        }
    }

    fn overlong(&mut self) {
        for len in 2..=self.wire_type.longest() {
            let why = format!("{len} bytes for the value 0, which needs one.");
            self.add("overlong", filled(0x80, len, 0x00), why);
            if self.rule().format == Format::Signed {
                let why = format!("{len} bytes for the value -1, which needs one.");
                self.add("overlong", filled(0xff, len, 0x7f), why);
            }
        }
        self.add("overlong", vec![0x81, 0x00], "Two bytes for the number 1, which needs one.");
    }

    fn width(&mut self) {
        let (rule, greatest) = (self.rule(), self.wire_type.greatest_number());
        let why = "The number does not fit the type.";
        let cut = "Of a number that does not fit the type, its low bits are kept.";
        match rule.format {
            Format::Signed if rule.bits < 128 => {
                let [least, greatest] = self.wire_type.limits();
                for value in [greatest + 1, least.wrapping_sub(1)] {
                    self.add("width", Rule::new(Format::Signed, rule.bits + 1).encode(value), why);
                }
            }
            Format::Unsigned if greatest < u128::MAX => {
                self.add("width", encode_all([greatest + 1]), why);
            }
            Format::Zigzag if greatest < u128::MAX => {
                self.add("width", encode_all([greatest + 1]), why);
                self.add("width", encode_all([greatest + 2]), why);
            }
            Format::BoolField => {
                let why = "Every number except 0 is true, however many bits it has.";
                for number in [2, 1 << 7, 1 << 31, 1 << 32, 1 << 63] {
                    self.add("bool", encode_all([number]), why);
                }
            }
            _ if rule.bits == 32 && rule.is_field() => {
                for number in [1 << 31, 1 << 32, (1 << 32) + 1, 1 << 63, greatest] {
                    if number <= greatest {
                        self.add("width", encode_all([number]), cut);
                    }
                }
            }
            _ => {}
        }
    }

    fn last_byte(&mut self) {
        let (rule, longest, wire_type) = (self.rule(), self.wire_type.longest(), self.wire_type);
        // The published decoder of Minecraft's VarLong drops these bits, and the rule of the oracle does not.
        if wire_type.is_cast && rule.bits == 64 {
            return;
        }
        let bits = if wire_type.is_cast { rule.bits } else { rule.wire_bits() };
        let used = (bits - 7 * (longest as u32 - 1)).min(7);
        let mut add = |fill, last| {
            let why = match rule.format {
                Format::Signed => "A bit of the last byte that no value has differs from the sign.",
                _ if wire_type.is_cast => "The last byte has a bit that no value has, which is dropped.",
                _ => "The last byte has a bit that no value has.",
            };
            self.add("last-byte", filled(fill, longest, last), why);
        };
        if rule.format == Format::Signed {
            for bit in used - 1..7 {
                add(0x80, 1 << bit);
                add(0xff, 0x7f ^ (1 << bit));
            }
        } else if used < 7 {
            (used..7).for_each(|bit| add(0x80, 1 << bit));
            add(0xff, 0x7f);
        }
    }

    fn too_long(&mut self) {
        let longest = self.wire_type.longest();
        let why = format!("Byte {longest} has to be the last one, but it has the continuation bit.");
        [0x80, 0xff].into_iter().for_each(|fill| self.add("too-long", vec![fill; longest], &*why));
        for (fill, last) in [(0x80, 0x00), (0x80, 0x01), (0xff, 0x7f)] {
            let why = format!("{} bytes are more than the longest encoding has.", longest + 1);
            self.add("too-long", filled(fill, longest + 1, last), why);
        }
        let why = "So many bytes that a shift by seven bits for each does not fit a byte.";
        self.add("too-long", filled(0x80, 38, 0x01), why);
    }

    fn more_input(&mut self) {
        let rule = self.rule();
        let [least, greatest] = self.wire_type.limits().map(|limit| rule.encode(limit));
        for (encoded, more) in [(&least, 0x00), (&greatest, 0x80), (&greatest, 0xff)] {
            let why = format!("The value ends at offset {}, and another byte follows it.", encoded.len());
            self.add("more-input", [encoded, &[more][..]].concat(), why);
        }
    }
}
