//! Encodes blocks of 16 values. The OR of the values decides how: from narrowing alone to one value
//! at a time.

use core::arch::aarch64::*;

use super::groups::{spread2, spread4};
use super::lanes::{Eight, bits, load8};
use super::window::load16;
use crate::error::Progress;
use crate::scalar::word;
use crate::simd::arrays::as_chunks;
use crate::simd::lane::Lane;
use crate::simd::scalar;
use crate::simd::vector128::tables::{PACK_4, PACK_8, SHAPES, Shape};

/// The number of values in a block.
pub(super) const BLOCK: usize = 16;

/// Encodes all of `src` and returns the number of bytes used, or `None` if `dst` is too small.
#[target_feature(enable = "neon")]
pub(super) fn encode<T: Lane>(src: &[T], dst: &mut [u8]) -> Option<usize> {
    let mut done = Progress::default();
    for block in as_chunks::<_, BLOCK>(src).0 {
        let [a, b] = as_chunks(block).0 else { break };
        let (low, high) = (load8(a), load8(b));
        let any = bits::<T>(vorrq_u64(low.any, high.any));
        // The number of bytes that the stores below may write. Each store writes at most 16, from
        // the end of the value before it on.
        let need = match any {
            ..0x80 => BLOCK,
            ..0x4000 => 32,
            _ => (BLOCK - 1) * shape(any).len + 16,
        };
        let space = dst.get_mut(done.bytes..)?;
        if space.len() < need {
            break;
        }
        let start = space.as_mut_ptr();
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
    scalar::encode(src, dst, done)
}

/// Encodes eight values of any size, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of seven encodings as long as the longest of them, and of 16
/// bytes more.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn eight<T: Lane>(dst: *mut u8, values: &[T; 8]) -> usize {
    // Loaded again: if the caller kept these values in registers, its faster cases would pay for
    // them.
    let Eight { low: [a, b], any } = load8(values);
    // SAFETY: each store begins at the end of the value before it, and writes at most 16 bytes.
    unsafe {
        if bits::<T>(any) < 1 << 28 {
            let len = pack4(dst, a);
            len + pack4(dst.add(len), b)
        } else {
            values.iter().fold(0, |len, &value| len + put(dst.add(len), value))
        }
    }
}

/// Returns eight values below 2^16, in 16 bits each.
#[target_feature(enable = "neon")]
#[inline]
fn words(eight: &Eight) -> uint16x8_t {
    let [a, b] = eight.low.map(|low| vreinterpretq_u16_u32(low));
    vuzp1q_u16(a, b)
}

/// Encodes sixteen values below 2^7, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn narrow(dst: *mut u8, a: &Eight, b: &Eight) -> usize {
    let [a, b] = [a, b].map(|eight| vreinterpretq_u8_u16(words(eight)));
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { vst1q_u8(dst, vuzp1q_u8(a, b)) };
    BLOCK
}

/// Encodes eight values below 2^14, and returns the number of bytes used.
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
    // One sum computes two numbers: the key in the low byte, and the number of unused bytes in the
    // high byte.
    let sum = vaddvq_u16(vandq_u16(short, weights));
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { pack(dst, vreinterpretq_u8_u16(bytes), &PACK_8[usize::from(sum as u8)]) };
    16 - usize::from(sum >> 8)
}

/// Encodes four values below 2^28, and returns the number of bytes used.
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
    // All bits below the topmost one. The top bit of a byte is among them if a byte above it is in
    // use.
    let below = vshlq_u32(vdupq_n_u32(0x7fff_ffff), vnegq_s32(vreinterpretq_s32_u32(zeros)));
    let bytes = vbslq_u32(vdupq_n_u32(word::CONTINUES as u32), below, x);
    // Each eight leading zeros are an unused byte. One sum computes two numbers: the key in the low
    // byte, and the number of unused bytes in the next one.
    let sum = vaddvq_u32(vmulq_u32(vshrq_n_u32::<3>(zeros), weights));
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { pack(dst, vreinterpretq_u8_u32(bytes), &PACK_4[usize::from(sum as u8)]) };
    16 - (sum >> 8) as usize
}

/// Stores the bytes that `indices` select. The other bytes of the 16 are zero.
///
/// # Safety
///
/// `dst` must be valid for writes of 16 bytes.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn pack(dst: *mut u8, bytes: uint8x16_t, indices: &[u8; 16]) {
    // SAFETY: the caller ensures that 16 bytes can be written.
    unsafe { vst1q_u8(dst, vqtbl1q_u8(bytes, load16(indices))) }
}

/// Returns the length and the continuation bits of the encoding of `wire`.
#[inline]
fn shape(wire: u64) -> Shape {
    SHAPES[wire.leading_zeros() as usize]
}

/// Encodes any value, without a branch, and returns the number of bytes used.
///
/// # Safety
///
/// `dst` must be valid for writes of 10 bytes.
#[inline]
unsafe fn put<T: Lane>(dst: *mut u8, value: T) -> usize {
    let wire = value.to_wire();
    let shape = shape(wire);
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
