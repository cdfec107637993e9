//! AVX-512 as of Ice Lake and Zen 4: 64 bytes at a time, whatever lengths the values in them have.

mod count;
mod decode;
mod delta;
mod encode;
mod len;
mod vector;

use crate::backend::{Backend, Slices};
use crate::error::{BulkError, DecodeError, Progress};
use crate::scalar::slice;

/// Exists only where [`backend`] has found every CPU feature of this module.
struct Avx512(());

/// The backend, where the CPU has AVX-512 with all that came to it up to VBMI2.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    static AVX512: Avx512 = Avx512(());
    macro_rules! has {
        ($($feature:tt)*) => {{
            #[cfg(feature = "std")]
            let has = true $(&& std::is_x86_feature_detected!($feature))*;
            #[cfg(not(feature = "std"))]
            let has = true $(&& cfg!(target_feature = $feature))*;
            has
        }};
    }
    let avx512 = has!("avx512f" "avx512bw" "avx512dq" "avx512cd" "avx512vl" "avx512vbmi" "avx512vbmi2");
    let scalar = has!("bmi1" "bmi2" "lzcnt" "popcnt");
    if avx512 && scalar { Some(&AVX512) } else { None }
}

macro_rules! slices {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Avx512 {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                if !encode::worthwhile(src.len()) {
                    return slice::encode(src, dst, Progress::default());
                }
                // SAFETY: `self` proves the CPU features.
                unsafe { encode::encode(src, dst) }
            }

            fn decode(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if !decode::worthwhile(src.len(), dst.len()) {
                    return slice::decode::<$int, false>(src, dst, Progress::default());
                }
                // SAFETY: `self` proves the CPU features.
                unsafe { decode::decode::<$int, false>(src, dst) }
            }

            fn decode_canonical(&self, src: &[u8], dst: &mut [$int]) -> Result<Progress, BulkError> {
                if !decode::worthwhile(src.len(), dst.len()) {
                    return slice::decode::<$int, true>(src, dst, Progress::default());
                }
                // SAFETY: `self` proves the CPU features.
                unsafe { decode::decode::<$int, true>(src, dst) }
            }

            fn encoded_len(&self, src: &[$int]) -> usize {
                // SAFETY: `self` proves the CPU features.
                unsafe { len::encoded_len(src) }
            }

            fn deltas(&self, previous: $int, src: &[$int], deltas: &mut [$int]) {
                // SAFETY: `self` proves the CPU features.
                unsafe { delta::deltas(previous, src, deltas) }
            }

            fn add_up(&self, previous: $int, deltas: &mut [$int]) -> $int {
                // SAFETY: `self` proves the CPU features.
                unsafe { delta::add_up(previous, deltas) }
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
        // SAFETY: `self` proves the CPU features.
        unsafe { count::count(src) }
    }

    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        // SAFETY: `self` proves the CPU features.
        unsafe { count::skip(src, n) }
    }
}
