//! Lists the sections of a WebAssembly module, and the names that it exports.
//!
//! `cargo run --example wasm_sections -- examples/module.wasm`

use std::{env, error::Error, fs, io, path::PathBuf, str};
use zigzag_varint::{LengthPrefix, Reader};

const SECTIONS: &str =
    "custom type import function table memory global export start element code data data-count tag";
const VECTOR: LengthPrefix = LengthPrefix::without_limit().prefix_u32(); // nothing is copied

fn section(module: &[u8], reader: &mut Reader<'_>) -> Result<String, Box<dyn Error>> {
    let (id, len) = (reader.read_byte()?, reader.read_length_prefixed(VECTOR)?.len());
    // Ends with the section, and starts with the module, so that errors name offsets in the module.
    let mut contents = Reader::new(&module[..reader.position()]);
    contents.read_bytes(reader.position() - len)?;
    let mut line = format!("{:<10} {len:>8} bytes", SECTIONS.split(' ').nth(id.into()).unwrap_or("unknown"));
    match id {
        0 => line += &format!("  {:?}", str::from_utf8(contents.read_length_prefixed(VECTOR)?)?),
        7 => {
            for _ in 0..contents.read::<u32>()? {
                line += &format!("  {:?}", str::from_utf8(contents.read_length_prefixed(VECTOR)?)?);
                let (_kind, _index) = (contents.read_byte()?, contents.read::<u32>()?);
            }
        }
        8 => line += &format!("  function {}", contents.read::<u32>()?),
        _ => line += &format!("  entries: {}", contents.read::<u32>()?),
    }
    Ok(line)
}

pub(crate) fn run(args: &[PathBuf], out: &mut impl io::Write) -> Result<(), Box<dyn Error>> {
    let [path] = args else { return Err("usage: wasm_sections FILE".into()) };
    let module = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut reader = Reader::new(&module);
    if reader.read_bytes(8).ok() != Some(b"\0asm\x01\0\0\0") {
        return Err(format!("{}: not a WebAssembly module of version 1", path.display()).into());
    }
    while !reader.is_empty() {
        let at = reader.position();
        let line =
            section(&module, &mut reader).map_err(|error| format!("section at offset {at}: {error}"))?;
        writeln!(out, "{at:>8}  {line}")?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&env::args_os().skip(1).map(PathBuf::from).collect::<Vec<_>>(), &mut io::stdout())
}
