//! The one place where `unsafe` is allowed: a file for each instruction set, behind constructors that check the CPU.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod bmi2;
pub(crate) mod cursor;
#[cfg(target_arch = "x86_64")]
mod detect;
mod end_mask;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
mod lane;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
pub(crate) mod single;
mod slices;
mod swar;

use crate::backend::Backend;

/// The backends that this CPU has, slowest first.
pub(crate) fn available() -> impl Iterator<Item = &'static dyn Backend> {
    let backends: [Option<&'static dyn Backend>; _] = [
        swar::backend(),
        #[cfg(target_arch = "x86_64")]
        bmi2::backend(),
        #[cfg(target_arch = "x86_64")]
        avx2::backend(),
        #[cfg(target_arch = "x86_64")]
        avx512::backend(),
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        neon::backend(),
    ];
    backends.into_iter().flatten()
}
