//! Encodes blocks of 64-bit values of which some take 9 or 10 bytes: a vector of input becomes two
//! vectors of output. If all take 9 or 10 bytes, a vector has six of them, in slots of ten bytes.

use core::arch::x86_64::*;

use super::super::vector::{BYTES, load, raw_lanes};
use super::groups::{pack, spread, with_continuation};
use super::job::{BLOCK_VALUES, Job, NextLoop, NoSpace};
use crate::scalar::rule::CONTINUE;
use crate::simd::lane::Lane;

/// Encodes a block of any values.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(super) fn some_long<T: Lane>(
    job: &mut Job<'_, T>,
    block: &[T; BLOCK_VALUES],
) -> Result<NextLoop, NoSpace> {
    for values in block.chunks_exact(8) {
        let [(low, low_len), (high, high_len)] = halves(raw_lanes::<T, 8>(values));
        job.put(4, low, low_len)?;
        job.put(4, high, high_len)?;
    }
    Ok(NextLoop::Mixed)
}

/// Returns the encodings of lanes 0 to 3 and of lanes 4 to 7, and their lengths.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn halves(lanes: __m512i) -> [(__m512i, usize); 2] {
    let short = _mm512_testn_epi64_mask(lanes, _mm512_set1_epi64(!0 << 56));
    let low = with_continuation::<8>(spread::<8>(lanes), short);
    // The ninth byte is the top byte of the lane, because bit 63 is its continuation bit. The tenth
    // byte is bit 63.
    let ninth = _mm512_srli_epi64::<56>(lanes);
    let tenth = _mm512_srli_epi64::<{ 63 - 8 }>(lanes);
    // ninth | tenth & 0x100
    let high = _mm512_ternarylogic_epi64::<0xf8>(ninth, tenth, _mm512_set1_epi64(1 << 8));
    // Each value takes 16 bytes: its first 8 bytes, then 8 with the ninth and the tenth.
    let least = _mm512_set4_epi32(0x0101_0101, 0x0101_0101, 0x0101_0101, 0x0101_0100);
    [
        pack(_mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), high), least),
        pack(_mm512_permutex2var_epi64(low, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), high), least),
    ]
}

/// The number of bytes in a slot: the length of the longest encoding.
const SLOT: usize = 10;
/// The number of slots in a vector.
const SLOTS: usize = BYTES / SLOT;

/// Tables that move the bits of values to the bytes of slots.
struct Tables {
    /// For each quadword of slots, the 8 bytes of values that hold its groups.
    gather: [u8; BYTES],
    /// For each byte of slots, the bit of its gathered quadword at which its group begins.
    shift: [u8; BYTES],
    /// For each byte of slots, the bits that belong to its group.
    keep: [u8; BYTES],
    /// For each byte of slots, the bits that are always set.
    set: [u8; BYTES],
    /// For each byte of slots, the least value at which it is kept.
    least: [u8; BYTES],
}

const TABLES: Tables = {
    let mut tables = Tables {
        gather: [0; BYTES],
        shift: [0; BYTES],
        keep: [0; BYTES],
        set: [0; BYTES],
        least: [!0; BYTES],
    };
    let mut gathered = 0;
    let mut byte = 0;
    while byte < SLOTS * SLOT {
        let quad = byte / 8 * 8;
        if byte == quad {
            gathered = 0;
        }
        // Bytes 0 to 7 of a slot have 7 bits each. Byte 8 is the top byte of the value, because bit
        // 63 is its continuation bit. Byte 9 is bit 63, and is kept if that bit is set.
        let (first, last) = match byte % SLOT {
            9 => (63, 63),
            8 => (56, 63),
            group => (7 * group, 7 * group + 6),
        };
        let value = byte / SLOT * 8;
        // The bits are in at most two bytes of the value. The first may have been gathered already.
        if gathered == 0 || tables.gather[quad + gathered - 1] != (value + first / 8) as u8 {
            tables.gather[quad + gathered] = (value + first / 8) as u8;
            gathered += 1;
        }
        tables.shift[byte] = (8 * (gathered - 1) + first % 8) as u8;
        if last / 8 != first / 8 {
            tables.gather[quad + gathered] = (value + last / 8) as u8;
            gathered += 1;
        }
        (tables.keep[byte], tables.set[byte], tables.least[byte]) = match byte % SLOT {
            9 => (1, 0, 1),
            8 => (!0, 0, 0),
            _ => (!CONTINUE, CONTINUE, 0),
        };
        byte += 1;
    }
    tables
};

/// Returns whether all values take 9 or 10 bytes.
#[inline]
#[target_feature(enable = "avx512bw,bmi2")]
pub(super) fn is_all_long<T: Lane>(block: &[T; BLOCK_VALUES]) -> bool {
    // The minimum of each byte. The top byte of a shorter value is zero.
    let mut least = _mm512_set1_epi8(!0);
    for values in block.chunks_exact(8) {
        least = _mm512_min_epu8(least, raw_lanes::<T, 8>(values));
    }
    _mm512_testn_epi64_mask(least, _mm512_set1_epi64(!0 << 56)) == 0
}

/// Encodes the values of the block that fill whole vectors.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(super) fn all_long<T: Lane>(
    job: &mut Job<'_, T>,
    block: &[T; BLOCK_VALUES],
) -> Result<NextLoop, NoSpace> {
    for vector in 0..BLOCK_VALUES / SLOTS {
        let values = raw_lanes::<T, 8>(&block[vector * SLOTS..][..8]);
        let groups = _mm512_permutexvar_epi8(load(&TABLES.gather), values);
        let groups = _mm512_multishift_epi64_epi8(load(&TABLES.shift), groups);
        // groups & keep | set
        let bytes = _mm512_ternarylogic_epi64::<0xf8>(load(&TABLES.set), groups, load(&TABLES.keep));
        let (bytes, len) = pack(bytes, load(&TABLES.least));
        job.put(SLOTS, bytes, len)?;
    }
    Ok(NextLoop::Mixed)
}
