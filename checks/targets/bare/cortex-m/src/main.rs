//! The checks on a Cortex-M4. What they say goes to the emulator, and so does their end.

#![no_std]
#![no_main]

use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hio};
use panic_semihosting as _; // prints what failed, and ends the emulator with a failure

#[entry]
fn main() -> ! {
    let mut out = hio::hstdout().expect("an emulator that listens");
    core_checks::run(&mut out);
    debug::exit(debug::EXIT_SUCCESS);
    unreachable!("the emulator has ended");
}
