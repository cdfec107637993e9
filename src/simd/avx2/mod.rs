//! AVX2 and BMI2: what most x86-64 machines have.

mod block;
mod count;
mod decode;
mod delta;
mod encode;
mod shuffle_table;

use crate::backend::Backend;
use crate::error::DecodeError;
use crate::simd::slices::slices;
use crate::simd::{bmi2, detect};

/// Proof that the CPU has every instruction in this module: only [`backend`] gives one out.
struct Avx2(());

/// The backend, where the CPU has it.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    const BACKEND: &dyn Backend = &Avx2(());
    detect::avx2().then_some(BACKEND)
}

slices!(Avx2 {
    encode(src, dst) if (src.len() >= encode::WORTHWHILE) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { encode::encode(src, dst) }
    },
    decode::<CANONICAL>(src, dst) if (decode::worthwhile(src.len(), dst.len())) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { decode::decode::<_, CANONICAL>(src, dst) }
    },
    encoded_len(src) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { bmi2::encoded_len(src) }
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

impl Backend for Avx2 {
    fn name(&self) -> &'static str {
        "avx2"
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
