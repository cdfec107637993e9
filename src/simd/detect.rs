//! Detects the instruction sets that the kernels need. With feature `std` the CPU is queried at run
//! time. Without it, the target features of the compilation decide.

/// Returns whether the CPU has all of these features.
macro_rules! has {
    ($($feature:tt)*) => {{
        #[cfg(feature = "std")]
        let has = true $(&& std::is_x86_feature_detected!($feature))*;
        #[cfg(not(feature = "std"))]
        let has = true $(&& cfg!(target_feature = $feature))*;
        has
    }};
}

pub(super) use has;

/// Returns whether the CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT, and does not execute `pdep` and
/// `pext` as microcode.
#[cfg(kernel = "avx2")]
pub(super) fn avx2() -> bool {
    has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt") && !microcoded_bmi2()
}

/// Returns whether the CPU has AVX-512 with its extensions up to VBMI2, as Ice Lake and Zen 4 do.
#[cfg(kernel = "avx512")]
pub(super) fn avx512() -> bool {
    let scalar = has!("bmi1" "bmi2" "lzcnt" "popcnt");
    scalar && has!("avx512f" "avx512bw" "avx512dq" "avx512cd" "avx512vl" "avx512vbmi" "avx512vbmi2")
}

/// Returns whether `pdep` and `pext` are microcode. On AMD before Zen 3 (family 0x19) they are, and
/// take up to 300 cycles.
#[cfg(kernel = "avx2")]
pub(super) fn microcoded_bmi2() -> bool {
    amd_family().is_some_and(|family| family < 0x19)
}

/// Returns whether a CPU with AVX-512 executes each operation on 64 bytes as two on 32. Zen 4 does, the
/// only one of its family with AVX-512.
#[cfg(kernel = "avx512")]
pub(super) fn is_double_pumped() -> bool {
    amd_family() == Some(0x19)
}

/// Returns the family of the CPU, if it is one of AMD or Hygon.
#[cfg(all(feature = "std", kernel = "avx2"))]
fn amd_family() -> Option<u32> {
    use core::arch::x86_64::__cpuid;
    use std::sync::OnceLock;

    static FAMILY: OnceLock<Option<u32>> = OnceLock::new();
    *FAMILY.get_or_init(|| {
        #[allow(unused_unsafe)] // safe in compilers newer than those that compile kernels
        // SAFETY: every x86-64 CPU has the instruction, and its leaves 0 and 1.
        let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine").then_some(family)
    })
}

/// Returns `None`: a build with BMI2 among its target features has chosen its instructions.
#[cfg(all(not(feature = "std"), kernel = "avx2"))]
fn amd_family() -> Option<u32> {
    None
}
