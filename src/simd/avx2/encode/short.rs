//! Encodes blocks of values of one to four bytes.

use core::arch::x86_64::*;

use super::super::block::{BLOCK_VALUES, halves};
use super::super::tables::{PACK_DWORDS, PACKED_DWORDS_LEN};
use crate::simd::shuffles::PACK_WORDS;

/// Encodes words below 2^7.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2")]
pub(super) fn one_byte_each(words: __m256i, dst: &mut [u8; BLOCK_VALUES]) -> usize {
    let [low, high] = halves(words);
    store_16(_mm_packus_epi16(low, high), dst, 0);
    BLOCK_VALUES
}

/// Encodes words below 2^14.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn up_to_two_bytes_each(words: __m256i, dst: &mut [u8; 2 * BLOCK_VALUES]) -> usize {
    let two = _mm256_cmpgt_epi16(words, _mm256_set1_epi16(0x7f));
    let continues = _mm256_and_si256(two, _mm256_set1_epi16(0x80));
    let encoded = _mm256_or_si256(spread_words(words), continues);
    // Bits 0 to 7 are the mask of the low half, and bits 16 to 23 that of the high half.
    let masks = _mm256_movemask_epi8(_mm256_packs_epi16(two, _mm256_setzero_si256()));
    let [low, high] = [masks as u8, (masks >> 16) as u8];
    if low & high == 0xff {
        store_32(encoded, dst, 0);
        return 2 * BLOCK_VALUES;
    }
    let packed = _mm256_shuffle_epi8(encoded, load_rows(&PACK_WORDS.0, low, high));
    let [first, second] = halves(packed);
    let middle = 8 + low.count_ones() as usize;
    store_16(first, dst, 0);
    store_16(second, dst, middle);
    middle + 8 + high.count_ones() as usize
}

/// Encodes dwords below 2^28.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,bmi2")]
pub(super) fn up_to_four_bytes_each(dwords: [__m256i; 2], dst: &mut [u8; 4 * BLOCK_VALUES]) -> usize {
    let [first, second] = dwords.map(|dwords| _mm256_cmpgt_epi32(dwords, _mm256_set1_epi32(0x1f_ffff)));
    if _mm256_movemask_epi8(_mm256_and_si256(first, second)) == -1 {
        for (half, dwords) in dwords.into_iter().enumerate() {
            let groups = spread_words(spread_dwords(dwords));
            store_32(_mm256_or_si256(groups, _mm256_set1_epi32(0x0080_8080)), dst, 32 * half);
        }
        return 4 * BLOCK_VALUES;
    }
    let [first, second] = dwords;
    let middle = pack_eight(first, dst, 0);
    pack_eight(second, dst, middle)
}

/// Encodes eight dwords below 2^28 to `dst[at..]`, which has 32 bytes, and returns the end.
// With the C calling convention the proof knows that they are in a register.
#[allow(improper_ctypes_definitions)] // called from Rust alone
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,bmi2")]
extern "C" fn pack_eight<const N: usize>(dwords: __m256i, dst: &mut [u8; N], at: usize) -> usize {
    let groups = spread_words(spread_dwords(dwords));
    // Each byte is all ones if it or a byte above it is not zero.
    let used = _mm256_cmpgt_epi8(groups, _mm256_setzero_si256());
    let used = _mm256_or_si256(used, _mm256_srli_epi32::<8>(used));
    let used = _mm256_or_si256(used, _mm256_srli_epi32::<16>(used));
    let continues = _mm256_and_si256(_mm256_srli_epi32::<8>(used), _mm256_set1_epi32(0x0080_8080));
    let encoded = _mm256_or_si256(groups, continues);
    // Byte 1 of each dword is now set for lengths two and three, and byte 2 for lengths three
    // and four.
    let codes = _mm256_xor_si256(used, _mm256_srli_epi32::<16>(used));
    let codes = _pext_u32(_mm256_movemask_epi8(codes) as u32, 0x6666_6666);
    let [low, high] = [codes as u8, (codes >> 8) as u8];
    let packed = _mm256_shuffle_epi8(encoded, load_rows(&PACK_DWORDS.0, low, high));
    let [first, second] = halves(packed);
    let middle = at + usize::from(PACKED_DWORDS_LEN[usize::from(low)]);
    store_16(first, dst, at);
    store_16(second, dst, middle);
    middle + usize::from(PACKED_DWORDS_LEN[usize::from(high)])
}

/// Spreads dwords below 2^28 to two words of 14 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_dwords(dwords: __m256i) -> __m256i {
    const ODD_WORDS: i32 = 0b1010_1010;
    let spread = _mm256_blend_epi16::<ODD_WORDS>(dwords, _mm256_slli_epi32::<2>(dwords));
    _mm256_and_si256(spread, _mm256_set1_epi16(0x3fff))
}

/// Spreads words below 2^14 to two bytes of 7 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_words(words: __m256i) -> __m256i {
    _mm256_add_epi16(words, _mm256_and_si256(words, _mm256_set1_epi16(0x3f80)))
}

/// Loads two rows of a table, one to each half.
#[inline]
#[target_feature(enable = "avx2")]
fn load_rows(table: &[[u8; 16]; 256], low: u8, high: u8) -> __m256i {
    let [low, high] = [low, high].map(|row| table[usize::from(row)].as_ptr().cast());
    // SAFETY: each load reads a row of 16 bytes.
    unsafe { _mm256_loadu2_m128i(high, low) }
}

/// Writes 16 bytes to `dst[at..]`.
#[inline]
#[target_feature(enable = "avx2")]
fn store_16<const N: usize>(bytes: __m128i, dst: &mut [u8; N], at: usize) {
    let to = &mut dst[at..at + 16];
    // SAFETY: `to` is 16 bytes long.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bytes) }
}

/// Writes 32 bytes to `dst[at..]`.
#[inline]
#[target_feature(enable = "avx2")]
fn store_32<const N: usize>(bytes: __m256i, dst: &mut [u8; N], at: usize) {
    let to = &mut dst[at..at + 32];
    // SAFETY: `to` is 32 bytes long.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) }
}
