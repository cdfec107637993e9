//! Which instruction sets this CPU has for the kernels. With feature `std` the CPU is asked at run
//! time, else the compiler's target features decide.

/// Whether the CPU has all of these features.
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

/// Whether the CPU has BMI1, BMI2, LZCNT and POPCNT, with `pdep` and `pext` as instructions rather
/// than microcode.
pub(super) fn fast_bmi2() -> bool {
    has!("bmi1" "bmi2" "lzcnt" "popcnt") && !microcoded_bmi2()
}

/// Whether the CPU has AVX2, and BMI2 as above.
pub(super) fn avx2() -> bool {
    has!("avx2") && fast_bmi2()
}

/// Whether the CPU has AVX-512 with all that came to it up to VBMI2: Ice Lake and Zen 4.
pub(super) fn avx512() -> bool {
    let scalar = has!("bmi1" "bmi2" "lzcnt" "popcnt");
    scalar && has!("avx512f" "avx512bw" "avx512dq" "avx512cd" "avx512vl" "avx512vbmi" "avx512vbmi2")
}

/// Whether `pdep` and `pext` are microcode: on AMD before Zen 3 (family 0x19) they take up to 300
/// cycles.
#[cfg(feature = "std")]
pub(super) fn microcoded_bmi2() -> bool {
    use core::arch::x86_64::__cpuid;
    use std::sync::OnceLock;

    static MICROCODED: OnceLock<bool> = OnceLock::new();
    *MICROCODED.get_or_init(|| {
        #[allow(unused_unsafe)] // safe in newer compilers than our oldest one
        // SAFETY: every x86-64 CPU has the instruction, and leaves 0 and 1 of it.
        let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine") && family < 0x19
    })
}

/// Whoever compiles for a CPU with BMI2 wants its instructions.
#[cfg(not(feature = "std"))]
fn microcoded_bmi2() -> bool {
    false
}
