//! BMI2 alone: `pdep` and `pext` move the groups of a value in one step, `tzcnt` and `lzcnt` find lengths.

mod decode;
mod encode;
mod scan;
mod suspicion;

pub(super) use crate::simd::lane::{GROUPS, Lane};
pub(super) use encode::{BY_LEADING_ZEROS, mixed, write};
pub(super) use scan::{count, encoded_len, skip};
pub(super) use suspicion::is_suspicious;

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, DecodeError, Progress};
use crate::scalar::slice;
use crate::simd::single::level::{self, Level};

/// Proof that the CPU has every instruction in this module: only [`backend`] gives one out.
struct Bmi2(());

/// The backend, where the CPU has it.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    const BACKEND: &dyn Backend = &Bmi2(());
    has_fast_bmi2().then_some(BACKEND)
}

/// Whether the CPU has BMI1, BMI2, LZCNT and POPCNT, with `pdep` and `pext` as instructions rather than microcode.
pub(super) fn has_fast_bmi2() -> bool {
    #[cfg(feature = "std")]
    let rest = std::is_x86_feature_detected!("bmi1") && std::is_x86_feature_detected!("popcnt");
    #[cfg(not(feature = "std"))]
    let rest = cfg!(all(target_feature = "bmi1", target_feature = "popcnt"));
    rest && level::has(Level::Bmi2)
}

macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Bmi2 {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                if dst.len() < encode::WORTHWHILE {
                    return slice::encode(src, dst, Progress::default());
                }
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { encode::encode(src, dst) }
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
