//! Patches a copy of a published crate, and compares the times of two programs. ../real-programs.sh
//! is the user.

mod compare;
mod edits;
mod places;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["patch", edits, folder, codec] => edits::apply(Path::new(edits), Path::new(folder), codec),
        ["compare", before, after] => compare::run(Path::new(before), Path::new(after)),
        _ => Err("usage: real-programs patch EDITS FOLDER CODEC | compare BEFORE AFTER".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("real-programs: {error}");
            ExitCode::FAILURE
        }
    }
}
