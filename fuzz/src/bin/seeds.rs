//! `seeds FOLDER` writes the examples of each property to `FOLDER/PROPERTY/`, as seeds of the fuzzer.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).expect("usage: seeds FOLDER"));
    for property in zigzag_varint_fuzz::properties() {
        let folder = folder.join(property.name);
        fs::create_dir_all(&folder)?;
        for (number, bytes) in (property.examples)().into_iter().enumerate() {
            fs::write(folder.join(format!("example-{number:02}")), bytes)?;
        }
    }
    Ok(())
}
