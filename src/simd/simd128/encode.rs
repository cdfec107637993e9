//! Encodes blocks of 16 values. The OR of the values decides how: from narrowing alone to one value
//! at a time.

use core::arch::wasm32::*;

use super::groups::{spread2, spread4};
use super::lanes::{Eight, bytes};
use super::window::load16;
use crate::error::Progress;
use crate::scalar::word;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;
use crate::simd::scalar;
use crate::simd::vector128::tables::{PACK_4, PACK_8, SHAPES};

/// The number of values in a block.
pub(super) const BLOCK: usize = 16;

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut done = Progress::default();
    for block in as_chunks::<_, BLOCK>(src).0 {
        let [a, b] = as_chunks(block).0 else { break };
        let (low, high) = (Eight::load(a), Eight::load(b));
        let any = low.any::<T>(&high);
        // The number of bytes that the stores below may write. Each store writes at most 16, from
        // the end of the value before it on.
        let need = match any {
            ..0x80 => BLOCK,
            0x80..0x4000 => 32,
            _ => (BLOCK - 1) * SHAPES[any.leading_zeros() as usize].len + 16,
        };
        let space = dst.get_mut(done.bytes..)?;
        if space.len() < need {
            break;
        }
        let start = space.as_mut_ptr();
        // SAFETY: `start` is valid for writes of `need` bytes.
        done.bytes += unsafe {
            match any {
                ..0x80 => {
                    v128_store(start.cast(), bytes::<T>(&low, &high));
                    BLOCK
                }
                0x80..0x4000 => {
                    let len = pack8(start, low.words::<T>());
                    len + pack8(start.add(len), high.words::<T>())
                }
                _ => [a, b].iter().fold(0, |len, half| len + eight(start.add(len), half)),
            }
        };
        done.values += BLOCK;
    }
    scalar::encode(src, dst, done)
}

/// Encodes eight values of any size, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of seven encodings as long as the longest of them, and of 16
/// bytes more.
#[inline]
unsafe fn eight<T: Lane>(dst: *mut u8, values: &[T; 8]) -> usize {
    // Loaded again: if the caller kept these values in registers, its faster cases would pay for
    // them.
    let loaded = Eight::load(values);
    // SAFETY: each store begins at the end of the value before it, and writes at most 16 bytes.
    unsafe {
        if loaded.any::<T>(&loaded) < 1 << 28 {
            pack4_twice(dst, loaded.dwords::<T>())
        } else {
            values.iter().fold(0, |len, &value| len + put(dst.add(len), value))
        }
    }
}

/// Encodes eight values below 2^14, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[inline]
unsafe fn pack8(dst: *mut u8, x: v128) -> usize {
    let short = i16x8_lt(x, i16x8_splat(0x80));
    let bytes = v128_or(spread2(x), v128_andnot(i16x8_splat(0x80), short));
    let key = i16x8_bitmask(short);
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { pack(dst, bytes, &PACK_8[usize::from(key)]) };
    16 - key.count_ones() as usize
}

/// Encodes eight values below 2^28, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of four encodings as long as the longest of them, and of 16 bytes
/// more.
#[inline]
unsafe fn pack4_twice(dst: *mut u8, [a, b]: [v128; 2]) -> usize {
    let ((a, a_unused), (b, b_unused)) = (spread_and_unused(a), spread_and_unused(b));
    // One sum computes two numbers for each vector: the key in the low byte, and the number of
    // unused bytes in the next one.
    let weights = i16x8(-0x101, -0x104, -0x110, -0x140, -0x101, -0x104, -0x110, -0x140);
    let sums = i32x4_dot_i16x8(i16x8_narrow_i32x4(a_unused, b_unused), weights);
    let sum = |halves: u64| (halves + (halves >> 32)) as u32;
    let (a_sum, b_sum) = (sum(u64x2_extract_lane::<0>(sums)), sum(u64x2_extract_lane::<1>(sums)));
    let a_len = 16 - (a_sum >> 8) as usize;
    // SAFETY: the caller ensures that 16 bytes can be written, and 16 more after `a_len`, the length
    // of four encodings.
    unsafe {
        pack(dst, a, &PACK_4[usize::from(a_sum as u8)]);
        pack(dst.add(a_len), b, &PACK_4[usize::from(b_sum as u8)]);
    }
    a_len + 16 - (b_sum >> 8) as usize
}

/// Returns the bytes of four values below 2^28, with continuation bits, and minus the number of
/// unused bytes of each.
#[inline(always)]
fn spread_and_unused(x: v128) -> (v128, v128) {
    let [one, two, three] = [1 << 7, 1 << 14, 1 << 21].map(|longer| i32x4_lt(x, i32x4_splat(longer)));
    let [first, second, third] = [(0x80, one), (0x8000, two), (0x80_0000, three)]
        .map(|(continuation, short)| v128_andnot(i32x4_splat(continuation), short));
    let bytes = v128_or(v128_or(spread4(x), first), v128_or(second, third));
    // Each comparison that is true adds -1.
    (bytes, i32x4_add(i32x4_add(one, two), three))
}

/// Stores the bytes that `indices` select. The other bytes of the 16 are zero.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[inline]
unsafe fn pack(dst: *mut u8, bytes: v128, indices: &[u8; 16]) {
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { v128_store(dst.cast(), u8x16_swizzle(bytes, load16(indices))) }
}

/// Encodes any value, without a branch, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 10 bytes.
#[inline]
unsafe fn put<T: Lane>(dst: *mut u8, value: T) -> usize {
    let wire = value.to_wire();
    let shape = SHAPES[wire.leading_zeros() as usize];
    // SAFETY: the caller ensures that 10 bytes can be written.
    unsafe {
        dst.cast::<u64>().write_unaligned(word::spread(wire) | shape.continuation);
        if T::MAX_BYTES > 8 {
            // Bit 63 is the continuation bit of the ninth byte. A tenth byte is 1.
            dst.add(8).cast::<u16>().write_unaligned((wire >> 56) as u16 | 0x100);
        }
    }
    shape.len
}
