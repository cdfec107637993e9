//! AVX-512 as of Ice Lake and Zen 4: 64 bytes at a time, whatever lengths the values in them have.

mod count;
mod decode;
mod delta;
mod encode;
mod encoded_len;
mod vector;

use crate::backend::Backend;
use crate::error::DecodeError;
use crate::simd::detect;
use crate::simd::slices::slices;

/// Proof that the CPU has every instruction in this module: only [`backend`] gives one out.
struct Avx512(());

/// The backend, where the CPU has it.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    const BACKEND: &dyn Backend = &Avx512(());
    detect::avx512().then_some(BACKEND)
}

slices!(Avx512 {
    encode(src, dst) if (encode::worthwhile(src.len())) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { encode::encode(src, dst) }
    },
    decode::<CANONICAL>(src, dst) if (decode::worthwhile(src.len(), dst.len())) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { decode::decode::<_, CANONICAL>(src, dst) }
    },
    encoded_len(src) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { encoded_len::encoded_len(src) }
    },
    deltas(previous, src, deltas) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { delta::deltas(previous, src, deltas) }
    },
    add_up(previous, deltas) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { delta::add_up(previous, deltas) }
    },
});

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
