//! AVX2 and BMI2: what most x86-64 machines have.

mod decode;
mod encode;
mod lanes;
mod scan;

use super::bmi2::has_fast_bmi2;
use crate::backend::{Backend, Slices};
use crate::error::{BulkError, DecodeError, Progress};
use crate::scalar::slice;

/// Exists only where [`backend`] has found the CPU features.
struct Avx2(());

/// The backend, where the CPU has AVX2 and all that its time has beside it.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    static AVX2: Avx2 = Avx2(());
    #[cfg(feature = "std")]
    let avx2 = std::is_x86_feature_detected!("avx2");
    #[cfg(not(feature = "std"))]
    let avx2 = cfg!(target_feature = "avx2");
    if avx2 && has_fast_bmi2() { Some(&AVX2) } else { None }
}

macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Avx2 {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                if !encode::worthwhile(src.len()) {
                    return slice::encode(src, dst, Progress::default());
                }
                // SAFETY: `self` proves the CPU features.
                unsafe { encode::encode(src, dst) }
            }

            fn decode(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if !decode::worthwhile::<$int>(src.len(), dst.len()) {
                    return slice::decode::<$int, false>(src, dst, Progress::default());
                }
                // SAFETY: `self` proves the CPU features.
                unsafe { decode::decode::<$int, false>(src, dst) }
            }

            fn decode_canonical(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if !decode::worthwhile::<$int>(src.len(), dst.len()) {
                    return slice::decode::<$int, true>(src, dst, Progress::default());
                }
                // SAFETY: `self` proves the CPU features.
                unsafe { decode::decode::<$int, true>(src, dst) }
            }

            fn encoded_len(&self, src: &[$int]) -> usize {
                // SAFETY: `self` proves the CPU features.
                unsafe { scan::encoded_len(src) }
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
        // SAFETY: `self` proves the CPU features.
        unsafe { scan::count(src) }
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        // SAFETY: `self` proves the CPU features.
        unsafe { scan::skip(src, n) }
    }
}
