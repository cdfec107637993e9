//! Writes the test vectors as Rust. For a Cortex-M: passes cortex-m-rt's linker script to the linker,
//! and the file `memory.x`, which it includes, for the machine mps2-an386.

use std::fmt::Write;
use std::{env, fs};

use zigzag_varint_conformance::committed;

const MEMORY: &str = "MEMORY {
  FLASH : ORIGIN = 0x00000000, LENGTH = 4M
  RAM : ORIGIN = 0x20000000, LENGTH = 4M
}";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(format!("{folder}/vectors.rs"), vectors()).expect("a writable folder");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none") {
        fs::write(format!("{folder}/memory.x"), MEMORY).expect("a writable folder");
        println!("cargo:rustc-link-search={folder}");
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
    }
}

/// Returns a block with a call for each vector of an integer type, such as
/// `vector::<u8>(&[128, 0], Ok((0, 2)), Err((NonCanonical, 1)), checker);`.
fn vectors() -> String {
    let mut block = String::from("{\n");
    for vector in committed() {
        let name = vector.wire_type.name;
        let sign = if name.starts_with("zigzag-") { 'i' } else { 'u' };
        let Some(bits) = name.strip_prefix("zigzag-").or(name.strip_prefix("unsigned-")) else { continue };
        let [lenient, canonical] = [vector.outcome, vector.canonical].map(|outcome| match outcome {
            Ok((value, len)) => format!("Ok(({}, {len}))", vector.wire_type.decimal(value)),
            Err(error) => format!("Err(({:?}, {}))", error.kind, error.offset),
        });
        let bytes = vector.bytes;
        writeln!(block, "    vector::<{sign}{bits}>(&{bytes:?}, {lenient}, {canonical}, checker);")
            .expect("a string grows");
    }
    block + "}\n"
}
