//! AVX-512 as of Ice Lake and Zen 4: 64 bytes at a time, whatever the lengths in them.

mod count;
mod decode;
mod encode;
mod len;
mod vector;

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, DecodeError, Progress};

/// Proof that the CPU has every instruction in this module: only [`detect`](Self::detect) makes one.
pub(super) struct Avx512(());

impl Avx512 {
    /// The backend, where the CPU has it.
    pub(super) fn detect() -> Option<&'static dyn Backend> {
        macro_rules! has {
            ($($feature:tt)*) => {{
                #[cfg(feature = "std")]
                let has = true $(&& std::is_x86_feature_detected!($feature))*;
                #[cfg(not(feature = "std"))]
                let has = true $(&& cfg!(target_feature = $feature))*;
                has
            }};
        }
        const BACKEND: &dyn Backend = &Avx512(());
        has!("avx512f" "avx512bw" "avx512dq" "avx512cd" "avx512vl" "avx512vbmi" "avx512vbmi2"
             "bmi1" "bmi2" "lzcnt" "popcnt")
        .then_some(BACKEND)
    }
}

macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Avx512 {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
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
                unsafe { len::encoded_len(src) }
            }
        }
    )*};
}

slices!(u16 u32 u64 usize i16 i32 i64 isize);

// Values of at most 2 bytes, and of 19: the scalar loop.
impl Slices<u8> for Avx512 {}
impl Slices<i8> for Avx512 {}
impl Slices<u128> for Avx512 {}
impl Slices<i128> for Avx512 {}

impl Backend for Avx512 {
    fn name(&self) -> &'static str {
        "avx512"
    }

    fn count(&self, src: &[u8]) -> usize {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { count::count(src) }
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { count::skip(src, n) }
    }
}
