//! The results of an implementation that differ from the vectors.

use std::collections::BTreeMap;

use every_input::ExecTask::{Decode, Encode};
use zigzag_varint_conformance::{Vector, committed, hexadecimal};

use crate::implementation::{Implementation, loss, text as input};

/// The shortest inputs with differences: by rule and by what the implementation does, the length of one,
/// and its text.
type Differences = BTreeMap<(String, &'static str), (usize, String)>;

/// Returns the differences of an implementation, of which each wire type is one of `all`.
pub(crate) fn text(all: &[Implementation]) -> Result<String, String> {
    let (vectors, mut found) = (committed(), Differences::new());
    for one in all {
        let of_type = vectors.iter().filter(|vector| vector.wire_type.name == one.wire_type.name);
        compare(one, &of_type.collect::<Vec<_>>(), &mut found)?;
    }
    // An example shows nothing that the rows of another rule do not show.
    if found.keys().any(|(rule, _)| rule != "example") {
        found.retain(|(rule, _), _| rule != "example");
    }
    let texts: Vec<_> =
        found.into_iter().map(|((rule, does), (_, text))| format!("{rule}: {does} {text}")).collect();
    Ok(if texts.is_empty() { "none".to_owned() } else { texts.join("<br>") })
}

/// Compares an implementation with the vectors of its wire type.
fn compare(one: &Implementation, vectors: &[&Vector], found: &mut Differences) -> Result<(), String> {
    let (mut program, mut encoded) = (one.start()?, Vec::new());
    // No limit of losses ends the comparison.
    let mut ask = |task, input: &[u8]| {
        let answer = program.ask(task, &[input]).map(|mut answers| answers.remove(0));
        if answer.is_err() {
            program = one.start()?;
        }
        Ok::<_, String>(answer.map_err(|breakdown| loss(&breakdown)))
    };
    let mut add = |rule: &str, does, vector: &Vector, text: String| {
        let difference = (vector.bytes.len(), format!("{text} ({})", vector.wire_type.name));
        let shortest = found.entry((rule.to_owned(), does)).or_insert_with(|| difference.clone());
        if difference.0 < shortest.0 {
            *shortest = difference;
        }
    };
    for vector in vectors {
        let open = if vector.is_open() { " (left open by the format)" } else { "" };
        let found = match ask(Decode, &vector.bytes)? {
            Ok(answer) => one.difference(&vector.bytes, &answer, vector.outcome),
            Err(does) => Some((does, input(&vector.bytes))),
        };
        if let Some((does, text)) = found {
            add(&format!("{}{open}", vector.rule), does, vector, text);
        }
        if let (true, Ok((value, _))) = (vector.is_shortest(), vector.outcome) {
            encoded.push((vector, value, ask(Encode, &value.to_le_bytes()[..one.size()])?));
        }
    }
    // A package without encoders returns nothing for each value.
    if encoded.iter().any(|(_, _, bytes)| bytes.as_ref().is_ok_and(|bytes| !bytes.is_empty())) {
        for (vector, value, bytes) in encoded {
            let (does, text) = match bytes {
                Ok(bytes) if bytes == vector.bytes => continue,
                Ok(bytes) if bytes.is_empty() => ("refuses", String::new()),
                Ok(bytes) => ("writes", format!(" as `{}`", hexadecimal(&bytes))),
                Err(does) => (does, String::new()),
            };
            add("encoder", does, vector, vector.wire_type.decimal(value) + &text);
        }
    }
    Ok(())
}
