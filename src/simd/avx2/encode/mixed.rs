//! Encodes values of mixed lengths, without a branch on the length.
//!
//! A CPU of the kind that this was measured on (Zen 4) moves two operands from or to memory in a cycle
//! and executes about five instructions. `pdep::one_by_one` is limited by the five operands in memory for
//! each value: three loads and two stores. Here a value takes one store. One half of the values takes its
//! continuation bits from a table, which costs a load, and the other half from a carry, which costs
//! instructions; either way alone for all values takes 1.07 to 1.1 times as long.
//!
//! What did not pay: packing eight values where all are below 2^28 (1.07 times as long on new values
//! of which 2 % are longer and 1.6 times with 5 %, because the branch is mispredicted); four values by
//! `pdep` and four by the carry (1.15 times); lengths by the population count of the continuation bits
//! (1.2 times); the lengths of signed values from a vector that was just stored (1.2 times).

use core::arch::x86_64::*;

use super::super::block::halves;
use super::pdep::{BY_LEADING_ZEROS, one_by_one};
use crate::error::Progress;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;

/// The length of the longest encoding.
pub(super) const LONGEST: usize = 10;
/// The number of bytes written for a value, which is more than its encoding has.
pub(super) const WRITTEN: usize = 16;
/// The number of signed values that are converted at a time.
const CHUNK: usize = 64;

/// Encodes values while `dst` has space even if they have the longest encoding, but may leave up to
/// seven values at the end.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(super) fn mixed<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
    let short = src.len() < 8 || dst.len() < 8 * LONGEST + WRITTEN;
    if short || !T::SIGNED && T::MAX_BYTES < LONGEST {
        return one_by_one(src, dst);
    }
    if !T::SIGNED {
        // SAFETY: a `Lane` without a sign and with encodings of ten bytes is `u64`.
        return eights(unsafe { core::slice::from_raw_parts(src.as_ptr().cast(), src.len()) }, dst);
    }
    let mut at = Progress::default();
    let mut wire = [0; CHUNK];
    for values in src.chunks(CHUNK) {
        convert(values, &mut wire);
        let done = eights(&wire[..values.len()], &mut dst[at.bytes..]);
        at = at.then(done);
        if done.values < values.len() {
            break;
        }
    }
    at
}

/// Writes the values as they are encoded.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2")]
fn convert<T: Lane>(values: &[T], wire: &mut [u64; CHUNK]) {
    for (wire, value) in wire.iter_mut().zip(values) {
        *wire = value.to_wire();
    }
}

/// Encodes the number of values, in groups of eight, that fit even if all have the longest encoding.
#[inline(never)]
#[target_feature(enable = "avx2,lzcnt")]
fn eights(src: &[u64], dst: &mut [u8]) -> Progress {
    let values = src.len().min(dst.len().saturating_sub(WRITTEN - LONGEST) / LONGEST) / 8 * 8;
    let mut bytes = 0;
    for eight in as_chunks::<_, 8>(&src[..values]).0 {
        let (fours, _) = as_chunks(eight);
        // SAFETY: `dst` has `LONGEST` bytes for each value and `WRITTEN - LONGEST` more, and each
        // of the values before has taken at most `LONGEST`.
        unsafe {
            bytes += encode_four::<true>(&fours[0], dst.as_mut_ptr().add(bytes));
            bytes += encode_four::<false>(&fours[1], dst.as_mut_ptr().add(bytes));
        }
    }
    Progress { values, bytes }
}

/// Encodes four values and returns the number of bytes used.
///
/// # Safety
///
/// `3 * LONGEST + WRITTEN` bytes can be written to `to`.
#[cfg_attr(not(proof_steps), inline)]
#[cfg_attr(proof_steps, inline(never))]
#[target_feature(enable = "avx2,lzcnt")]
unsafe fn encode_four<const TABLE: bool>(values: &[u64; 4], to: *mut u8) -> usize {
    // SAFETY: the values have 32 bytes.
    let lanes = unsafe { _mm256_loadu_si256(values.as_ptr().cast()) };
    let zeros = values.each_ref().map(|value| {
        // SAFETY: the pointer comes from a reference. The read is volatile because the compiler would
        // otherwise extract the value from the vector, which is slower than a load.
        unsafe { core::ptr::from_ref(value).read_volatile() }.leading_zeros() as usize
    });
    let encoded = if TABLE { continue_by_table(lanes, zeros) } else { continue_by_carry(lanes) };
    let [a, b, c, d] = zeros.map(|zeros| usize::from(BY_LEADING_ZEROS.len[zeros]));
    for (encoded, start) in encoded.into_iter().zip([0, a, a + b, a + b + c]) {
        // SAFETY: each of the values before has taken at most `LONGEST` bytes.
        unsafe { _mm_storeu_si128(to.add(start).cast(), encoded) };
    }
    a + b + c + d
}

/// Encodes four values with the given numbers of leading zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn continue_by_table(values: __m256i, zeros: [usize; 4]) -> [__m128i; 4] {
    // The 16 bytes at an entry of the table include the next entry. That one begins with two
    // continuation bits if the value takes nine or ten bytes, so these are flipped here.
    let last = _mm256_xor_si256(_mm256_srli_epi64::<56>(values), _mm256_set1_epi64x(0x8180));
    let mut encoded = interleave(spread(values), last);
    for (encoded, zeros) in encoded.iter_mut().zip(zeros) {
        let two = &BY_LEADING_ZEROS.continues[zeros..zeros + 2];
        // SAFETY: `two` is 16 bytes long.
        *encoded = _mm_xor_si128(*encoded, unsafe { _mm_loadu_si128(two.as_ptr().cast()) });
    }
    encoded
}

/// Does the same as `continue_by_table`, with more instructions and fewer loads.
#[inline]
#[target_feature(enable = "avx2")]
fn continue_by_carry(values: __m256i) -> [__m128i; 4] {
    let groups = spread(values);
    let last = _mm256_srli_epi64::<56>(values);
    // Byte k of a value continues if a group after k is not zero. In reversed order, the carry of an
    // addition runs through the groups that are zero, from the last one on.
    let reverse =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    let after =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, 7, 6, 5, 4, 3, 2, 1, -1, 15, 14, 13, 12, 11, 10, 9));
    let after = _mm256_or_si256(_mm256_shuffle_epi8(groups, after), last);
    let zero = _mm256_cmpeq_epi8(after, _mm256_setzero_si256());
    let ends = _mm256_xor_si256(zero, _mm256_sub_epi64(zero, _mm256_set1_epi64x(-1)));
    let continues = _mm256_andnot_si256(_mm256_shuffle_epi8(ends, reverse), _mm256_set1_epi8(-128));
    interleave(_mm256_or_si256(groups, continues), _mm256_or_si256(last, _mm256_set1_epi64x(0x100)))
}

/// Spreads the low 56 bits of each value to eight bytes of 7 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn spread(values: __m256i) -> __m256i {
    // The upper dword begins with bit 28, and each upper word with bit 14 of its dword. The bits
    // above are cleared in the end.
    let dwords = _mm256_blend_epi32::<0b1010_1010>(values, _mm256_slli_epi64::<4>(values));
    let words = _mm256_blend_epi16::<0b1010_1010>(dwords, _mm256_slli_epi32::<2>(dwords));
    let upper = _mm256_and_si256(words, _mm256_set1_epi16(0x3f80));
    _mm256_add_epi16(_mm256_and_si256(words, _mm256_set1_epi16(0x3fff)), upper)
}

/// Joins the first eight bytes of each value with its last ones.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn interleave(first: __m256i, last: __m256i) -> [__m128i; 4] {
    let [a, c] = halves(_mm256_unpacklo_epi64(first, last));
    let [b, d] = halves(_mm256_unpackhi_epi64(first, last));
    [a, b, c, d]
}
