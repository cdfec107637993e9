//! What the CPU has for single values. Asked once; from then on the answer costs a load and a compare.

#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Instructions for single values. Each level includes those before it.
#[derive(Clone, Copy)]
pub(in crate::simd) enum Level {
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
pub(in crate::simd) fn has(level: Level) -> bool {
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
pub(in crate::simd) fn microcoded_bmi2() -> bool {
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
pub(in crate::simd) const fn has(level: Level) -> bool {
    let bmi2 = cfg!(all(target_feature = "bmi2", target_feature = "lzcnt"));
    let avx512 =
        cfg!(all(target_feature = "avx512bw", target_feature = "avx512vl", target_feature = "avx512vbmi"));
    match level {
        Level::Bmi2 => bmi2,
        Level::Avx512 => bmi2 && avx512,
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::{DecodeError, Reader, VarInt, decode_canonical_u64, decode_u64, encode_u64, sleb128};

    /// Both sides of each power of two, which all lengths of encodings are between.
    fn values() -> impl Iterator<Item = u64> {
        (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, u64::MAX << bit, 0x5555_5555_5555_5555 >> bit])
    }

    /// What single values come to at the level in force.
    fn check(level: &str) {
        let mut stream = std::vec::Vec::new();
        for value in values() {
            let expected = encode_u64(value);
            stream.extend_from_slice(&expected);
            assert_eq!(value.encode(), expected, "{level} encodes {value:#x}");
            for room in 0..16 {
                let mut bytes = [0xaa; 16];
                let stored = value.encode_to_slice(&mut bytes[..room]);
                let fits = room >= expected.len();
                assert_eq!(
                    stored.ok(),
                    fits.then_some(expected.len()),
                    "{level} stores {value:#x} in {room}"
                );
                let (used, rest) = bytes.split_at(if fits { expected.len() } else { 0 });
                assert!(!fits || *used == *expected, "{level} stores {value:#x} as {used:x?}");
                assert!(rest.iter().all(|&byte| byte == 0xaa), "{level} stores {value:#x} and more");
            }
        }
        for value in values().map(|value| value as i64) {
            let expected = sleb128::encode_i64(value);
            assert_eq!(sleb128::encode(value), expected, "{level} encodes {value:#x} in signed LEB128");
            for room in 0..16 {
                let mut bytes = [0xaa; 16];
                let stored = sleb128::encode_to_slice(value, &mut bytes[..room]);
                let fits = room >= expected.len();
                assert_eq!(
                    stored.ok(),
                    fits.then_some(expected.len()),
                    "{level} stores {value:#x} in {room}"
                );
                let (used, rest) = bytes.split_at(if fits { expected.len() } else { 0 });
                assert!(!fits || *used == *expected, "{level} stores {value:#x} as {used:x?}");
                assert!(rest.iter().all(|&byte| byte == 0xaa), "{level} stores {value:#x} and more");
            }
        }
        let mut reader = Reader::new(&stream);
        assert!(reader.values().eq(values().map(Ok::<u64, DecodeError>)), "{level} reads");
        let mut reader = Reader::new(&stream);
        let strict = reader.values_canonical();
        assert!(strict.eq(values().map(Ok::<u64, DecodeError>)), "{level} reads canonically");

        for (run, last) in [0x80, 0xff].into_iter().flat_map(|run| (0..=u8::MAX).map(move |last| (run, last)))
        {
            for len in 1..=12 {
                let mut bytes = [run; 64];
                bytes[len - 1] = last;
                bytes[len..].fill(0);
                let lenient = Reader::new(&bytes).read::<u64>();
                assert_eq!(lenient, decode_u64(&bytes).map(|(value, _)| value), "{level} reads {bytes:x?}");
                let strict = Reader::new(&bytes).read_canonical::<u64>();
                let expected = decode_canonical_u64(&bytes).map(|(value, _)| value);
                assert_eq!(strict, expected, "{level} reads {bytes:x?} canonically");
            }
        }
    }

    #[test]
    fn every_level_of_this_cpu_gives_the_same() {
        let best = detect() as u8;
        for level in [Level::Baseline, Level::Bmi2, Level::Avx512] {
            if level as u8 <= best {
                KNOWN.store(level as u8, Relaxed);
                check(["baseline", "BMI2", "AVX-512"][level as usize]);
            }
        }
    }
}
