//! 64 bytes of input at a time: where values end, and whether anything about them is suspicious.

use core::arch::x86_64::*;

use super::super::lanes::Lane;

/// Bytes of a window: what a mask of 64 bits tells about.
pub(super) const WINDOW: usize = 64;
/// Bytes that are loaded from the start of a window on: 16 for a value that would start behind it.
pub(super) const REACH: usize = WINDOW + 1 + 16;
/// Values that are stored behind those of a window: stores are of eight.
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
    /// The bytes of a window can be read.
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

    /// Whether some value that ends here, or has no end here, may not be what the fast paths take it for. The scalar
    /// loop has to judge it then. `carried` bytes of the first value lie before the window.
    #[inline]
    #[target_feature(enable = "avx2,bmi1")]
    pub(super) fn suspicious<T: Lane, const CANONICAL: bool>(&self, carried: usize) -> bool {
        // Bit k: byte k-1 continues; bytes k-2 and k-1 continue; and so on.
        let one = self.continues << 1;
        let two = one & one << 1;
        let four = two & two << 2;
        let eight = four & four << 4;
        let mut full = match T::MAX_BYTES {
            3 => two,
            5 => four,
            _ => eight & one << 8,
        };
        let first_end = self.ends().trailing_zeros() as usize;
        full |= u64::from(carried + first_end >= T::MAX_BYTES - 1) << (first_end % WINDOW);
        let mut wrong = full & !self.valid_last::<T>();
        if CANONICAL {
            let needless = mask(
                _mm256_cmpeq_epi8(self.low, _mm256_setzero_si256()),
                _mm256_cmpeq_epi8(self.high, _mm256_setzero_si256()),
            );
            wrong |= needless & (one | u64::from(carried > 0));
        }
        wrong != 0 || carried + first_end >= T::MAX_BYTES
    }

    /// Bit k: byte k is fit to be the last of the longest encodings.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn valid_last<T: Lane>(&self) -> u64 {
        let greatest = _mm256_set1_epi8(T::LAST_MAX as i8);
        let fit = |bytes| match T::MAX_BYTES {
            // The fast paths take the continuation bit of the ninth byte for bit 63, so a tenth byte of zero,
            // legal though overlong, is not for them.
            10 => _mm256_cmpeq_epi8(bytes, greatest),
            _ => _mm256_cmpeq_epi8(bytes, _mm256_min_epu8(bytes, greatest)),
        };
        mask(fit(self.low), fit(self.high))
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask(low: __m256i, high: __m256i) -> u64 {
    let [low, high] = [_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32];
    u64::from(low) | u64::from(high) << 32
}
