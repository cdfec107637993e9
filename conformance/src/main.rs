//! `cargo run -p zigzag-varint-conformance` writes the files of `vectors/`.
//! `cargo run -p zigzag-varint-conformance -- SWEEP LANGUAGE=COMMAND...` runs all vectors, and byte strings by
//! the program `sweep`, with the children that the commands start, and prints a line for each
//! implementation. `checks/conformance.sh` calls it.

mod child;
mod differences;
mod strings;

use std::env::args;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use zigzag_varint_conformance::{WIRE_TYPES, text};

fn main() -> ExitCode {
    let arguments: Vec<String> = args().skip(1).collect();
    let done = match &arguments[..] {
        [] => write(),
        [sweep, commands @ ..] => commands.iter().try_for_each(|command| differences::print(sweep, command)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    for wire_type in &WIRE_TYPES {
        let file = folder.join(wire_type.name).with_extension("jsonl");
        fs::write(&file, text(wire_type)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    println!("{} files of conformance/vectors are written", WIRE_TYPES.len());
    Ok(())
}
