//! BMI2 alone: `pdep` and `pext` move the groups of a value in one step, `tzcnt` and `lzcnt` find lengths.

mod decode;
mod encode;
mod scan;
mod window_check;

pub(super) use encode::{BY_LEADING_ZEROS, mixed, write};
pub(super) use scan::{count, encoded_len, skip};
pub(super) use window_check::{is_suspicious, last_bits, last_mask};

use crate::backend::Backend;
use crate::error::DecodeError;
use crate::simd::detect;
use crate::simd::slices::slices;

/// Proof that the CPU has every instruction in this module: only [`backend`] gives one out.
struct Bmi2(());

/// The backend, where the CPU has it.
pub(super) fn backend() -> Option<&'static dyn Backend> {
    const BACKEND: &dyn Backend = &Bmi2(());
    detect::fast_bmi2().then_some(BACKEND)
}

slices!(Bmi2 {
    encode(src, dst) if (dst.len() >= encode::WORTHWHILE) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { encode::encode(src, dst) }
    },
    decode::<CANONICAL>(src, dst) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { decode::decode::<_, CANONICAL>(src, dst) }
    },
    encoded_len(src) => {
        // SAFETY: `self` exists, so the CPU has every feature that the function enables.
        unsafe { scan::encoded_len(src) }
    },
});

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
