//! For a Cortex-M: passes cortex-m-rt's linker script to the linker, and the file `memory.x`, which it
//! includes, for the machine mps2-an386.

use std::{env, fs};

const MEMORY: &str = "MEMORY {
  FLASH : ORIGIN = 0x00000000, LENGTH = 4M
  RAM : ORIGIN = 0x20000000, LENGTH = 4M
}";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none") {
        let folder = env::var("OUT_DIR").expect("cargo sets it");
        fs::write(format!("{folder}/memory.x"), MEMORY).expect("a writable folder");
        println!("cargo:rustc-link-search={folder}");
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
    }
}
