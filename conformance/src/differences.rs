//! The results of an implementation that differ from the vectors.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use zigzag_varint_conformance::{Vector, WireType, committed, hexadecimal};
use zigzag_varint_oracle::Format;

use crate::child::{Child, Loss};
use crate::strings;

/// The time that an implementation has for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The shortest inputs with differences: by rule and by what the implementation does, the text of one.
type Differences = BTreeMap<(String, String), (usize, String)>;

/// Runs all vectors with each implementation of `LANGUAGE=COMMAND`, and prints a line for each.
pub(crate) fn print(sweep: &str, argument: &str) -> Result<(), String> {
    let usage = || format!("'{argument}' is no child; write LANGUAGE=COMMAND");
    let (language, command) = argument.split_once('=').ok_or_else(usage)?;
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let (program, rest) = words.split_first().ok_or_else(usage)?;
    let output = Command::new(program).args(rest).output().map_err(|error| format!("{program}: {error}"))?;
    let list = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || list.is_empty() {
        return Err(format!(
            "'{command}' lists no implementations: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let vectors = committed();
    let documented: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../documented.json")).expect("texts by implementation");
    for line in list.lines() {
        let [name, package, version, types @ ..] = &line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!(
                "'{command}' lists '{line}', not a name, a package, a version and wire types"
            ));
        };
        let (mut found, mut strings) = (Differences::new(), Vec::new());
        for wire_type in types {
            let of_type = vectors.iter().filter(|vector| vector.wire_type.name == *wire_type);
            let arguments = [name, wire_type].map(|word| (*word).to_owned());
            let mut child = Child::start([&words[..], &arguments].concat(), TIMEOUT)?;
            compare(&mut child, &of_type.collect::<Vec<_>>(), &mut found)?;
            strings.extend(strings::results(sweep, &format!("{command} {name} {wire_type}"), wire_type)?);
        }
        // An example shows nothing that the rows of another rule do not show.
        if found.keys().any(|(rule, _)| rule != "example") {
            found.retain(|(rule, _), _| rule != "example");
        }
        let texts: Vec<String> =
            found.into_iter().map(|((rule, does), (_, text))| format!("{rule}: {does} {text}")).collect();
        let differences = if texts.is_empty() { "none".to_owned() } else { texts.join("<br>") };
        let documents = documented.get(&format!("{language}/{package}")).map_or("", |text| text);
        println!(
            "figure: implementation={package} {version}; language={language}; wire types={}; \
             documents={documents}; differences={differences}; strings={}",
            types.join(", "),
            strings.join("<br>")
        );
    }
    Ok(())
}

/// Returns the name of an integer type of the protocol that has the values of a wire type.
fn integer(wire_type: &WireType) -> (char, usize) {
    let is_unsigned =
        matches!(wire_type.rule.format, Format::Unsigned | Format::UintField | Format::BoolField);
    let sign = if is_unsigned && !wire_type.is_cast { 'u' } else { 'i' };
    (sign, (wire_type.rule.bits as usize).next_power_of_two().max(8))
}

/// Compares a child with the vectors of one wire type.
fn compare(child: &mut Child, vectors: &[&Vector], found: &mut Differences) -> Result<(), String> {
    let mut encoded = Vec::new();
    for vector in vectors {
        let (sign, bits) = integer(vector.wire_type);
        let decoded = child.ask(&format!("dec {:4}", format!("{sign}{bits}")), &vector.bytes)?;
        if let Some((does, text)) = difference(vector, sign, decoded) {
            let open = if vector.is_open() { " (left open by the format)" } else { "" };
            add(found, &format!("{}{open}", vector.rule), &does, vector, text);
        }
        if let (true, Ok((value, _))) = (vector.is_shortest(), vector.outcome) {
            let task = format!("enc {:4}", format!("{sign}{bits}"));
            encoded.push((vector, child.ask(&task, &value.to_le_bytes()[..bits / 8])?));
        }
    }
    // A package without encoders returns nothing for each value.
    if encoded.iter().any(|(_, bytes)| bytes.as_ref().is_ok_and(|bytes| !bytes.is_empty())) {
        for (vector, bytes) in encoded {
            let (does, text) = match bytes {
                Ok(bytes) if bytes == vector.bytes => continue,
                Ok(bytes) if bytes.is_empty() => ("refuses", String::new()),
                Ok(bytes) => ("writes", format!(" as `{}`", hexadecimal(&bytes))),
                Err(loss) => (name(loss), String::new()),
            };
            let value = vector.outcome.map(|(value, _)| vector.wire_type.decimal(value)).unwrap_or_default();
            add(found, "encoder", does, vector, format!("{value}{text}"));
        }
    }
    Ok(())
}

fn add(found: &mut Differences, rule: &str, does: &str, vector: &Vector, text: String) {
    let text = format!("{text} ({})", vector.wire_type.name);
    let shortest =
        found.entry((rule.to_owned(), does.to_owned())).or_insert((vector.bytes.len(), text.clone()));
    if vector.bytes.len() < shortest.0 {
        *shortest = (vector.bytes.len(), text);
    }
}

fn name(loss: Loss) -> &'static str {
    match loss {
        Loss::Crash => "crashes for",
        Loss::Hang => "hangs for",
        Loss::Nonsense => "answers nonsense for",
    }
}

/// Returns what the implementation does, and the input with its result, unless that is the expected one.
fn difference(vector: &Vector, sign: char, answer: Result<Vec<u8>, Loss>) -> Option<(String, String)> {
    let digits = hexadecimal(&vector.bytes);
    let input = if digits.is_empty() { "no bytes".to_owned() } else { format!("`{digits}`") };
    let expected = vector.outcome.ok().map(|(value, len)| (vector.wire_type.decimal(value), len));
    let (does, result) = match (answer, expected) {
        (Err(loss), _) => (name(loss).to_owned(), String::new()),
        // A length of zero is an error with its kind and offset.
        (Ok(bytes), expected) if bytes.first().is_none_or(|&len| len == 0) => {
            expected?;
            ("rejects".to_owned(), String::new())
        }
        (Ok(bytes), expected) => {
            let (value, len) = (number(&bytes[1..], sign), usize::from(bytes[0]));
            let of_bytes = if expected.as_ref().is_some_and(|(value_of, _)| *value_of == value) {
                format!(" in {len} bytes")
            } else {
                String::new()
            };
            match expected {
                Some(expected) if expected == (value.clone(), len) => return None,
                Some(_) => ("reads".to_owned(), format!(" as {value}{of_bytes}")),
                None => ("accepts".to_owned(), format!(" as {value}")),
            }
        }
    };
    Some((does, format!("{input}{result}")))
}

/// Returns a number in little-endian order as a decimal number.
fn number(bytes: &[u8], sign: char) -> String {
    let Some(last) = bytes.last().filter(|_| bytes.len() <= 16) else { return "no integer".to_owned() };
    let fill = if sign == 'i' && *last >= 0x80 { 0xff } else { 0 };
    let mut wide = [fill; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    if sign == 'i' { i128::from_le_bytes(wide).to_string() } else { u128::from_le_bytes(wide).to_string() }
}
