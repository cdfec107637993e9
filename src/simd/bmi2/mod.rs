//! BMI2 alone: `pdep` and `pext` move the groups of a value in one step, `tzcnt` and `lzcnt` find lengths.

mod decode;
mod encode;
mod lane;
mod scan;
mod suspicion;

pub(super) use encode::{BY_LEADING_ZEROS, mixed, write};
pub(super) use lane::{GROUPS, Lane};
pub(super) use scan::{count, encoded_len, skip};
pub(super) use suspicion::is_suspicious;

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, DecodeError, Progress};
use crate::scalar::slice;

/// Proof that the CPU has every instruction in this module: only [`detect`](Self::detect) makes one.
pub(super) struct Bmi2(());

impl Bmi2 {
    /// The backend, where the CPU has it.
    pub(super) fn detect() -> Option<&'static dyn Backend> {
        const BACKEND: &dyn Backend = &Bmi2(());
        has_fast_bmi2().then_some(BACKEND)
    }
}

/// Whether the CPU has BMI1, BMI2, LZCNT and POPCNT, with `pdep` and `pext` as instructions rather than microcode.
pub(super) fn has_fast_bmi2() -> bool {
    #[cfg(feature = "std")]
    use std::is_x86_feature_detected as has;
    #[cfg(not(feature = "std"))]
    macro_rules! has {
        ($feature:tt) => {
            cfg!(target_feature = $feature)
        };
    }
    has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt") && !is_microcoded()
}

/// Whether `pdep` and `pext` are microcode: on AMD (and Hygon) before Zen 3 they take up to 300 cycles.
fn is_microcoded() -> bool {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    // CPUID is slow, and very slow in a virtual machine: ask once. Threads that race store the same answer.
    const UNKNOWN: u8 = 0;
    const NO: u8 = 1;
    const YES: u8 = 2;
    static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

    let mut answer = ANSWER.load(Relaxed);
    if answer == UNKNOWN {
        answer = if is_amd_before_zen_3() { YES } else { NO };
        ANSWER.store(answer, Relaxed);
    }
    answer == YES
}

#[cold]
fn is_amd_before_zen_3() -> bool {
    use core::arch::x86_64::__cpuid;

    /// The family of Zen 3.
    const ZEN_3: u32 = 0x19;

    #[allow(unused_unsafe)] // safe in newer compilers than our oldest one
    // SAFETY: every x86-64 CPU has the instruction, and leaves 0 and 1 of it.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine") && family < ZEN_3
}

macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Bmi2 {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                let mut at = Progress::default();
                loop {
                    let (rest, room) = (&src[at.values..], dst.get_mut(at.bytes..)?);
                    if room.len() < encode::WORTHWHILE {
                        return slice::encode(src, dst, at);
                    }
                    // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                    let done = unsafe { encode::mixed(rest, room) };
                    at = Progress { values: at.values + done.values, bytes: at.bytes + done.bytes };
                    if at.values == src.len() {
                        return Some(at.bytes);
                    }
                }
            }

            fn decode(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { decode::decode::<$int, false>(src, dst) }
            }

            fn decode_canonical(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { decode::decode::<$int, true>(src, dst) }
            }

            fn encoded_len(&self, src: &[$int]) -> usize {
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { scan::encoded_len(src) }
            }
        }
    )*};
}

slices!(u16 u32 u64 usize i16 i32 i64 isize);

// Eight bits are little work, and 128 are rare.
impl Slices<u8> for Bmi2 {}
impl Slices<i8> for Bmi2 {}
impl Slices<u128> for Bmi2 {}
impl Slices<i128> for Bmi2 {}

impl Backend for Bmi2 {
    fn name(&self) -> &'static str {
        "bmi2"
    }

    fn count(&self, src: &[u8]) -> usize {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { scan::count_by_64(src) }
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { scan::skip_by_64(src, n) }
    }
}
