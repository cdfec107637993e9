//! Loads and stores of several values of any width, with the conversion to and from zigzag form.

use core::arch::wasm32::*;

use crate::simd::lane::Lane;

/// Eight values in the form in which they are encoded, in as many vectors as they need. The other
/// vectors are zero.
pub(super) struct Eight([v128; 4]);

impl Eight {
    /// Loads eight values and converts signed ones to zigzag form.
    #[inline]
    pub(super) fn load<T: Lane>(src: &[T; 8]) -> Self {
        let mut vectors = [u64x2_splat(0); 4];
        for (index, vector) in vectors.iter_mut().take(size_of::<T>() / 2).enumerate() {
            // SAFETY: `src` points to eight integers, which are `size_of::<T>() / 2` vectors.
            let x = unsafe { v128_load(src.as_ptr().cast::<v128>().add(index)) };
            *vector = if !T::SIGNED {
                x
            } else {
                match size_of::<T>() {
                    2 => v128_xor(i16x8_shl(x, 1), i16x8_shr(x, 15)),
                    4 => v128_xor(i32x4_shl(x, 1), i32x4_shr(x, 31)),
                    _ => v128_xor(i64x2_shl(x, 1), i64x2_shr(x, 63)),
                }
            };
        }
        Self(vectors)
    }

    /// Returns the OR of these values and those of `other`.
    #[inline]
    pub(super) fn any<T: Lane>(&self, other: &Self) -> u64 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| v128_or(self.0[index], other.0[index]));
        let any = v128_or(v128_or(a, b), v128_or(c, d));
        let any = u64x2_extract_lane::<0>(any) | u64x2_extract_lane::<1>(any);
        match size_of::<T>() {
            2 => u64::from((any | any >> 16 | any >> 32 | any >> 48) as u16),
            4 => u64::from((any | any >> 32) as u32),
            _ => any,
        }
    }

    /// Returns the low 32 bits of each value.
    #[inline]
    pub(super) fn dwords<T: Lane>(&self) -> [v128; 2] {
        let [a, b, c, d] = self.0;
        match size_of::<T>() {
            2 => [u32x4_extend_low_u16x8(a), u32x4_extend_high_u16x8(a)],
            4 => [a, b],
            _ => [i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<0, 2, 4, 6>(c, d)],
        }
    }

    /// Returns the values, which must be below 2^15, in 16 bits each.
    #[inline]
    pub(super) fn words<T: Lane>(&self) -> v128 {
        let [a, b, ..] = self.0;
        match size_of::<T>() {
            2 => a,
            4 => narrow_dwords(a, b),
            _ => {
                let [a, b] = self.dwords::<T>();
                narrow_dwords(a, b)
            }
        }
    }
}

/// Narrows values below 2^15 from 32 to 16 bits.
#[inline]
fn narrow_dwords(a: v128, b: v128) -> v128 {
    // The masks tell the compiler, which would otherwise limit the values itself.
    let [a, b] = [a, b].map(|x| v128_and(x, u32x4_splat(0x7fff)));
    u16x8_narrow_i32x4(a, b)
}

/// Returns sixteen values, which must be below 2^8, in a byte each.
#[inline]
pub(super) fn bytes<T: Lane>(low: &Eight, high: &Eight) -> v128 {
    // The compiler replaces instructions that narrow by more than one of others. Here, the values
    // are moved to different bytes of the same lanes, and then put in order.
    if size_of::<T>() == 2 {
        let x = v128_or(low.0[0], u16x8_shl(high.0[0], 8));
        return u8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15>(x, x);
    }
    let ([a, b], [c, d]) = (low.dwords::<T>(), high.dwords::<T>());
    let ab = v128_or(a, u32x4_shl(b, 8));
    let cd = v128_or(u32x4_shl(c, 16), u32x4_shl(d, 24));
    let x = v128_or(ab, cd);
    u8x16_shuffle::<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(x, x)
}

/// Converts eight values below 2^28 from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of eight values.
#[inline]
pub(super) unsafe fn store8<T: Lane>(dst: *mut T, [a, b]: [v128; 2]) {
    if size_of::<T>() == 2 {
        // Only values that fit are stored in slots that count. Others saturate.
        let mut x = u16x8_narrow_i32x4(a, b);
        if T::SIGNED {
            let sign = i16x8_neg(v128_and(x, u16x8_splat(1)));
            x = v128_xor(u16x8_shr(x, 1), sign);
        }
        // SAFETY: the caller ensures that eight values, of 2 bytes each, can be written.
        unsafe { v128_store(dst.cast(), x) }
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
#[inline]
pub(super) unsafe fn store4<T: Lane>(dst: *mut T, mut x: v128) {
    if T::SIGNED {
        let sign = i32x4_neg(v128_and(x, u32x4_splat(1)));
        x = v128_xor(u32x4_shr(x, 1), sign);
    }
    match size_of::<T>() {
        2 => {
            let x = i16x8_shuffle::<0, 2, 4, 6, 0, 2, 4, 6>(x, x);
            // SAFETY: the caller ensures that four values, of 2 bytes each, can be written.
            unsafe { v128_store64_lane::<0>(x, dst.cast()) }
        }
        // SAFETY: the caller ensures that four values, of 4 bytes each, can be written.
        4 => unsafe { v128_store(dst.cast(), x) },
        _ => {
            let wide = if T::SIGNED {
                [i64x2_extend_low_i32x4(x), i64x2_extend_high_i32x4(x)]
            } else {
                [u64x2_extend_low_u32x4(x), u64x2_extend_high_u32x4(x)]
            };
            // SAFETY: the caller ensures that four values, of 8 bytes each, can be written.
            unsafe {
                v128_store(dst.cast(), wide[0]);
                v128_store(dst.cast::<v128>().add(1), wide[1]);
            }
        }
    }
}

/// Converts two values from zigzag form, if `T` is signed, and stores them.
///
/// # Safety
///
/// `dst` must be valid for writes of two values.
#[inline]
pub(super) unsafe fn store2<T: Lane>(dst: *mut T, x: v128) {
    let plain = if T::SIGNED {
        let sign = i64x2_neg(v128_and(x, u64x2_splat(1)));
        v128_xor(u64x2_shr(x, 1), sign)
    } else {
        x
    };
    match size_of::<T>() {
        // SAFETY: the caller ensures that two values, of 8 bytes each, can be written.
        8 => unsafe { v128_store(dst.cast(), plain) },
        4 => {
            let low = i32x4_shuffle::<0, 2, 0, 2>(plain, plain);
            // SAFETY: the caller ensures that two values, of 4 bytes each, can be written.
            unsafe { v128_store64_lane::<0>(low, dst.cast()) }
        }
        // SAFETY: the caller ensures that two values can be written.
        _ => unsafe {
            dst.write(T::from_wire(u64x2_extract_lane::<0>(x)));
            dst.add(1).write(T::from_wire(u64x2_extract_lane::<1>(x)));
        },
    }
}
