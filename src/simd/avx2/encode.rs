//! Encoding in blocks of 16 values, by what the longest of them takes.

use core::arch::x86_64::*;

use super::lanes::{BLOCK, Block, Lane, below, halves};
use super::tables::{BY_LEADING_ZEROS, PACK_DWORDS, PACK_WORDS, PACKED_DWORDS_LEN};
use crate::error::Progress;
use crate::scalar::slice;

/// Values that are taken one by one after a block that needs it: mixed data stays mixed.
const RUN: usize = 32 * BLOCK;
/// The longest encoding.
const LONGEST: usize = 10;
/// Slices shorter than this are faster by the scalar loop.
const WORTHWHILE: usize = 4;

/// The 7 value bits of each byte.
const GROUPS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// All of `src`, or `None` where `dst` is too short.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    if src.len() < WORTHWHILE {
        return slice::encode(src, dst, Progress::default());
    }
    let mut at = Progress::default();
    while let Some(done) = step(&src[at.values..], dst.get_mut(at.bytes..)?) {
        at = Progress { values: at.values + done.values, bytes: at.bytes + done.bytes };
    }
    // Near the end of `dst`, in a buffer of our own.
    for values in src[at.values..].chunks(BLOCK) {
        let mut buffer = [0; LONGEST * BLOCK];
        let bytes = one_by_one(values, &mut buffer).bytes;
        dst.get_mut(at.bytes..)?.get_mut(..bytes)?.copy_from_slice(&buffer[..bytes]);
        at.bytes += bytes;
    }
    Some(at.bytes)
}

/// Encodes the next few values; `None` where there are none, or no room for the longest of their kind.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn step<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<Progress> {
    let Some(values) = src.first_chunk::<BLOCK>() else {
        return some(one_by_one(src, dst));
    };
    let block = Block::load(values);
    let any = block.any();
    let bytes = if below::<T>(any, 14) {
        let words = block.to_words::<T>();
        if below::<T>(any, 7) {
            one_byte_each(words, dst.first_chunk_mut()?)
        } else {
            up_to_two_bytes(words, dst.first_chunk_mut()?)
        }
    } else if below::<T>(any, 28) {
        up_to_four_bytes(block.to_dwords::<T>(), dst.first_chunk_mut()?)
    } else {
        return some(if size_of::<T>() == 8 && is_uniform(src) {
            uniform(src, dst)
        } else {
            one_by_one(&src[..src.len().min(RUN)], dst)
        });
    };
    Some(Progress { values: BLOCK, bytes })
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_uniform<T: Lane>(src: &[T]) -> bool {
    let Some(values) = src.first_chunk::<BLOCK>() else { return false };
    let block = Block::load(values);
    let zeros = unsafe { core::ptr::read_volatile(&values[0]) }.to_wire().leading_zeros() as usize;
    let len = BY_LEADING_ZEROS.len[zeros];
    block.all_from(1 << (7 * (len - 1))) && (len == 10 || below::<T>(block.any(), 7 * len as u32))
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn uniform<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
    match src[0].to_wire().leading_zeros() {
        0 => uniform_of::<T, 10>(src, dst),
        1..=7 => uniform_of::<T, 9>(src, dst),
        8..=14 => uniform_of::<T, 8>(src, dst),
        15..=21 => uniform_of::<T, 7>(src, dst),
        22..=28 => uniform_of::<T, 6>(src, dst),
        29..=35 => uniform_of::<T, 5>(src, dst),
        _ => Progress::default(),
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn uniform_of<T: Lane, const LEN: usize>(src: &[T], dst: &mut [u8]) -> Progress {
    let continues = BY_LEADING_ZEROS.continues[(70 - 7 * LEN).max(6) - 6];
    let mut blocks = 0;
    for (block, room) in src.as_chunks::<BLOCK>().0.iter().zip(dst.chunks_exact_mut(LEN * BLOCK)) {
        let lanes = Block::load(block);
        if LEN < 10 && !below::<T>(lanes.any(), 7 * LEN as u32) || !lanes.all_from(1 << (7 * (LEN - 1))) {
            break;
        }
        for (k, value) in block.iter().enumerate() {
            let wire = unsafe { core::ptr::read_volatile(value) }.to_wire();
            let x = _pdep_u64(wire, GROUPS) | continues;
            if LEN < 8 && k < 15 || LEN >= 8 {
                unsafe { room.as_mut_ptr().add(k * LEN).cast::<u64>().write_unaligned(x) };
            } else {
                room[k * LEN..].copy_from_slice(&x.to_le_bytes()[..LEN]);
            }
            if LEN == 9 {
                room[k * LEN + 8] = (wire >> 56) as u8;
            }
            if LEN == 10 {
                room[k * LEN + 8..][..2].copy_from_slice(&((wire >> 56) as u16 | 0x100).to_le_bytes());
            }
        }
        blocks += 1;
    }
    Progress { values: blocks * BLOCK, bytes: blocks * BLOCK * LEN }
}

fn some(done: Progress) -> Option<Progress> {
    (done.values > 0).then_some(done)
}

#[inline]
#[target_feature(enable = "avx2")]
fn one_byte_each(words: __m256i, dst: &mut [u8; BLOCK]) -> usize {
    let [low, high] = halves(words);
    store(_mm_packus_epi16(low, high), dst, 0);
    BLOCK
}

/// Words below 2^14.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn up_to_two_bytes(words: __m256i, dst: &mut [u8; 2 * BLOCK]) -> usize {
    let two = _mm256_cmpgt_epi16(words, _mm256_set1_epi16(0x7f));
    let continues = _mm256_and_si256(two, _mm256_set1_epi16(0x80));
    let encoded = _mm256_or_si256(spread_words(words), continues);
    // The mask of the low half in bits 0 to 7, that of the high half in bits 16 to 23.
    let mask = _mm256_movemask_epi8(_mm256_packs_epi16(two, _mm256_setzero_si256()));
    let [mask_low, mask_high] = [mask as u8, (mask >> 16) as u8];
    let index = join(&PACK_WORDS.0[usize::from(mask_low)], &PACK_WORDS.0[usize::from(mask_high)]);
    let [low, high] = halves(_mm256_shuffle_epi8(encoded, index));
    let middle = 8 + mask_low.count_ones() as usize;
    store(low, dst, 0);
    store(high, dst, middle);
    middle + 8 + mask_high.count_ones() as usize
}

/// Dwords below 2^28.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn up_to_four_bytes(dwords: [__m256i; 2], dst: &mut [u8; 4 * BLOCK]) -> usize {
    let mut at = 0;
    for dwords in dwords {
        let groups = spread_words(spread_dwords(dwords));
        // In each byte: does a bit of it or of one above it stand?
        let used = _mm256_cmpgt_epi8(groups, _mm256_setzero_si256());
        let used = _mm256_or_si256(used, _mm256_srli_epi32::<8>(used));
        let used = _mm256_or_si256(used, _mm256_srli_epi32::<16>(used));
        let continues = _mm256_and_si256(_mm256_srli_epi32::<8>(used), _mm256_set1_epi32(0x0080_8080));
        let encoded = _mm256_or_si256(groups, continues);
        let codes = _mm256_xor_si256(used, _mm256_srli_epi32::<16>(used));
        let codes = _pext_u32(_mm256_movemask_epi8(codes) as u32, 0x6666_6666);
        let [codes_low, codes_high] = [codes as u8, (codes >> 8) as u8].map(usize::from);
        let index = join(&PACK_DWORDS.0[codes_low], &PACK_DWORDS.0[codes_high]);
        let [low, high] = halves(_mm256_shuffle_epi8(encoded, index));
        store(low, dst, at);
        at += usize::from(PACKED_DWORDS_LEN[codes_low]);
        store(high, dst, at);
        at += usize::from(PACKED_DWORDS_LEN[codes_high]);
    }
    at
}

/// Dwords below 2^28 as two words of 14 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_dwords(dwords: __m256i) -> __m256i {
    const ODD_WORDS: i32 = 0b1010_1010;
    let spread = _mm256_blend_epi16::<ODD_WORDS>(dwords, _mm256_slli_epi32::<2>(dwords));
    _mm256_and_si256(spread, _mm256_set1_epi16(0x3fff))
}

/// Words below 2^14 as two bytes of 7 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_words(words: __m256i) -> __m256i {
    _mm256_add_epi16(words, _mm256_and_si256(words, _mm256_set1_epi16(0x3f80)))
}

/// Values of any length, without a branch; as many as surely fit.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn one_by_one<T: Lane>(src: &[T], dst: &mut [u8]) -> Progress {
    let values = src.len().min(dst.len() / LONGEST);
    let mut at = 0;
    for value in &src[..values] {
        let wire = value.to_wire();
        let zeros = wire.leading_zeros() as usize;
        let first_eight = _pdep_u64(wire, GROUPS) | BY_LEADING_ZEROS.continues[zeros];
        // SAFETY: `at` is at most ten for each value before, so ten bytes from it are within `dst`.
        unsafe {
            let to = dst.as_mut_ptr().add(at);
            to.cast::<u64>().write_unaligned(first_eight.to_le());
            if T::MAX_LEN > 8 {
                // Bit 63 is the continuation bit of the ninth byte, and all that a tenth can say.
                to.add(8).cast::<u16>().write_unaligned(((wire >> 56) as u16 | 0x100).to_le());
            }
        }
        at += usize::from(BY_LEADING_ZEROS.len[zeros]);
    }
    Progress { values, bytes: at }
}

#[inline]
#[target_feature(enable = "avx2")]
fn join(low: &[u8; 16], high: &[u8; 16]) -> __m256i {
    // SAFETY: each load reads an array of 16 bytes.
    unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) }
}

/// Writes 16 bytes at `at`.
#[inline]
#[target_feature(enable = "avx2")]
fn store<const N: usize>(bytes: __m128i, dst: &mut [u8; N], at: usize) {
    let to = &mut dst[at..at + 16];
    // SAFETY: `to` is 16 bytes long.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bytes) }
}
