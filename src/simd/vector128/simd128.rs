//! The SIMD128 kernel, for WebAssembly. A module that contains one of these instructions runs only
//! where all of them exist, so nothing is queried: the kernel is compiled if the target features of
//! the compilation have them (`-C target-feature=+simd128`). Only the target architecture `wasm32`
//! has stable intrinsics.

use core::arch::wasm32::*;

use super::machine::{Machine, Packing, operations};
use super::{decode, encode};
use crate::simd::scalar;
use crate::simd::slices::slices;

/// The SIMD128 kernel, which every machine supports that runs the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Simd128;

slices!(Simd128 "simd128" scalar {
    encode(src, dst) => encode::encode(Simd128, src, dst),
    decode(self, src, dst, canonical) => decode::decode(Simd128, src, dst, canonical),
});

impl Machine for Simd128 {
    type V = v128;

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> v128 {
        // SAFETY: the caller ensures that 16 bytes can be read.
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, x: v128) {
        // SAFETY: the caller ensures that 16 bytes can be written.
        unsafe { v128_store(to.cast(), x) }
    }

    #[inline(always)]
    unsafe fn store_low(self, to: *mut u8, x: v128) {
        // SAFETY: the caller ensures that 8 bytes can be written.
        unsafe { v128_store64_lane::<0>(x, to.cast()) }
    }

    operations! {
        splat(x: u64) -> v128 = u64x2_splat(x);
        halves(x: v128) -> [u64; 2] = [u64x2_extract_lane::<0>(x), u64x2_extract_lane::<1>(x)];
        and(a: v128, b: v128) -> v128 = v128_and(a, b);
        or(a: v128, b: v128) -> v128 = v128_or(a, b);
        and_not(a: v128, b: v128) -> v128 = v128_andnot(a, b);
        minus_one32(x: v128) -> v128 = i32x4_sub(x, i32x4_splat(1));
        minus_one64(x: v128) -> v128 = i64x2_sub(x, i64x2_splat(1));
        is_zero64(x: v128) -> v128 = i64x2_eq(x, i64x2_splat(0));
        equal8(x: v128, byte: u8) -> v128 = u8x16_eq(x, u8x16_splat(byte));
        above8(x: v128, byte: u8) -> v128 = u8x16_gt(x, u8x16_splat(byte));
        mask(bytes: [v128; 4]) -> u64 = {
            let [a, b, c, d] = bytes.map(|bytes| u64::from(i8x16_bitmask(bytes)));
            a | b << 16 | (c | d << 16) << 32
        };
        swizzle(bytes: v128, indices: v128) -> v128 = u8x16_swizzle(bytes, indices);
        zip64(a: v128, b: v128) -> [v128; 2] = [i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b)];
        widen8(x: v128) -> v128 = u16x8_extend_low_u8x16(x);
        widen16(x: v128) -> [v128; 2] = [u32x4_extend_low_u16x8(x), u32x4_extend_high_u16x8(x)];
        <const SIGNED: bool> widen32(x: v128) -> [v128; 2] = if SIGNED {
            [i64x2_extend_low_i32x4(x), i64x2_extend_high_i32x4(x)]
        } else {
            [u64x2_extend_low_u32x4(x), u64x2_extend_high_u32x4(x)]
        };
        narrow64(a: v128, b: v128) -> v128 = i32x4_shuffle::<0, 2, 4, 6>(a, b);
        narrow32(a: v128, b: v128) -> v128 = {
            // The masks tell the compiler, which would otherwise limit the values itself.
            let [a, b] = [a, b].map(|x| v128_and(x, u32x4_splat(0xffff)));
            u16x8_narrow_i32x4(a, b)
        };
        // The compiler replaces instructions that narrow by more than one of others. Here, the values
        // are moved to different bytes of the same lanes, and then put in order.
        narrow32_twice([a, b, c, d]: [v128; 4]) -> v128 = {
            let ab = v128_or(a, u32x4_shl(b, 8));
            let cd = v128_or(u32x4_shl(c, 16), u32x4_shl(d, 24));
            let x = v128_or(ab, cd);
            u8x16_shuffle::<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(x, x)
        };
        <const BYTES: usize> zigzag(x: v128) -> v128 = match BYTES {
            4 => v128_xor(i32x4_shl(x, 1), i32x4_shr(x, 31)),
            _ => v128_xor(i64x2_shl(x, 1), i64x2_shr(x, 63)),
        };
        <const BYTES: usize> unzigzag(x: v128) -> v128 = match BYTES {
            4 => v128_xor(u32x4_shr(x, 1), i32x4_neg(v128_and(x, u32x4_splat(1)))),
            _ => v128_xor(u64x2_shr(x, 1), i64x2_neg(v128_and(x, u64x2_splat(1)))),
        };
        squeeze2(x: v128) -> v128 = {
            let high = u16x8_shr(v128_and(x, u16x8_splat(0x7f00)), 1);
            v128_or(v128_and(x, u16x8_splat(0x7f)), high)
        };
        // The sum of the lower 14 bits and 2^14 times the upper ones.
        squeeze4(x: v128) -> v128 = i32x4_dot_i16x8(Simd128.squeeze2(x), u32x4_splat(1 << 30 | 1));
        squeeze8(x: v128) -> v128 = {
            let x = Simd128.squeeze4(x);
            let high = v128_and(u64x2_shr(x, 4), u64x2_splat(0x00ff_ffff_f000_0000));
            v128_or(v128_and(x, u64x2_splat(0x0fff_ffff)), high)
        };
        with_ninth(low: v128, ninth: v128) -> v128 = v128_or(low, i64x2_shl(ninth, 56));
        spread8(x: v128) -> v128 = {
            let high = v128_and(i64x2_shl(x, 4), u64x2_splat(0x0fff_ffff_0000_0000));
            spread4(v128_or(v128_and(x, u64x2_splat(0x0fff_ffff)), high))
        };
        encode_words(x: v128) -> (v128, Packing) = {
            let two = i16x8_gt(x, i16x8_splat(0x7f));
            let key = i16x8_bitmask(two);
            let bytes = v128_or(spread2(x), v128_and(two, i16x8_splat(0x80)));
            (bytes, Packing { key, len: 8 + key.count_ones() as usize })
        };
        encode_dwords([a, b]: [v128; 2]) -> [(v128, Packing); 2] = {
            let ((a, a_unused), (b, b_unused)) = (spread_and_unused(a), spread_and_unused(b));
            // One sum computes two numbers for each vector: the key in the low byte, and the number of
            // unused bytes in the next one.
            let weights = i16x8(-0x101, -0x104, -0x110, -0x140, -0x101, -0x104, -0x110, -0x140);
            let sums = Simd128.halves(i32x4_dot_i16x8(i16x8_narrow_i32x4(a_unused, b_unused), weights));
            let [a_packing, b_packing] = sums.map(|halves| {
                let sum = (halves + (halves >> 32)) as u32;
                Packing { key: sum as u8, len: 16 - (sum >> 8) as usize }
            });
            [(a, a_packing), (b, b_packing)]
        };
    }
}

/// Spreads two groups in each 16 bits.
#[inline(always)]
fn spread2(x: v128) -> v128 {
    // Adding the upper group moves it up by one bit.
    i16x8_add(x, v128_and(x, u16x8_splat(0x3f80)))
}

/// Spreads four groups in each 32 bits.
#[inline(always)]
fn spread4(x: v128) -> v128 {
    let high = i32x4_shl(v128_and(x, u32x4_splat(0x0fff_c000)), 2);
    spread2(v128_or(v128_and(x, u32x4_splat(0x3fff)), high))
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
