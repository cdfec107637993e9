//! Windows of 64 bytes of input: the mask of the bytes that end values, and the check for errors.

use core::arch::x86_64::*;

use crate::simd::lane::Lane;

/// The length of a window: one byte for each bit of a mask.
pub(in super::super) const WINDOW: usize = 64;
/// The number of bytes that must be readable from the start of a window of short values on. A value
/// may start up to one byte after the window, and 16 bytes are loaded from there.
pub(super) const REACH: usize = WINDOW + 1 + 16;
/// The number of bytes that must be readable after the windows of a span of long values. A value may
/// start up to eight bytes after them, and 16 bytes are loaded from there.
pub(in super::super) const OVERHANG: usize = 8 + 16;
/// The number of slots that may be written after the values of a window, because each store writes
/// eight values.
pub(super) const SLACK: usize = 16;
/// The most windows that one loop decodes before the next choice of a loop.
pub(super) const BURST: usize = 16;

/// The bytes of a window.
#[derive(Clone, Copy)]
#[repr(C)]
pub(in super::super) struct Window {
    low: __m256i,
    high: __m256i,
    /// Bit k is set if byte k is not the last of its value.
    pub(super) continues: u64,
}

impl Window {
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn load(bytes: &[u8; REACH]) -> Self {
        // SAFETY: the array has more bytes than a window.
        unsafe { Self::load_from(bytes.as_ptr()) }
    }

    /// Loads the window that begins at `bytes`.
    ///
    /// # Safety
    ///
    /// `WINDOW` bytes can be read from `bytes` on.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn load_from(bytes: *const u8) -> Self {
        let from = bytes.cast::<__m256i>();
        // SAFETY: the caller ensures that the `WINDOW` bytes can be read.
        let [low, high] = unsafe { [_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))] };
        Self { low, high, continues: mask(low, high) }
    }

    /// Returns a mask in which bit k is set if byte k is the last of its value.
    #[inline]
    pub(in super::super) fn ends(&self) -> u64 {
        !self.continues
    }

    /// Returns a mask in which bit k is set if byte k is zero.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn zeros(&self) -> u64 {
        let zero = |bytes| _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
        mask(zero(self.low), zero(self.high))
    }

    /// Returns whether a value that begins in the window is overlong.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn has_overlong(&self) -> bool {
        self.zeros() & self.continues << 1 != 0
    }

    /// Returns whether some value that ends in the window, which begins with one, may be invalid, or
    /// valid but not decodable by this kernel. A window in which no value ends is suspicious too.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    pub(super) fn is_suspicious<T: Lane>(&self, canonical: bool) -> bool {
        let splat = |byte: u8| _mm256_set1_epi8(byte as i8);
        let (last, bits) = (splat(last_mask::<T>()), splat(last_bits::<T>()));
        let fit = |bytes| _mm256_cmpeq_epi8(_mm256_and_si256(bytes, last), bits);
        // Bytes after one, two, four and eight continuation bytes.
        let one = self.continues << 1;
        let two = one & one << 1;
        let four = two & two << 2;
        let eight = four & four << 4;
        let at_full_length = match T::MAX_BYTES {
            3 => two,
            5 => four,
            _ => eight & one << 8,
        };
        at_full_length & !mask(fit(self.low), fit(self.high)) != 0 || canonical && self.has_overlong()
    }
}

/// Returns the top bits of 64 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(low: __m256i, high: __m256i) -> u64 {
    let [low, high] = [_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32];
    u64::from(low) | u64::from(high) << 32
}

/// Returns the mask of the bits that the last byte of a longest encoding must have as in
/// [`last_bits`].
pub(super) const fn last_mask<T: Lane>() -> u8 {
    if T::MAX_BYTES == 10 { 0xff } else { !T::LAST_MAX }
}

/// Returns the required values of these bits. The decoder uses the continuation bit of a ninth byte
/// as bit 63. It therefore cannot decode a tenth byte of 0, which is valid but overlong.
pub(super) const fn last_bits<T: Lane>() -> u8 {
    if T::MAX_BYTES == 10 { 1 } else { 0 }
}
