//! The examples of specifications and of other test suites.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::vector::{Vector, bytes_of};
use crate::wire_type::WireType;

/// The examples of one source by wire type: bytes, or values as decimal numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    source: String,
    #[serde(default)]
    bytes: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    values: BTreeMap<String, Vec<String>>,
}

/// Names the sources of the vectors of a wire type, and adds the examples that no rule has made.
pub(crate) fn add(vectors: &mut Vec<Vector>, wire_type: &'static WireType) {
    let sources: Vec<Source> = serde_json::from_str(include_str!("../examples.json")).expect("examples");
    for Source { source, bytes, values } in sources {
        let of_type = |of: &BTreeMap<_, Vec<String>>| of.get(wire_type.name).cloned().unwrap_or_default();
        let bytes = of_type(&bytes).into_iter().map(|digits| bytes_of(&digits).expect("hexadecimal digits"));
        let values = of_type(&values).into_iter().map(|value| value.parse().expect("a decimal number"));
        for bytes in bytes.chain(values.map(|value| wire_type.encode(value))) {
            let known = vectors.iter().position(|vector| vector.bytes == bytes);
            let at = known.unwrap_or_else(|| {
                let why = format!("An example of {source}.");
                vectors.push(Vector::new(wire_type, "example", bytes, why));
                vectors.len() - 1
            });
            if !vectors[at].sources.contains(&source) {
                vectors[at].sources.push(source.clone());
            }
        }
    }
}
