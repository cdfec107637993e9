//! Test vectors for varints. [`made`] makes them from the oracle of the tests, which shares no code with
//! the codec, and [`read`] reads files of them. `README.md` defines the format.

mod examples;
mod rules;
mod vector;
mod wire_type;

pub use vector::{RULES, Vector, hexadecimal, is_open, read};
pub use wire_type::{WIRE_TYPES, WireType};

/// The JSON Schema of a row.
pub const SCHEMA: &str = include_str!("../schema.json");

/// Returns all vectors of a wire type, as the oracle makes them.
#[must_use]
pub fn made(wire_type: &'static WireType) -> Vec<Vector> {
    let mut vectors = rules::vectors(wire_type);
    examples::add(&mut vectors, wire_type);
    vectors
}

/// Returns the text of the file of a wire type in `vectors/`, with a row for each vector.
#[must_use]
pub fn text(wire_type: &'static WireType) -> String {
    made(wire_type).iter().map(|vector| vector.row() + "\n").collect()
}

/// Returns the vectors of the files in `vectors/`.
///
/// # Panics
///
/// Panics if a file is refused, with its name and line.
#[must_use]
pub fn committed() -> Vec<Vector> {
    let read = |of: &WireType| read(&of.file(), of.rows).unwrap_or_else(|problem| panic!("{problem}"));
    WIRE_TYPES.iter().flat_map(read).collect()
}
