//! Encoding in blocks of 16 values: what their common bits allow, from narrowing alone to one value
//! at a time.

use core::arch::aarch64::*;

use super::groups::{spread2, spread4};
use super::lanes::{Eight, bits, load8};
use super::tables::{PACK_4, PACK_8, SHAPES, Shape};
use super::window::load16;
use crate::error::Progress;
use crate::scalar::{slice, word};
use crate::simd::lane::Lane;

/// Values in a block.
pub(super) const BLOCK: usize = 16;

#[target_feature(enable = "neon")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut done = Progress::default();
    for block in src.as_chunks::<BLOCK>().0 {
        let [a, b] = block.as_chunks().0 else { break };
        let (low, high) = (load8(a), load8(b));
        let any = bits::<T>(vorrq_u64(low.any, high.any));
        // What the stores below may touch: 16 bytes each at most, from where the last value before
        // ends.
        let need = match any {
            ..0x80 => BLOCK,
            ..0x4000 => 32,
            _ => (BLOCK - 1) * shape(any).len + 16,
        };
        let room = dst.get_mut(done.bytes..)?;
        if room.len() < need {
            break;
        }
        let start = room.as_mut_ptr();
        // SAFETY: `start` is valid for writes of `need` bytes.
        done.bytes += unsafe {
            match any {
                ..0x80 => narrow(start, &low, &high),
                ..0x4000 => {
                    let len = pack8(start, &low);
                    len + pack8(start.add(len), &high)
                }
                _ => [a, b].iter().fold(0, |len, half| len + eight(start.add(len), half)),
            }
        };
        done.values += BLOCK;
    }
    slice::encode(src, dst, done)
}

/// Eight values of any size; the bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of seven encodings as long as the longest of them, and of 16
/// bytes more.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn eight<T: Lane>(dst: *mut u8, values: &[T; 8]) -> usize {
    // Loaded once more: kept from the caller's look at them, they would be in its way wherever they
    // are not needed.
    let Eight { low: [a, b], any } = load8(values);
    // SAFETY: each store begins where the last value before it ends, and is of 16 bytes at most.
    unsafe {
        if bits::<T>(any) < 1 << 28 {
            let len = pack4(dst, a);
            len + pack4(dst.add(len), b)
        } else {
            values.iter().fold(0, |len, &value| len + put(dst.add(len), value))
        }
    }
}

/// Eight values below 2^16, as 16 bits each.
#[target_feature(enable = "neon")]
#[inline]
fn words(eight: &Eight) -> uint16x8_t {
    let [a, b] = eight.low.map(|low| vreinterpretq_u16_u32(low));
    vuzp1q_u16(a, b)
}

/// Sixteen values below 2^7; the bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn narrow(dst: *mut u8, a: &Eight, b: &Eight) -> usize {
    let [a, b] = [a, b].map(|eight| vreinterpretq_u8_u16(words(eight)));
    // SAFETY: the caller's 16 bytes.
    unsafe { vst1q_u8(dst, vuzp1q_u8(a, b)) };
    BLOCK
}

/// Eight values below 2^14; the bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn pack8(dst: *mut u8, eight: &Eight) -> usize {
    let weights = vcombine_u16(vcreate_u16(0x0108_0104_0102_0101), vcreate_u16(0x0180_0140_0120_0110));
    let x = words(eight);
    let short = vcleq_u16(x, vdupq_n_u16(0x7f));
    let bytes = vbslq_u16(short, x, vorrq_u16(spread2(x), vdupq_n_u16(0x80)));
    // The sum of two: the key in its low byte, in the high one the number of bytes left out.
    let sum = vaddvq_u16(vandq_u16(short, weights));
    // SAFETY: the caller's 16 bytes.
    unsafe { pack(dst, vreinterpretq_u8_u16(bytes), &PACK_8[usize::from(sum as u8)]) };
    16 - usize::from(sum >> 8)
}

/// Four values below 2^28; the bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn pack4(dst: *mut u8, values: uint32x4_t) -> usize {
    let weights = vcombine_u32(vcreate_u32(0x0104_0000_0101), vcreate_u32(0x0140_0000_0110));
    let x = spread4(values);
    let zeros = vclzq_u32(vorrq_u32(x, vdupq_n_u32(1)));
    // All bits below the topmost one: of each byte's top bit just those that have a byte in use
    // above them.
    let below = vshlq_u32(vdupq_n_u32(0x7fff_ffff), vnegq_s32(vreinterpretq_s32_u32(zeros)));
    let bytes = vbslq_u32(vdupq_n_u32(word::CONTINUES as u32), below, x);
    // Eight zeros are a byte to leave out. The sum of two: the key in its low byte, their number in
    // the next.
    let sum = vaddvq_u32(vmulq_u32(vshrq_n_u32::<3>(zeros), weights));
    // SAFETY: the caller's 16 bytes.
    unsafe { pack(dst, vreinterpretq_u8_u32(bytes), &PACK_4[usize::from(sum as u8)]) };
    16 - (sum >> 8) as usize
}

/// Stores the bytes that `indices` name, and something behind them.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn pack(dst: *mut u8, bytes: uint8x16_t, indices: &[u8; 16]) {
    // SAFETY: the caller's 16 bytes.
    unsafe { vst1q_u8(dst, vqtbl1q_u8(bytes, load16(indices))) }
}

/// How `wire` is encoded.
#[inline]
fn shape(wire: u64) -> Shape {
    SHAPES[wire.leading_zeros() as usize]
}

/// Any value, without a branch; the bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 10 bytes.
#[inline]
unsafe fn put<T: Lane>(dst: *mut u8, value: T) -> usize {
    let wire = value.to_wire();
    let shape = shape(wire);
    // SAFETY: the caller's 10 bytes.
    unsafe {
        dst.cast::<u64>().write_unaligned(word::spread(wire) | shape.continuation);
        if T::MAX_BYTES > 8 {
            // The ninth byte has bit 63 for its continuation bit; the tenth, if there is one, is 1.
            dst.add(8).cast::<u16>().write_unaligned((wire >> 56) as u16 | 0x100);
        }
    }
    shape.len
}
