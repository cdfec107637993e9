//! The checks in WebAssembly. The host has a function for the output, and a failure traps.

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

/// Runs the checks and returns the number of comparisons. A comparison that fails traps.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    core_checks::run(&mut Host)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    // A failure of the output cannot be reported.
    let _ = writeln!(Host, "{info}");
    core::arch::wasm32::unreachable()
}
