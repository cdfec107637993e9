//! A vector, and its row in a file.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use zigzag_varint::ErrorKind;
use zigzag_varint_oracle::{ErrorAt, Outcome};

use crate::wire_type::WireType;

/// The names of the rules, which `README.md` describes.
pub const RULES: [&str; 11] = [
    "limits",
    "sign",
    "length",
    "truncated",
    "overlong",
    "width",
    "last-byte",
    "too-long",
    "bool",
    "more-input",
    "example",
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

    /// Returns whether the definition of the format does not say what the result is.
    #[must_use]
    pub fn is_open(&self) -> bool {
        is_open(self.wire_type, self.outcome)
    }

    /// Returns the row of the vector.
    pub(crate) fn row(&self) -> String {
        let rejection = |at: ErrorAt| [("error", json!(name(at.kind))), ("offset", json!(at.offset))];
        let mut fields = vec![
            ("type", json!(self.wire_type.name)),
            ("rule", json!(self.rule)),
            ("bytes", json!(hexadecimal(&self.bytes))),
        ];
        match (self.outcome, self.canonical) {
            (Ok((value, len)), canonical) => {
                fields.extend([("value", json!(self.wire_type.decimal(value))), ("length", json!(len))]);
                let canonical = canonical.err().map(|at| BTreeMap::from(rejection(at)));
                fields.extend(canonical.map(|rejection| ("canonical", json!(rejection))));
            }
            (Err(at), _) => fields.extend(rejection(at)),
        }
        fields.extend(self.is_open().then_some(("open", json!(true))));
        fields.push(("why", json!(self.why)));
        fields.extend((!self.sources.is_empty()).then_some(("sources", json!(self.sources))));
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", fields.join(","))
    }
}

/// Returns whether the definition of a format does not say what the result is, which the oracle has: that of
/// Protocol Buffers does not say it for a tenth byte with more than the upper bit of 64.
#[must_use]
pub fn is_open(wire_type: &WireType, outcome: Outcome<u128>) -> bool {
    let is_overflow = outcome.is_err_and(|at| at.kind == ErrorKind::Overflow);
    wire_type.rule.is_field() && !wire_type.is_cast && is_overflow
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
    let invalid =
        |problem: String| format!("invalid row ({problem}); conformance/schema.json defines the fields");
    let row: Value = serde_json::from_str(line).map_err(|error| invalid(error.to_string()))?;
    let text = |name: &str| row[name].as_str().ok_or_else(|| invalid(format!("no text '{name}'")));
    let listed =
        |what: &str, name: &str| format!("unknown {what} '{name}'; conformance/README.md lists them");
    let (wire_type, rule, bytes, why) = (text("type")?, text("rule")?, text("bytes")?, text("why")?);
    let wire_type = WireType::by_name(wire_type).ok_or_else(|| listed("wire type", wire_type))?;
    let rule = RULES.into_iter().find(|known| *known == rule).ok_or_else(|| listed("rule", rule))?;
    let bytes = bytes_of(bytes)
        .ok_or_else(|| format!("invalid bytes '{bytes}'; write two of the digits 0-9a-f for each"))?;
    let sources = row["sources"].as_array().into_iter().flatten();
    let sources = sources.filter_map(|source| source.as_str().map(str::to_owned)).collect();
    let vector = Vector { sources, ..Vector::new(wire_type, rule, bytes, why.to_owned()) };
    let expected = vector.row();
    if serde_json::from_str::<Value>(&expected).ok().as_ref() != Some(&row) {
        return Err(format!("wrong row (the oracle has {expected}); write that row"));
    }
    Ok(vector)
}
