//! The one place where `unsafe` is allowed: a file for each instruction set, behind constructors that check the CPU.

#[cfg(target_arch = "x86_64")]
mod cpu;
mod ends;
pub(crate) mod single;
mod swar;
pub(crate) mod window;

use crate::backend::Backend;

/// The backends that this CPU has, slowest first.
pub(crate) fn available() -> impl Iterator<Item = &'static dyn Backend> {
    let backends: [Option<&'static dyn Backend>; _] = [swar::backend()];
    backends.into_iter().flatten()
}
