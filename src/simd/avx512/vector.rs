//! Vectors of 64 bytes: their element types, loads and stores.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::simd::destination::as_uninit;
use crate::simd::lane::Lane;
use crate::width::Width;

/// The number of bytes in a vector.
pub(super) const BYTES: usize = 64;

/// Returns the number of lanes in a vector of one value per lane.
pub(super) const fn lane_count<T>() -> usize {
    BYTES / size_of::<T>()
}

/// Returns a mask of the lowest `n` bits, or of all 64 if `n` is greater.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn low_bits(n: usize) -> u64 {
    _bzhi_u64(!0, n.min(BYTES) as u32)
}

/// Returns the low bits of `value` in every lane of `SIZE` bytes.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn splat<const SIZE: usize>(value: u64) -> __m512i {
    match SIZE {
        8 => _mm512_set1_epi64(value as i64),
        4 => _mm512_set1_epi32(value as i32),
        _ => _mm512_set1_epi16(value as i16),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(bytes: &[u8; BYTES]) -> __m512i {
    // SAFETY: the reference covers all 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Loads the 64 bytes at `bytes[at..]`.
///
/// # Safety
///
/// `at + 64` must be at most `bytes.len()`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn load_at(bytes: &[u8], at: usize) -> __m512i {
    debug_assert!(at + BYTES <= bytes.len());
    // SAFETY: the caller ensures that the bytes are within the slice, and the load needs no
    // alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().add(at).cast()) }
}

/// Loads the first 64 bytes of `values`, with zeros after its end.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn load_front<T: Width>(values: &[T]) -> __m512i {
    let mask = low_bits(size_of_val(values));
    // SAFETY: the mask selects only bytes of the slice, and the others are not accessed.
    unsafe { _mm512_maskz_loadu_epi8(mask, values.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(bytes: &mut [u8; BYTES], vector: __m512i) {
    // SAFETY: the reference covers all 64 bytes and is unique, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), vector) }
}

/// Fills `values` from the start of `vector`. Only the first 64 bytes of `values` are written.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn store_front<T: Width>(values: &mut [T], vector: __m512i) {
    // SAFETY: the store writes only initialized bytes.
    store_front_uninit(unsafe { as_uninit(values) }, vector);
}

/// Fills `slots` from the start of `vector`. Only the first 64 bytes of `slots` are written.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn store_front_uninit<T: Width>(slots: &mut [MaybeUninit<T>], vector: __m512i) {
    let mask = low_bits(size_of_val(slots));
    // SAFETY: the mask selects only bytes of the slice, and the others are not accessed. Every type
    // that implements `Width` is an integer, for which all bytes are valid.
    unsafe { _mm512_mask_storeu_epi8(slots.as_mut_ptr().cast(), mask, vector) }
}

/// Stores a vector of lanes to `slots[at..]`.
///
/// # Safety
///
/// `at + lane_count::<T>()` must be at most `slots.len()`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn store_lanes<T: Lane>(slots: &mut [MaybeUninit<T>], at: usize, vector: __m512i) {
    debug_assert!(at + lane_count::<T>() <= slots.len());
    // SAFETY: the caller ensures that the lanes are within the slice. `T` is an integer, for which
    // all bytes are valid.
    unsafe { _mm512_storeu_si512(slots.as_mut_ptr().add(at).cast(), vector) }
}

/// Returns bytes as lanes. If there are not exactly as many bytes as lanes, all lanes are zero.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn widened<T: Lane>(bytes: &[u8]) -> __m512i {
    if bytes.len() != lane_count::<T>() {
        return _mm512_setzero_si512();
    }
    let from = bytes.as_ptr();
    // SAFETY: each load reads one byte for each lane of that size, and `bytes` has that length.
    unsafe {
        match size_of::<T>() {
            8 => _mm512_cvtepu8_epi64(_mm_loadl_epi64(from.cast())),
            4 => _mm512_cvtepu8_epi32(_mm_loadu_si128(from.cast())),
            _ => _mm512_cvtepu8_epi16(_mm256_loadu_si256(from.cast())),
        }
    }
}

/// Loads the first values of `values` to lanes of 4 or 8 bytes, with zeros after its end. Lanes that are
/// shorter than the values have their low bytes.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn widened_values<T: Lane, const SIZE: usize>(values: &[T]) -> __m512i {
    let packed = load_front(values);
    if size_of::<T>() > SIZE {
        let low = _mm512_castsi256_si512(_mm512_cvtepi64_epi32(packed));
        let rest = load_front(values.get(BYTES / 8..).unwrap_or_default());
        return _mm512_inserti64x4::<1>(low, _mm512_cvtepi64_epi32(rest));
    }
    let half = _mm512_castsi512_si256(packed);
    let quarter = _mm512_castsi512_si128(packed);
    match (size_of::<T>(), SIZE, T::SIGNED) {
        (4, 8, false) => _mm512_cvtepu32_epi64(half),
        (4, 8, true) => _mm512_cvtepi32_epi64(half),
        (2, 8, false) => _mm512_cvtepu16_epi64(quarter),
        (2, 8, true) => _mm512_cvtepi16_epi64(quarter),
        (2, 4, false) => _mm512_cvtepu16_epi32(half),
        (2, 4, true) => _mm512_cvtepi16_epi32(half),
        _ => packed,
    }
}

/// Loads the first values of `values`, as they are encoded, to lanes of 4 or 8 bytes, with zeros
/// after its end.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn raw_lanes<T: Lane, const SIZE: usize>(values: &[T]) -> __m512i {
    let lanes = widened_values::<T, SIZE>(values);
    // The zigzag form of a sign-extended value is that of the value.
    match (T::SIGNED, SIZE) {
        (false, _) => lanes,
        (true, 8) => _mm512_xor_si512(_mm512_add_epi64(lanes, lanes), _mm512_srai_epi64::<63>(lanes)),
        (true, _) => _mm512_xor_si512(_mm512_add_epi32(lanes, lanes), _mm512_srai_epi32::<31>(lanes)),
    }
}

/// Converts lanes of `T` from the form in which they are encoded to values.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn from_raw<T: Lane>(raw: __m512i) -> __m512i {
    if T::SIGNED { unzigzag::<T>(raw) } else { raw }
}

/// Converts lanes of `T` from zigzag form to signed numbers.
#[inline]
#[target_feature(enable = "avx512bw")]
pub(super) fn unzigzag<T: Lane>(raw: __m512i) -> __m512i {
    let zero = _mm512_setzero_si512();
    let odd = _mm512_and_si512(
        raw,
        match size_of::<T>() {
            8 => splat::<8>(1),
            4 => splat::<4>(1),
            _ => splat::<2>(1),
        },
    );
    let (half, flip) = match size_of::<T>() {
        8 => (_mm512_srli_epi64::<1>(raw), _mm512_sub_epi64(zero, odd)),
        4 => (_mm512_srli_epi32::<1>(raw), _mm512_sub_epi32(zero, odd)),
        _ => (_mm512_srli_epi16::<1>(raw), _mm512_sub_epi16(zero, odd)),
    };
    _mm512_xor_si512(half, flip)
}
