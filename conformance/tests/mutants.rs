//! For each rule there are decoders that break it, and a row of the rule shows each of them.

use std::collections::BTreeSet;

use zigzag_varint_conformance::{RULES, Vector, WireType, committed};
use zigzag_varint_oracle::Format;

/// The rule that each fault breaks, and the name of the fault.
const FAULTS: [(&str, &str); 32] = [
    ("limits", "refuses the greatest number"),
    ("limits", "calculates with floats of 64 bits"),
    ("sign", "has no zigzag"),
    ("sign", "halves negative numbers toward zero"),
    ("sign", "does not extend the sign"),
    ("sign", "takes the sign from the first byte"),
    ("sign", "keeps negative numbers of five bytes positive"),
    ("length", "shifts by eight bits"),
    ("length", "drops bit 6 of each byte"),
    ("length", "reads the most significant group first"),
    ("length", "shifts modulo 32"),
    ("truncated", "returns the bits up to the end"),
    ("truncated", "reads zeros after the end"),
    ("truncated", "returns 0 for no input"),
    ("overlong", "accepts redundant bytes where they are forbidden"),
    ("overlong", "refuses redundant bytes where they are allowed"),
    ("overlong", "ends at a group of zeros"),
    ("width", "cuts numbers to the type"),
    ("width", "returns the greatest value for a larger number"),
    ("width", "refuses numbers that have to be cut"),
    ("last-byte", "drops the upper bits of the last byte"),
    ("last-byte", "checks only the lowest unused bit"),
    ("last-byte", "checks only the highest unused bit"),
    ("last-byte", "ignores unused bits of negative numbers"),
    ("too-long", "accepts one byte more"),
    ("too-long", "has no limit of length"),
    ("too-long", "counts shifted bits in a byte"),
    ("bool", "compares with 1"),
    ("bool", "looks at 32 bits"),
    ("more-input", "uses all of the input"),
    ("more-input", "refuses bytes after the value"),
    ("example", "swaps the groups of two bytes"),
];

/// A number on the wire, its length, and the last byte.
type Read = (u128, usize, u8);

/// Reads the groups of seven bits.
fn read(wire_type: &WireType, src: &[u8], fault: &str) -> Option<Read> {
    let limit = match fault {
        "accepts one byte more" => wire_type.longest() + 1,
        "has no limit of length" => usize::MAX,
        "counts shifted bits in a byte" if src.len() >= 37 => usize::MAX,
        _ => wire_type.longest(),
    };
    let (mut number, mut len) = (0u128, 0);
    loop {
        let byte = match src.get(len) {
            Some(&byte) => byte,
            None if fault == "reads zeros after the end" => 0,
            None if fault == "returns the bits up to the end" && len > 0 => return Some((number, len, 1)),
            None if fault == "returns 0 for no input" && len == 0 => return Some((0, 0, 0)),
            None => return None,
        };
        let group = u128::from(byte & if fault == "drops bit 6 of each byte" { 0x3f } else { 0x7f });
        let shift = match fault {
            "shifts by eight bits" => 8 * len,
            "shifts modulo 32" => 7 * len % 32,
            "counts shifted bits in a byte" => 7 * len % 256,
            _ => 7 * len,
        };
        number = match fault {
            "reads the most significant group first" => number << 7 | group,
            "swaps the groups of two bytes" if len == 1 && byte < 0x80 => number << 7 | group,
            _ if shift < 128 => number | group << shift,
            _ => number,
        };
        len += 1;
        if byte < 0x80 || fault == "ends at a group of zeros" && byte == 0x80 {
            return Some((number, len, byte & 0x7f));
        }
        if len >= limit {
            return None;
        }
    }
}

/// Returns the value of a number whose high bits may be too many.
fn value(wire_type: &WireType, (number, len, last): Read, first: u8, fault: &str) -> Option<i128> {
    let rule = wire_type.rule;
    let bits = if wire_type.is_cast { rule.bits } else { rule.wire_bits() };
    let low_bits = |number: u128, bits: u32| number & u128::MAX >> (128 - bits);
    let extended = |number: u128, bits: u32| (number << (128 - bits)) as i128 >> (128 - bits);
    let unused = last >> (bits - 7 * (wire_type.longest() as u32 - 1)).min(7);
    let is_tolerant = match fault {
        "cuts numbers to the type" | "drops the upper bits of the last byte" => true,
        "checks only the lowest unused bit" => unused & 1 == 0,
        "checks only the highest unused bit" => last & 0x40 == 0,
        "ignores unused bits of negative numbers" => last & 0x40 != 0,
        _ => wire_type.is_cast,
    };
    if rule.format == Format::Signed {
        let sign = if fault == "takes the sign from the first byte" { first } else { last };
        let is_negative = sign & 0x40 != 0 && fault != "does not extend the sign";
        let value = if is_negative { extended(number, (7 * len as u32).min(128)) } else { number as i128 };
        let greatest = (1 << (bits - 1)) - 1;
        return match (!greatest..=greatest).contains(&value) {
            true => (fault != "refuses the greatest number" || value != greatest).then_some(value),
            false if fault == "returns the greatest value for a larger number" => Some(greatest),
            false => is_tolerant.then_some(extended(number, bits)),
        };
    }
    let greatest = u128::MAX >> (128 - bits);
    if number > greatest && !is_tolerant {
        return (fault == "returns the greatest value for a larger number").then_some(greatest as i128);
    }
    let number = match fault {
        "refuses the greatest number" if number == greatest => return None,
        "refuses numbers that have to be cut" if number >> rule.bits != 0 => return None,
        "calculates with floats of 64 bits" => low_bits(number, bits) as f64 as u128,
        _ => low_bits(number, bits),
    };
    let cut = low_bits(number, rule.bits) as i128;
    Some(match rule.format {
        Format::BoolField if fault == "compares with 1" => i128::from(number == 1),
        Format::BoolField if fault == "looks at 32 bits" => i128::from(number as u32 != 0),
        Format::BoolField => i128::from(number != 0),
        Format::IntField if fault == "keeps negative numbers of five bytes positive" && len <= 5 => cut,
        Format::IntField => extended(number, rule.bits),
        Format::UintField if wire_type.is_cast => extended(number, rule.bits),
        Format::Zigzag | Format::SintField if fault == "has no zigzag" => extended(number, rule.bits),
        Format::Zigzag | Format::SintField if fault == "halves negative numbers toward zero" => {
            if cut % 2 == 1 { -(cut / 2) } else { cut / 2 }
        }
        Format::Zigzag | Format::SintField => (cut >> 1) ^ -(cut & 1),
        _ => cut,
    })
}

/// Decodes as a plain decoder does, with one of the faults or none. `None` stands for any error.
fn decode(wire_type: &WireType, src: &[u8], fault: &str) -> Option<(i128, usize)> {
    let read = read(wire_type, src, fault)?;
    let (_, len, last) = read;
    let is_redundant = wire_type.rule.format != Format::Signed && len > 1 && last == 0;
    let is_refused = match fault {
        "accepts redundant bytes where they are forbidden" => false,
        "refuses redundant bytes where they are allowed" => is_redundant,
        "refuses bytes after the value" => len < src.len(),
        _ => is_redundant && wire_type.rule.canonical,
    };
    if is_refused {
        return None;
    }
    let first = src.first().copied().unwrap_or_default();
    let value = value(wire_type, read, first, fault)?;
    Some((value, if fault == "uses all of the input" { src.len() } else { len }))
}

/// Returns whether the row shows the fault.
fn shows(vector: &Vector, fault: &str) -> bool {
    let expected = vector.outcome.ok().map(|(value, len)| (vector.wire_type.decimal(value), len));
    decode(vector.wire_type, &vector.bytes, fault).map(|(value, len)| (value.to_string(), len)) != expected
}

/// Returns the vectors whose values a plain decoder can calculate in integers of 128 bits.
fn vectors() -> Vec<Vector> {
    committed().into_iter().filter(|vector| vector.wire_type.rule.bits <= 64).collect()
}

#[test]
fn a_plain_decoder_without_a_fault_passes_every_row() {
    let failed: Vec<_> = vectors().into_iter().filter(|vector| shows(vector, "none")).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_row_of_its_rule_shows_each_fault() {
    let vectors = vectors();
    for (rule, fault) in FAULTS {
        let found = vectors.iter().any(|vector| vector.rule == rule && shows(vector, fault));
        assert!(found, "no row of the rule '{rule}' shows a decoder that {fault}");
    }
    let rules: BTreeSet<&str> = FAULTS.into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, RULES.into_iter().collect(), "each rule has a fault");
}
