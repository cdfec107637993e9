//! Writes the files of `vectors/`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use zigzag_varint_conformance::{WIRE_TYPES, text};

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    for wire_type in &WIRE_TYPES {
        let file = folder.join(wire_type.file());
        if let Err(error) = fs::write(&file, text(wire_type)) {
            eprintln!("error: {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    println!("{} files of conformance/vectors are written", WIRE_TYPES.len());
    ExitCode::SUCCESS
}
