//! 64 bytes of input at a time: where values end, and whether anything about them is suspicious.

use core::arch::x86_64::*;

use crate::simd::bmi2;
use crate::simd::lane::Lane;

/// Bytes of a window: what a mask of 64 bits tells about.
pub(super) const WINDOW: usize = 64;
/// Bytes that are loaded from the start of a window on: 16 more for a value that would start behind
/// it.
pub(super) const REACH: usize = WINDOW + 1 + 16;
/// Slots that may be written behind the values of a window, since stores are of eight values.
pub(super) const SLACK: usize = 16;
/// Windows that are decoded in one way before the next choice.
pub(super) const BURST: usize = 16;

/// The bytes of a window.
#[derive(Clone, Copy)]
pub(super) struct Window {
    low: __m256i,
    high: __m256i,
    /// Bit k: byte k is not the last of its value.
    pub(super) continues: u64,
}

impl Window {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn load(bytes: &[u8; REACH]) -> Self {
        // SAFETY: the array has more bytes than a window.
        unsafe { Self::load_from(bytes.as_ptr()) }
    }

    /// # Safety
    ///
    /// The `WINDOW` bytes can be read.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn load_from(bytes: *const u8) -> Self {
        let from = bytes.cast::<__m256i>();
        // SAFETY: the caller's.
        let [low, high] = unsafe { [_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))] };
        Self { low, high, continues: mask(low, high) }
    }

    /// Bit k: byte k is the last of its value.
    #[inline]
    pub(super) fn ends(&self) -> u64 {
        !self.continues
    }

    /// Whether the scalar loop has to decode this window, of whose first value `carried` bytes lie
    /// before it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    pub(super) fn is_suspicious<T: Lane, const CANONICAL: bool>(&self, carried: usize) -> bool {
        let splat = |byte: u8| _mm256_set1_epi8(byte as i8);
        let (last, bits) = (splat(bmi2::last_mask::<T>()), splat(bmi2::last_bits::<T>()));
        let fit = |bytes| _mm256_cmpeq_epi8(_mm256_and_si256(bytes, last), bits);
        let fit = mask(fit(self.low), fit(self.high));
        let zero = |bytes| _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
        let zero = if CANONICAL { mask(zero(self.low), zero(self.high)) } else { 0 };
        bmi2::is_suspicious::<T, CANONICAL>(self.continues, carried, fit, zero)
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask(low: __m256i, high: __m256i) -> u64 {
    let [low, high] = [_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32];
    u64::from(low) | u64::from(high) << 32
}
