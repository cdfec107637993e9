//! The one place where `unsafe` is allowed: a file for each instruction set, behind constructors that check the CPU.

use crate::backend::Backend;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;

/// The backends that this CPU has, slowest first.
pub(crate) fn available() -> impl Iterator<Item = &'static dyn Backend> {
    let backends: [Option<&'static dyn Backend>; _] = [
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        Some(&neon::Neon),
    ];
    backends.into_iter().flatten()
}
