//! The instructions that this CPU has for single values. The CPU is queried once; after that, a
//! test costs a load and a comparison.

#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::simd::detect::has as cpu_has;
#[cfg(feature = "std")]
use crate::simd::detect::microcoded_bmi2;

/// A set of instructions for single values. Each level includes the ones before it.
#[derive(Clone, Copy)]
pub(crate) enum Level {
    /// Only the target's own instructions.
    #[cfg(feature = "std")]
    Baseline = 1,
    /// BMI2 and LZCNT: `pdep`, `pext`, `lzcnt`.
    Bmi2,
    /// AVX-512 (BW, VL, VBMI) too: `vpmultishiftqb`, and masked stores.
    #[cfg(kernel = "avx512")]
    Avx512,
}

/// The `Level` of this CPU, or `UNKNOWN` before the first query.
#[cfg(feature = "std")]
static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
#[cfg(feature = "std")]
const UNKNOWN: u8 = 0;

/// Returns whether this CPU has that level.
#[cfg(feature = "std")]
#[inline(always)]
pub(super) fn has(level: Level) -> bool {
    #[cold]
    #[inline(never)]
    fn query() -> u8 {
        remember(&KNOWN, detect())
    }

    // Unknown is less than any level, so that one comparison is enough if the CPU has the level.
    let known = KNOWN.load(Relaxed);
    known >= level as u8 || (known == UNKNOWN && query() >= level as u8)
}

/// Stores the level that a query has found in `known`, unless it has a level by now, and returns the
/// level there. A plain store would undo a limit that another thread sets during the query.
#[cfg(feature = "std")]
pub(crate) fn remember(known: &AtomicU8, found: Level) -> u8 {
    match known.compare_exchange(UNKNOWN, found as u8, Relaxed, Relaxed) {
        Ok(_) => found as u8,
        Err(set) => set,
    }
}

/// Returns the highest level that this CPU has.
#[cfg(feature = "std")]
pub(crate) fn detect() -> Level {
    if !cpu_has!("bmi2" "lzcnt") || microcoded_bmi2() {
        return Level::Baseline;
    }
    #[cfg(kernel = "avx512")]
    if cpu_has!("avx512bw" "avx512vl" "avx512vbmi") {
        return Level::Avx512;
    }
    Level::Bmi2
}

/// Sets the level by which `has` answers, to the highest that this CPU has if that is lower.
#[cfg(feature = "std")]
pub(crate) fn limit(level: Level) {
    KNOWN.store((level as u8).min(detect() as u8), Relaxed);
}

/// Returns whether the compiler may use that level.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(super) const fn has(level: Level) -> bool {
    let bmi2 = cpu_has!("bmi2" "lzcnt");
    match level {
        Level::Bmi2 => bmi2,
        #[cfg(kernel = "avx512")]
        Level::Avx512 => bmi2 && cpu_has!("avx512bw" "avx512vl" "avx512vbmi"),
    }
}
