//! What the CPU has for single values. Asked once; from then on the answer costs a load and a compare.

/// Instructions for single values. Each level includes those before it.
#[derive(Clone, Copy)]
pub(super) enum Level {
    /// None but the target's own.
    #[cfg(feature = "std")]
    Baseline = 1,
    /// BMI2 and LZCNT: `pdep`, `pext`, `lzcnt`.
    Bmi2,
    /// AVX-512 (BW, VL, VBMI) too: `vpmultishiftqb`, and stores under a mask.
    Avx512,
}

/// Whether this CPU has that level.
#[cfg(feature = "std")]
#[inline(always)]
pub(super) fn has(level: Level) -> bool {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// A `Level`, or 0 as long as nobody has asked.
    static KNOWN: AtomicU8 = AtomicU8::new(0);

    #[cold]
    #[inline(never)]
    fn ask() -> u8 {
        let level = detect() as u8;
        KNOWN.store(level, Relaxed);
        level
    }

    let known = KNOWN.load(Relaxed);
    known >= level as u8 || (known == 0 && ask() >= level as u8)
}

#[cfg(feature = "std")]
fn detect() -> Level {
    use std::is_x86_feature_detected as has;

    if !has!("bmi2") || !has!("lzcnt") || microcoded_bmi2() {
        Level::Baseline
    } else if has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi") {
        Level::Avx512
    } else {
        Level::Bmi2
    }
}

/// Whether `pdep` and `pext` are microcode: on AMD before Zen 3 (family 0x19) they take up to 300 cycles.
#[cfg(feature = "std")]
pub(super) fn microcoded_bmi2() -> bool {
    use core::arch::x86_64::__cpuid;

    #[allow(unused_unsafe)] // safe in newer compilers than our oldest one
    // SAFETY: every x86-64 CPU has the instruction, and leaves 0 and 1 of it.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine") && family < 0x19
}

/// Whether the compiler may use that level.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(super) const fn has(level: Level) -> bool {
    let bmi2 = cfg!(all(target_feature = "bmi2", target_feature = "lzcnt"));
    let avx512 =
        cfg!(all(target_feature = "avx512bw", target_feature = "avx512vl", target_feature = "avx512vbmi"));
    match level {
        Level::Bmi2 => bmi2,
        Level::Avx512 => bmi2 && avx512,
    }
}
