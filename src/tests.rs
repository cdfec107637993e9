//! Tests that set private state of a lower layer and check the public functions above it.

/// No other test detects a kernel that is not available by mistake, because it changes only the
/// speed.
#[test]
#[cfg(all(feature = "std", target_arch = "x86_64"))]
fn every_kernel_supported_by_the_cpu_is_available() {
    use std::is_x86_feature_detected as has;

    let named = |name| crate::Kernel::by_name(name).is_some();
    assert!(named("swar"));
    let sse = has!("ssse3") && has!("sse4.1") && has!("popcnt");
    assert_eq!(named("sse"), sse && cfg!(kernel = "sse"));
    // Some CPUs implement BMI2 in slow microcode. Those that also have VAES do not.
    let fast = has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt") && has!("vaes");
    if !fast {
        return;
    }
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512cd");
    let avx512 = avx512 && has!("avx512vl") && has!("avx512vbmi") && has!("avx512vbmi2");
    let built = [cfg!(kernel = "avx2"), cfg!(kernel = "avx512")];
    assert_eq!(["avx2", "avx512"].map(named), [built[0] && has!("avx2"), built[1] && avx512]);
}

#[cfg(all(feature = "std", kernel = "avx2"))]
mod levels_of_single_values {
    use core::sync::atomic::AtomicU8;

    use crate::scalar::value::Scalar;
    use crate::simd::single::level::{Level, detect, limit, remember};
    use crate::{Canonical, Const, DecodeError, Reader, Signed, Varint};

    /// Returns the values on both sides of each power of two, and so of every change of length.
    fn values() -> impl Iterator<Item = u64> {
        (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, u64::MAX << bit, 0x5555_5555_5555_5555 >> bit])
    }

    /// Checks that `store` writes exactly `expected`, or nothing if it does not fit, into
    /// destinations of every size.
    fn check_store(level: &str, value: u64, expected: &[u8], store: impl Fn(&mut [u8]) -> Option<usize>) {
        for size in 0..16 {
            let mut bytes = [0xaa; 16];
            let stored = store(&mut bytes[..size]);
            let fits = size >= expected.len();
            assert_eq!(stored, fits.then_some(expected.len()), "{level} stores {value:#x} in {size} bytes");
            let (used, rest) = bytes.split_at(if fits { expected.len() } else { 0 });
            assert!(!fits || *used == *expected, "{level} stores {value:#x} as {used:x?}");
            assert!(rest.iter().all(|&byte| byte == 0xaa), "{level} writes past the end of {value:#x}");
        }
    }

    /// Checks that single values are encoded, stored and read at the current level as by the scalar
    /// code.
    fn check(level: &str) {
        let mut stream = std::vec::Vec::new();
        for value in values() {
            let expected = Const::<u64>::encode(value);
            stream.extend_from_slice(&expected);
            assert_eq!(u64::encode(value), expected, "{level} encodes {value:#x}");
            check_store(level, value, &expected, |dst| u64::encode_to_slice(value, dst).ok());
        }
        for bits in values() {
            let value = bits as i64;
            // 128 bits are encoded by a loop on every machine.
            let expected = Signed::encode(i128::from(value));
            assert_eq!(*Signed::encode(value), *expected, "{level} encodes {value:#x} in signed LEB128");
            check_store(level, bits, &expected, |dst| Signed::encode_to_slice(value, dst).ok());
        }
        check_reading::<u64>(level, &stream, false);
        check_reading::<Canonical<u64>>(level, &stream, true);
    }

    /// Checks that valid values and runs of continuation bytes are read as by the scalar code.
    fn check_reading<W: Varint<Value = u64>>(level: &str, stream: &[u8], canonical: bool) {
        let read = Reader::new(stream).into_values::<W>();
        assert!(read.eq(values().map(Ok::<u64, DecodeError>)), "{level} reads, canonical: {canonical}");
        for run in [0x80, 0xff] {
            for (last, len) in (0..=u8::MAX).flat_map(|last| (1..=12).map(move |len| (last, len))) {
                let mut bytes = [run; 64];
                bytes[len - 1] = last;
                bytes[len..].fill(0);
                let expected = Scalar::<u64>::decode(&bytes, canonical).map(|(value, _)| value);
                let read = Reader::new(&bytes).read::<W>();
                assert_eq!(read, expected, "{level} reads {bytes:x?}, canonical: {canonical}");
            }
        }
    }

    #[test]
    fn a_query_does_not_undo_a_limit_that_was_set_while_it_ran() {
        let known = AtomicU8::new(0);
        assert_eq!(remember(&known, Level::Bmi2), Level::Bmi2 as u8);
        let limited = AtomicU8::new(Level::Baseline as u8);
        assert_eq!(remember(&limited, Level::Bmi2), Level::Baseline as u8);
        assert_eq!(limited.into_inner(), Level::Baseline as u8);
    }

    #[test]
    fn every_level_of_this_cpu_gives_the_same_results() {
        let best = detect() as u8;
        for (level, name) in [
            (Level::Baseline, "baseline"),
            (Level::Bmi2, "BMI2"),
            #[cfg(kernel = "avx512")]
            (Level::Avx512, "AVX-512"),
        ] {
            if level as u8 <= best {
                limit(level);
                check(name);
            }
        }
    }
}
