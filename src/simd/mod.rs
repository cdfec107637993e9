//! The one place where `unsafe` is allowed: a file for each instruction set, behind constructors that check the CPU.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod bmi2;

use crate::backend::Backend;

/// The backends that this CPU has, slowest first.
pub(crate) fn available() -> impl Iterator<Item = &'static dyn Backend> {
    let backends: [Option<&'static dyn Backend>; _] = [
        #[cfg(target_arch = "x86_64")]
        bmi2::backend(),
        #[cfg(target_arch = "x86_64")]
        avx2::backend(),
    ];
    backends.into_iter().flatten()
}
