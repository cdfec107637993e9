//! AVX2 and BMI2: what most x86-64 machines have.

mod decode;
mod dense;
mod encode;
mod lanes;
mod sparse;
mod squeeze;
mod tables;
mod uniform;
mod window;

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, Progress};

/// Exists only where [`backend`] has found the CPU features.
struct Avx2(());

/// The backend, where this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    static AVX2: Avx2 = Avx2(());
    Some(&AVX2)
}

macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Avx2 {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                // SAFETY: `self` proves the CPU features.
                unsafe { encode::encode(src, dst) }
            }

            fn decode(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                // SAFETY: `self` proves the CPU features.
                unsafe { decode::decode::<$int, false>(src, dst) }
            }

            fn decode_canonical(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                // SAFETY: `self` proves the CPU features.
                unsafe { decode::decode::<$int, true>(src, dst) }
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
}
