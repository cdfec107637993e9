//! The checks in WebAssembly. The host has one function for what they say; a failure traps.

#![no_std]

use core::fmt::{self, Write};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Prints a byte.
    safe fn put(byte: u32);
}

struct Host;

impl Write for Host {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| put(byte.into()));
        Ok(())
    }
}

/// The number of comparisons. One that fails traps.
#[unsafe(no_mangle)]
pub extern "C" fn check() -> u32 {
    core_checks::run(&mut Host)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    // There is nobody to report to that reporting failed.
    let _ = writeln!(Host, "{info}");
    core::arch::wasm32::unreachable()
}
