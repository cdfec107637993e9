//! BMI2.
use core::arch::x86_64::__cpuid;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::backend::Backend;

/// Whether the CPU has BMI1, BMI2, LZCNT and POPCNT, and `pdep` and `pext` are instructions rather than loops in
/// microcode.
pub(super) fn has_fast_bmi2() -> bool {
    #[cfg(feature = "std")]
    let has = std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt");
    #[cfg(not(feature = "std"))]
    let has = cfg!(all(
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt",
        target_feature = "popcnt"
    ));
    has && !is_microcoded()
}

/// Whether this is an AMD (or Hygon) CPU before Zen 3.
fn is_microcoded() -> bool {
    // CPUID is slow, very much so in a virtual machine: ask once. Racing threads would store the same answer.
    const UNKNOWN: u8 = 0;
    const FAST: u8 = 1;
    const MICROCODED: u8 = 2;
    static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);
    let mut answer = ANSWER.load(Ordering::Relaxed);
    if answer == UNKNOWN {
        answer = if ask_cpuid() { MICROCODED } else { FAST };
        ANSWER.store(answer, Ordering::Relaxed);
    }
    answer == MICROCODED
}

#[cold]
fn ask_cpuid() -> bool {
    /// AMD's family of Zen 3.
    const ZEN_3: u32 = 0x19;
    let vendor = __cpuid(0);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let amd = name.as_flattened() == b"AuthenticAMD" || name.as_flattened() == b"HygonGenuine";
    let signature = __cpuid(1).eax;
    let (family, extended) = (signature >> 8 & 0xf, signature >> 20 & 0xff);
    amd && family + extended < ZEN_3
}

/// The backend.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    None
}
