//! A vector, and its row in a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use zigzag_varint::ErrorKind;
use zigzag_varint_oracle::{ErrorAt, Outcome};

use crate::wire_type::WireType;

/// The rules: names and meanings.
pub const RULES: [(&str, &str); 11] = [
    ("limits", "the least and the greatest value of the type"),
    ("sign", "how negative values are written: zigzag, the sign bit of signed LEB128, two's complement"),
    ("length", "the first and the last values of each encoded length"),
    ("truncated", "the input ends after each number of continuation bytes"),
    ("overlong", "redundant bytes up to the longest encoding"),
    ("width", "numbers that do not fit the type, or that Protocol Buffers cuts to it"),
    ("last-byte", "each unused bit of the last byte of the longest encoding: for 64 bits the tenth"),
    ("too-long", "more bytes than the longest encoding"),
    ("bool", "numbers other than 0 and 1, and above 32 bits, are true"),
    ("more-input", "bytes after the value are not part of it"),
    ("example", "a published example that shows none of these limits"),
];

/// An input, and what a decoder has to return for it.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The wire type.
    pub wire_type: &'static WireType,
    /// The name of the rule that the input shows.
    pub rule: &'static str,
    /// The input.
    pub bytes: Vec<u8>,
    /// The result of a decoder of the wire type.
    pub outcome: Outcome<u128>,
    /// The result of a decoder that accepts only what an encoder writes.
    pub canonical: Outcome<u128>,
    /// A sentence that says what the input shows.
    pub why: String,
    /// Where the input is published.
    pub sources: Vec<String>,
}

/// A row as it is written.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    r#type: String,
    rule: String,
    bytes: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<Rejection>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    open: bool,
    why: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sources: Vec<String>,
}

/// The error of a canonical decoder, where others accept the bytes.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rejection {
    error: String,
    offset: usize,
}

impl Vector {
    /// Returns the vector with the results of the oracle.
    pub(crate) fn new(wire_type: &'static WireType, rule: &'static str, bytes: Vec<u8>, why: String) -> Self {
        let (outcome, canonical) = (wire_type.rule.decode(&bytes), wire_type.rule.canonical().decode(&bytes));
        Self { wire_type, rule, bytes, outcome, canonical, why, sources: Vec::new() }
    }

    /// Returns whether an encoder has to write these bytes for the value.
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        self.canonical.is_ok_and(|(_, len)| len == self.bytes.len())
    }

    /// Returns whether the definition of the format does not say what the result is: that of Protocol
    /// Buffers does not say it for a tenth byte with more than the upper bit of 64.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.wire_type.rule.is_field() && !self.wire_type.is_cast && self.rule == "last-byte"
    }

    /// Returns the row of the vector.
    pub(crate) fn row(&self) -> String {
        serde_json::to_string(&self.written()).expect("a row is valid JSON")
    }

    fn written(&self) -> Row {
        let rejection = |at: ErrorAt| Rejection { error: name(at.kind).into(), offset: at.offset };
        let (value, error) = match self.outcome {
            Ok(found) => (Some(found), None),
            Err(at) => (None, Some(rejection(at))),
        };
        Row {
            r#type: self.wire_type.name.into(),
            rule: self.rule.into(),
            bytes: hexadecimal(&self.bytes),
            value: value.map(|(value, _)| self.wire_type.decimal(value)),
            length: value.map(|(_, len)| len),
            offset: error.as_ref().map(|error| error.offset),
            error: error.map(|error| error.error),
            canonical: self.canonical.err().filter(|_| value.is_some()).map(rejection),
            open: self.is_open(),
            why: self.why.clone(),
            sources: self.sources.clone(),
        }
    }
}

/// Returns the name of a kind of error in rows.
fn name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Truncated => "truncated",
        ErrorKind::Overflow => "overflow",
        ErrorKind::TooLong => "too-long",
        ErrorKind::NonCanonical => "overlong",
        _ => unreachable!("the oracle has no other kinds"),
    }
}

/// Returns two lower-case hexadecimal digits for each byte.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes of an even number of lower-case hexadecimal digits.
pub(crate) fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let bytes = digits.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    bytes.collect::<Option<Vec<_>>>().filter(|bytes| hexadecimal(bytes) == digits)
}

/// Reads the rows of a file.
///
/// # Errors
///
/// If a row is invalid, has an unknown name or a result that the oracle does not have for its bytes, or
/// if two rows have the same type and bytes: the file, the line and the problem.
pub fn read(file: &str, text: &str) -> Result<Vec<Vector>, String> {
    let (mut vectors, mut lines) = (Vec::new(), BTreeMap::new());
    for (number, line) in (1..).zip(text.lines()) {
        let vector = parse(line).map_err(|problem| format!("{file}:{number}: {problem}"))?;
        if let Some(first) = lines.insert((vector.wire_type.name, vector.bytes.clone()), number) {
            return Err(format!(
                "{file}:{number}: duplicate row (line {first} has the same type and bytes); remove one of them"
            ));
        }
        vectors.push(vector);
    }
    Ok(vectors)
}

fn parse(line: &str) -> Result<Vector, String> {
    let row: Row = serde_json::from_str(line)
        .map_err(|error| format!("invalid row ({error}); conformance/schema.json defines the fields"))?;
    let Some(wire_type) = WireType::by_name(&row.r#type) else {
        return Err(format!("unknown wire type '{}'; conformance/README.md lists them", row.r#type));
    };
    let Some((rule, _)) = RULES.into_iter().find(|(rule, _)| *rule == row.rule) else {
        return Err(format!("unknown rule '{}'; conformance/README.md lists them", row.rule));
    };
    let Some(bytes) = bytes_of(&row.bytes) else {
        return Err(format!("invalid bytes '{}'; write two of the digits 0-9a-f for each", row.bytes));
    };
    let vector =
        Vector { sources: row.sources.clone(), ..Vector::new(wire_type, rule, bytes, row.why.clone()) };
    let expected = vector.row();
    if vector.written() != row {
        return Err(format!("impossible result (the oracle has {expected}); write that row"));
    }
    Ok(vector)
}
