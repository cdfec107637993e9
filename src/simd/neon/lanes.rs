//! Loads and stores of several values of any width, with the conversion to and from zigzag form.

use core::arch::aarch64::*;

use crate::simd::lane::Lane;

/// Eight values in the form in which they are encoded.
pub(super) struct Eight {
    /// The low 32 bits of each.
    pub(super) low: [uint32x4_t; 2],
    /// The OR of the values, spread over two lanes of 64 bits for 64-bit types, or four of 32 bits
    /// for others.
    pub(super) any: uint64x2_t,
}

/// Returns a number that is below the same powers of two as all values of which `any` is the OR.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn bits<T: Lane>(any: uint64x2_t) -> u64 {
    match size_of::<T>() {
        8 => vgetq_lane_u64::<0>(any) | vgetq_lane_u64::<1>(any),
        _ => vmaxvq_u32(vreinterpretq_u32_u64(any)).into(),
    }
}

/// Loads eight values and converts signed ones to zigzag form.
#[target_feature(enable = "neon")]
#[inline]
pub(super) fn load8<T: Lane>(src: &[T; 8]) -> Eight {
    let src = src.as_ptr();
    match size_of::<T>() {
        2 => {
            // SAFETY: `src` points to eight integers of 2 bytes.
            let mut x = unsafe { vld1q_u16(src.cast()) };
            if T::SIGNED {
                let sign = vshrq_n_s16::<15>(vreinterpretq_s16_u16(x));
                x = veorq_u16(vaddq_u16(x, x), vreinterpretq_u16_s16(sign));
            }
            let low = [vmovl_u16(vget_low_u16(x)), vmovl_high_u16(x)];
            Eight { low, any: vreinterpretq_u64_u32(vorrq_u32(low[0], low[1])) }
        }
        4 => {
            // SAFETY: `src` points to eight integers of 4 bytes, and each load reads four.
            let low = [0, 4].map(|at| unsafe { vld1q_u32(src.cast::<u32>().add(at)) }).map(|x| {
                if T::SIGNED {
                    let sign = vshrq_n_s32::<31>(vreinterpretq_s32_u32(x));
                    veorq_u32(vaddq_u32(x, x), vreinterpretq_u32_s32(sign))
                } else {
                    x
                }
            });
            Eight { low, any: vreinterpretq_u64_u32(vorrq_u32(low[0], low[1])) }
        }
        _ => {
            // SAFETY: `src` points to eight integers of 8 bytes, and each load reads two.
            let [a, b, c, d] =
                [0, 2, 4, 6].map(|at| unsafe { vld1q_u64(src.cast::<u64>().add(at)) }).map(|x| {
                    if T::SIGNED {
                        let sign = vshrq_n_s64::<63>(vreinterpretq_s64_u64(x));
                        veorq_u64(vaddq_u64(x, x), vreinterpretq_u64_s64(sign))
                    } else {
                        x
                    }
                });
            let halves = |x, y| vuzp1q_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(y));
            Eight { low: [halves(a, b), halves(c, d)], any: vorrq_u64(vorrq_u64(a, b), vorrq_u64(c, d)) }
        }
    }
}

/// Converts eight values below 2^28 from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of eight values.
#[target_feature(enable = "neon")]
#[inline]
pub(super) unsafe fn store8<T: Lane>(dst: *mut T, [a, b]: [uint32x4_t; 2]) {
    if size_of::<T>() == 2 {
        let mut x = vuzp1q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b));
        if T::SIGNED {
            let sign = vtstq_u16(x, vdupq_n_u16(1));
            x = veorq_u16(vshrq_n_u16::<1>(x), sign);
        }
        // SAFETY: the caller ensures that eight values, of 2 bytes each, can be written.
        unsafe { vst1q_u16(dst.cast(), x) }
    } else {
        // SAFETY: the caller ensures that eight values can be written. Each store writes four.
        unsafe {
            store4(dst, a);
            store4(dst.add(4), b);
        }
    }
}

/// Converts four values below 2^28 from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of four values.
#[target_feature(enable = "neon")]
#[inline]
pub(super) unsafe fn store4<T: Lane>(dst: *mut T, mut x: uint32x4_t) {
    if T::SIGNED {
        let sign = vtstq_u32(x, vdupq_n_u32(1));
        x = veorq_u32(vshrq_n_u32::<1>(x), sign);
    }
    match size_of::<T>() {
        // SAFETY: the caller ensures that four values, of 2 bytes each, can be written.
        2 => unsafe { vst1_u16(dst.cast(), vmovn_u32(x)) },
        // SAFETY: the caller ensures that four values, of 4 bytes each, can be written.
        4 => unsafe { vst1q_u32(dst.cast(), x) },
        _ => {
            let wide = if T::SIGNED {
                let x = vreinterpretq_s32_u32(x);
                [vmovl_s32(vget_low_s32(x)), vmovl_high_s32(x)].map(|x| vreinterpretq_u64_s64(x))
            } else {
                [vmovl_u32(vget_low_u32(x)), vmovl_high_u32(x)]
            };
            // SAFETY: the caller ensures that four values, of 8 bytes each, can be written.
            unsafe {
                vst1q_u64(dst.cast(), wide[0]);
                vst1q_u64(dst.cast::<u64>().add(2), wide[1]);
            }
        }
    }
}

/// Converts two values from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of two values.
#[target_feature(enable = "neon")]
#[inline]
pub(super) unsafe fn store2<T: Lane>(dst: *mut T, x: uint64x2_t) {
    let plain = if T::SIGNED {
        let sign = vtstq_u64(x, vdupq_n_u64(1));
        veorq_u64(vshrq_n_u64::<1>(x), sign)
    } else {
        x
    };
    match size_of::<T>() {
        // SAFETY: the caller ensures that two values, of 8 bytes each, can be written.
        8 => unsafe { vst1q_u64(dst.cast(), plain) },
        // SAFETY: the caller ensures that two values, of 4 bytes each, can be written.
        4 => unsafe { vst1_u32(dst.cast(), vmovn_u64(plain)) },
        // SAFETY: the caller ensures that two values can be written.
        _ => unsafe {
            dst.write(T::from_wire(vgetq_lane_u64::<0>(x)));
            dst.add(1).write(T::from_wire(vgetq_lane_u64::<1>(x)));
        },
    }
}
