//! Blocks of values in vector registers.

use core::arch::x86_64::*;

use crate::simd::lane::Lane;

/// The number of values in a [`Block`].
pub(super) const BLOCK_VALUES: usize = 16;

/// Values in the form in which they are encoded. They fill one, two or four registers, depending on
/// their number and width, and the other registers are zero.
#[derive(Clone, Copy)]
pub(super) struct Block([__m256i; 4]);

impl Block {
    /// Loads values that fill whole registers, and converts signed ones to zigzag form.
    #[cfg_attr(not(proof_steps), inline)]
    #[cfg_attr(proof_steps, inline(never))]
    #[target_feature(enable = "avx2")]
    pub(super) fn load<T: Lane, const N: usize>(values: &[T; N]) -> Self {
        let mut registers = [_mm256_setzero_si256(); 4];
        let from = values.as_ptr().cast::<__m256i>();
        for (index, register) in registers.iter_mut().take(N * size_of::<T>() / 32).enumerate() {
            // SAFETY: the values have `N * size_of::<T>()` bytes, and each load reads 32.
            let lanes = unsafe { _mm256_loadu_si256(from.add(index)) };
            *register = if T::SIGNED { to_zigzag::<T>(lanes) } else { lanes };
        }
        Self(registers)
    }

    /// Returns whether all values are below `2^bits`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn below<T: Lane>(self, bits: usize) -> bool {
        if bits >= 8 * size_of::<T>() {
            return true;
        }
        let [a, b, c, d] = self.0;
        let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        _mm256_testz_si256(any, splat::<T>(u64::MAX << bits)) != 0
    }

    /// Returns whether the encodings of all values have `len` bytes, which is at least two.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn has_length<T: Lane>(self, len: usize) -> bool {
        // AVX2 has only signed comparisons. With the top bit flipped, they order unsigned values.
        let flip = splat::<T>(1 << (8 * size_of::<T>() - 1));
        let least = _mm256_xor_si256(splat::<T>(1 << (7 * (len - 1))), flip);
        let less = |lanes| {
            let lanes = _mm256_xor_si256(lanes, flip);
            match size_of::<T>() {
                2 => _mm256_cmpgt_epi16(least, lanes),
                4 => _mm256_cmpgt_epi32(least, lanes),
                _ => _mm256_cmpgt_epi64(least, lanes),
            }
        };
        let mut any_less = _mm256_setzero_si256();
        for lanes in &self.0[..size_of::<T>() / 2] {
            any_less = _mm256_or_si256(any_less, less(*lanes));
        }
        _mm256_testz_si256(any_less, any_less) != 0 && self.below::<T>(7 * len)
    }

    /// Returns the values, which must be below 2^14, as words.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn to_words<T: Lane>(self) -> __m256i {
        let [a, b, c, d] = self.0;
        // Each `pack` works on the two halves separately. A permutation restores the order.
        match size_of::<T>() {
            2 => a,
            4 => swap_middle(_mm256_packus_epi32(a, b)),
            _ => _mm256_permutevar8x32_epi32(
                _mm256_packus_epi32(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d)),
                _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7),
            ),
        }
    }

    /// Returns values of 32 or 64 bits as qwords.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn to_qwords<T: Lane>(self) -> [__m256i; 4] {
        if size_of::<T>() == 8 {
            return self.0;
        }
        let [[a, b], [c, d]] = [halves(self.0[0]), halves(self.0[1])];
        [a, b, c, d].map(|half| _mm256_cvtepu32_epi64(half))
    }

    /// Returns the values, which must be below 2^28, as dwords.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn to_dwords<T: Lane>(self) -> [__m256i; 2] {
        let [a, b, c, d] = self.0;
        match size_of::<T>() {
            2 => {
                let [low, high] = halves(a);
                [_mm256_cvtepu16_epi32(low), _mm256_cvtepu16_epi32(high)]
            }
            4 => [a, b],
            _ => [swap_middle(even_dwords(a, b)), swap_middle(even_dwords(c, d))],
        }
    }
}

/// Returns the low bits of `bits` in every lane of the width of `T`.
#[inline]
#[target_feature(enable = "avx2")]
fn splat<T: Lane>(bits: u64) -> __m256i {
    match size_of::<T>() {
        2 => _mm256_set1_epi16(bits as i16),
        4 => _mm256_set1_epi32(bits as i32),
        _ => _mm256_set1_epi64x(bits as i64),
    }
}

/// Converts lanes of `T` to zigzag form.
#[inline]
#[target_feature(enable = "avx2")]
fn to_zigzag<T: Lane>(lanes: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    match size_of::<T>() {
        2 => _mm256_xor_si256(_mm256_add_epi16(lanes, lanes), _mm256_cmpgt_epi16(zero, lanes)),
        4 => _mm256_xor_si256(_mm256_add_epi32(lanes, lanes), _mm256_cmpgt_epi32(zero, lanes)),
        _ => _mm256_xor_si256(_mm256_add_epi64(lanes, lanes), _mm256_cmpgt_epi64(zero, lanes)),
    }
}

/// Returns the low dwords of the qwords: in each half, two of `a` and then two of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn even_dwords(a: __m256i, b: __m256i) -> __m256i {
    let [a, b] = [_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)];
    _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b))
}

/// Swaps the second and the third qword.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn swap_middle(whole: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(whole)
}

/// Returns the low and the high half.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn halves(whole: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(whole), _mm256_extracti128_si256::<1>(whole)]
}
