//! The NEON kernel, for little-endian AArch64. NEON is part of that target, so that the CPU need not
//! be queried.

use core::arch::aarch64::*;

use super::machine::{Machine, Packing, operations};
use super::{decode, encode};
use crate::scalar::word::CONTINUES;
use crate::simd::scalar;
use crate::simd::slices::slices;

/// The NEON kernel, which every CPU of the target supports.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Neon;

slices!(Neon "neon" scalar {
    encode(src, dst) => encode::encode(Neon, src, dst),
    decode(self, src, dst, canonical) => decode::decode(Neon, src, dst, canonical),
});

/// Vectors are kept as bytes, and cast where other lanes are meant.
type V = uint8x16_t;

impl Machine for Neon {
    type V = V;

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> V {
        // SAFETY: the caller ensures that 16 bytes can be read.
        unsafe { vld1q_u8(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, x: V) {
        // SAFETY: the caller ensures that 16 bytes can be written.
        unsafe { vst1q_u8(to, x) }
    }

    #[inline(always)]
    unsafe fn store_low(self, to: *mut u8, x: V) {
        // SAFETY: the caller ensures that 8 bytes can be written.
        unsafe { vst1_u8(to, vget_low_u8(x)) }
    }

    operations! {
        splat(x: u64) -> V = from64(vdupq_n_u64(x));
        halves(x: V) -> [u64; 2] = [vgetq_lane_u64::<0>(as64(x)), vgetq_lane_u64::<1>(as64(x))];
        and(a: V, b: V) -> V = vandq_u8(a, b);
        or(a: V, b: V) -> V = vorrq_u8(a, b);
        and_not(a: V, b: V) -> V = vbicq_u8(a, b);
        minus_one32(x: V) -> V = from32(vaddq_u32(as32(x), vdupq_n_u32(!0)));
        minus_one64(x: V) -> V = from64(vaddq_u64(as64(x), vdupq_n_u64(!0)));
        is_zero64(x: V) -> V = from64(vceqzq_u64(as64(x)));
        equal8(x: V, byte: u8) -> V = vceqq_u8(x, vdupq_n_u8(byte));
        above8(x: V, byte: u8) -> V = vcgtq_u8(x, vdupq_n_u8(byte));
        mask(bytes: [V; 4]) -> u64 = {
            // There is no instruction for a mask of top bits. Each byte with its top bit set is reduced
            // to one bit, at its index among eight bytes, and pairwise additions collect the bits of
            // eight bytes in one. -2^k for bit k: with 2^k the compiler would see that no two addends
            // share a bit and replace the additions by ORs, for which there is no pairwise instruction.
            let bits = from64(vdupq_n_u64(u64::from_le_bytes([255, 254, 252, 248, 240, 224, 192, 128])));
            let [a, b, c, d] = bytes.map(|x| vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(x)), bits));
            let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
            let sums = vpadd_u8(vget_low_u8(sums), vget_high_u8(sums));
            vget_lane_u64::<0>(vreinterpret_u64_s8(vneg_s8(vreinterpret_s8_u8(sums))))
        };
        swizzle(bytes: V, indices: V) -> V = vqtbl1q_u8(bytes, indices);
        zip64(a: V, b: V) -> [V; 2] =
            [from64(vzip1q_u64(as64(a), as64(b))), from64(vzip2q_u64(as64(a), as64(b)))];
        widen8(x: V) -> V = from16(vmovl_u8(vget_low_u8(x)));
        widen16(x: V) -> [V; 2] =
            [from32(vmovl_u16(vget_low_u16(as16(x)))), from32(vmovl_high_u16(as16(x)))];
        <const SIGNED: bool> widen32(x: V) -> [V; 2] = if SIGNED {
            let x = vreinterpretq_s32_u8(x);
            [vreinterpretq_u8_s64(vmovl_s32(vget_low_s32(x))), vreinterpretq_u8_s64(vmovl_high_s32(x))]
        } else {
            [from64(vmovl_u32(vget_low_u32(as32(x)))), from64(vmovl_high_u32(as32(x)))]
        };
        narrow64(a: V, b: V) -> V = from32(vuzp1q_u32(as32(a), as32(b)));
        narrow32(a: V, b: V) -> V = from16(vuzp1q_u16(as16(a), as16(b)));
        narrow32_twice([a, b, c, d]: [V; 4]) -> V =
            vuzp1q_u8(Neon.narrow32(a, b), Neon.narrow32(c, d));
        <const BYTES: usize> zigzag(x: V) -> V = {
            let (twice, sign) = match BYTES {
                4 => (from32(vaddq_u32(as32(x), as32(x))), from32(vcltzq_s32(vreinterpretq_s32_u8(x)))),
                _ => (from64(vaddq_u64(as64(x), as64(x))), from64(vcltzq_s64(vreinterpretq_s64_u8(x)))),
            };
            veorq_u8(twice, sign)
        };
        <const BYTES: usize> unzigzag(x: V) -> V = match BYTES {
            4 => from32(veorq_u32(vshrq_n_u32::<1>(as32(x)), vtstq_u32(as32(x), vdupq_n_u32(1)))),
            _ => from64(veorq_u64(vshrq_n_u64::<1>(as64(x)), vtstq_u64(as64(x), vdupq_n_u64(1)))),
        };
        squeeze2(x: V) -> V = from16(vsliq_n_u16::<7>(as16(x), vshrq_n_u16::<8>(as16(x))));
        squeeze4(x: V) -> V = {
            let x = as32(Neon.squeeze2(x));
            from32(vsliq_n_u32::<14>(x, vshrq_n_u32::<16>(x)))
        };
        squeeze8(x: V) -> V = {
            let x = as64(Neon.squeeze4(x));
            from64(vsliq_n_u64::<28>(x, vshrq_n_u64::<32>(x)))
        };
        with_ninth(low: V, ninth: V) -> V = from64(vsliq_n_u64::<56>(as64(low), as64(ninth)));
        spread8(x: V) -> V = {
            let x = as32(from64(vsliq_n_u64::<32>(as64(x), vshrq_n_u64::<28>(as64(x)))));
            vandq_u8(from16(spread4(x)), vdupq_n_u8(0x7f))
        };
        encode_words(x: V) -> (V, Packing) = {
            let weights = vcombine_u16(vcreate_u16(0x0108_0104_0102_0101), vcreate_u16(0x0180_0140_0120_0110));
            let x = as16(x);
            let two = vcgtq_u16(x, vdupq_n_u16(0x7f));
            let bytes = vbslq_u16(two, vorrq_u16(spread2(x), vdupq_n_u16(0x80)), x);
            // One sum computes two numbers: the key in the low byte, and the number of second bytes
            // in the high byte.
            let sum = vaddvq_u16(vandq_u16(two, weights));
            (from16(bytes), Packing { key: sum as u8, len: 8 + usize::from(sum >> 8) })
        };
        encode_dwords(x: [V; 2]) -> [(V, Packing); 2] = x.map(|x| {
            let weights = vcombine_u32(vcreate_u32(0x0104_0000_0101), vcreate_u32(0x0140_0000_0110));
            // The continuation bits of the groups are arbitrary, but those above the topmost group in
            // use are clear.
            let x = as32(from16(spread4(as32(x))));
            let zeros = vclzq_u32(vorrq_u32(x, vdupq_n_u32(1)));
            // All bits below the topmost one. The top bit of a byte is among them if a byte above it
            // is in use.
            let below = vshlq_u32(vdupq_n_u32(0x7fff_ffff), vnegq_s32(vreinterpretq_s32_u32(zeros)));
            let bytes = vbslq_u32(vdupq_n_u32(CONTINUES as u32), below, x);
            // Each eight leading zeros are an unused byte. One sum computes two numbers: the key in
            // the low byte, and the number of unused bytes in the next one.
            let sum = vaddvq_u32(vmulq_u32(vshrq_n_u32::<3>(zeros), weights));
            (from32(bytes), Packing { key: sum as u8, len: 16 - (sum >> 8) as usize })
        });
    }
}

/// Spreads two groups in each 16 bits. The continuation bits are arbitrary.
#[target_feature(enable = "neon")]
#[inline]
fn spread2(x: uint16x8_t) -> uint16x8_t {
    vsliq_n_u16::<8>(x, vshrq_n_u16::<7>(x))
}

/// Spreads four groups in each 32 bits. The continuation bits are arbitrary.
#[target_feature(enable = "neon")]
#[inline]
fn spread4(x: uint32x4_t) -> uint16x8_t {
    spread2(vreinterpretq_u16_u32(vsliq_n_u32::<16>(x, vshrq_n_u32::<14>(x))))
}

/// Defines casts, which are no instructions.
macro_rules! casts {
    ($($to:ident $cast:ident $as:ident $back:ident $from:ident)*) => {$(
        #[target_feature(enable = "neon")]
        #[inline]
        fn $as(x: V) -> $to {
            $cast(x)
        }

        #[target_feature(enable = "neon")]
        #[inline]
        fn $from(x: $to) -> V {
            $back(x)
        }
    )*};
}

casts! {
    uint16x8_t vreinterpretq_u16_u8 as16 vreinterpretq_u8_u16 from16
    uint32x4_t vreinterpretq_u32_u8 as32 vreinterpretq_u8_u32 from32
    uint64x2_t vreinterpretq_u64_u8 as64 vreinterpretq_u8_u64 from64
}
