//! The checks on a Cortex-M4. Their output and exit code go to the emulator.

#![no_std]
#![no_main]

use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hio};
use panic_semihosting as _; // prints a panic and ends the emulator with an error

#[entry]
fn main() -> ! {
    let mut out = hio::hstdout().expect("the emulator accepts output");
    core_checks::run(&mut out);
    debug::exit(debug::EXIT_SUCCESS);
    unreachable!("the emulator has ended");
}
