//! Test vectors for varints. [`made`] makes them from the oracle of the tests, which shares no code with
//! the codec, and [`read`] reads files of them. `README.md` defines the format.

mod examples;
mod rules;
mod vector;
mod wire_type;

pub use vector::{RULES, Vector, hexadecimal, read};
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
    let read = |(file, text)| read(file, text).unwrap_or_else(|problem| panic!("{problem}"));
    FILES.into_iter().flat_map(read).collect()
}

macro_rules! files {
    ($($name:literal)*) => {
        /// The names of the files in `vectors/`, and their texts, for machines without files too.
        pub const FILES: [(&str, &str); WIRE_TYPES.len()] =
            [$((concat!($name, ".jsonl"), include_str!(concat!("../vectors/", $name, ".jsonl")))),*];
    };
}

files! {
    "unsigned-8" "unsigned-16" "unsigned-32" "unsigned-64" "unsigned-128"
    "zigzag-8" "zigzag-16" "zigzag-32" "zigzag-64" "zigzag-128"
    "signed-8" "signed-16" "signed-32" "signed-33" "signed-64" "signed-128"
    "protobuf-int32" "protobuf-int64" "protobuf-uint32" "protobuf-uint64" "protobuf-sint32"
    "protobuf-sint64" "protobuf-bool"
    "multiformats" "minecraft-varint" "minecraft-varlong"
}
