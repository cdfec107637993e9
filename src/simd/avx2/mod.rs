//! AVX2 and BMI2: what most x86-64 machines have.

mod decode;
mod delta;
mod encode;
mod lanes;

use core::arch::x86_64::{_mm256_loadu_si256, _mm256_movemask_epi8};

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, DecodeError, Progress};
use crate::scalar::slice;
use crate::simd::bmi2;

/// Proof that the CPU has every instruction in this module: only [`backend`] gives one out.
struct Avx2(());

/// The backend, where the CPU has it.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    const BACKEND: &dyn Backend = &Avx2(());
    #[cfg(feature = "std")]
    let avx2 = std::is_x86_feature_detected!("avx2");
    #[cfg(not(feature = "std"))]
    let avx2 = cfg!(target_feature = "avx2");
    (avx2 && bmi2::has_fast_bmi2()).then_some(BACKEND)
}

/// Bit k: byte k is the last of its value.
#[inline]
#[target_feature(enable = "avx2")]
fn ends(bytes: &[u8; 32]) -> u64 {
    // SAFETY: the array's 32 bytes.
    let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    u64::from(!_mm256_movemask_epi8(bytes) as u32)
}

#[target_feature(enable = "avx2,popcnt")]
fn count(src: &[u8]) -> usize {
    bmi2::count(src, |bytes| ends(bytes))
}

#[target_feature(enable = "avx2,popcnt")]
fn skip(src: &[u8], n: usize) -> Result<usize, DecodeError> {
    bmi2::skip(src, n, |bytes| ends(bytes))
}

macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Avx2 {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                if src.len() < encode::WORTHWHILE {
                    return slice::encode(src, dst, Progress::default());
                }
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { encode::encode(src, dst) }
            }

            fn decode(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if !decode::worthwhile(src.len(), dst.len()) {
                    return slice::decode::<$int, false>(src, dst, Progress::default());
                }
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { decode::decode::<$int, false>(src, dst) }
            }

            fn decode_canonical(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if !decode::worthwhile(src.len(), dst.len()) {
                    return slice::decode::<$int, true>(src, dst, Progress::default());
                }
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { decode::decode::<$int, true>(src, dst) }
            }

            fn encoded_len(&self, src: &[$int]) -> usize {
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { bmi2::encoded_len(src) }
            }

            fn deltas(&self, previous: $int, src: &[$int], deltas: &mut [$int]) {
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { delta::deltas(previous, src, deltas) }
            }

            fn add_up(&self, previous: $int, deltas: &mut [$int]) -> $int {
                // SAFETY: `self` exists, so the CPU has every feature that the function enables.
                unsafe { delta::add_up(previous, deltas) }
            }
        }
    )*};
}

slices!(u16 u32 u64 usize i16 i32 i64 isize);

// Eight bits are little work, and 128 are rare.
impl Slices<u8> for Avx2 {}
impl Slices<i8> for Avx2 {}
impl Slices<u128> for Avx2 {}
impl Slices<i128> for Avx2 {}

impl Backend for Avx2 {
    fn name(&self) -> &'static str {
        "avx2"
    }

    fn count(&self, src: &[u8]) -> usize {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { count(src) }
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { skip(src, n) }
    }
}
