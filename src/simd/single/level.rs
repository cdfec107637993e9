//! The instructions that this CPU has for single values. It is asked once; from then on the answer
//! costs a load and a compare.

#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::simd::detect::has as cpu_has;
#[cfg(feature = "std")]
use crate::simd::detect::microcoded_bmi2;

/// Instructions for single values. Each level includes those before it.
#[derive(Clone, Copy)]
pub(crate) enum Level {
    /// None but the target's own.
    #[cfg(feature = "std")]
    Baseline,
    /// BMI2 and LZCNT: `pdep`, `pext`, `lzcnt`.
    Bmi2,
    /// AVX-512 (BW, VL, VBMI) too: `vpmultishiftqb`, and stores under a mask.
    Avx512,
}

/// This CPU's `Level`, or a greater number as long as nobody has asked.
#[cfg(feature = "std")]
static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(feature = "std")]
const UNKNOWN: u8 = u8::MAX;

/// Whether this CPU has that level.
#[cfg(feature = "std")]
#[inline(always)]
pub(super) fn has(level: Level) -> bool {
    #[cold]
    #[inline(never)]
    fn ask() -> u8 {
        let level = detect() as u8;
        KNOWN.store(level, Relaxed);
        level
    }

    let known = KNOWN.load(Relaxed);
    known >= level as u8 && (known != UNKNOWN || ask() >= level as u8)
}

#[cfg(feature = "std")]
pub(crate) fn detect() -> Level {
    if !cpu_has!("bmi2" "lzcnt") || microcoded_bmi2() {
        Level::Baseline
    } else if cpu_has!("avx512bw" "avx512vl" "avx512vbmi") {
        Level::Avx512
    } else {
        Level::Bmi2
    }
}

/// Makes `has` answer for that level, which this CPU must have.
#[cfg(all(test, feature = "std"))]
pub(crate) fn force(level: Level) {
    assert!(level as u8 <= detect() as u8);
    KNOWN.store(level as u8, Relaxed);
}

/// Whether the compiler may use that level.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(super) const fn has(level: Level) -> bool {
    let bmi2 = cpu_has!("bmi2" "lzcnt");
    match level {
        Level::Bmi2 => bmi2,
        Level::Avx512 => bmi2 && cpu_has!("avx512bw" "avx512vl" "avx512vbmi"),
    }
}
