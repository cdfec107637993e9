//! The element types of the BMI2 and AVX2 kernels.

use crate::width::Width;
use crate::zigzag;

/// The 7 value bits of each byte.
pub(in crate::simd) const GROUPS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// An element type of 16, 32 or 64 bits.
pub(in crate::simd) trait Lane: Width {
    /// Whether it travels in zigzag form.
    const SIGNED: bool;
    /// Of a last byte at full length, the bits that the fast decoders want to stand as in [`LAST_BITS`](Self::LAST_BITS).
    const LAST_MASK: u8 = if Self::MAX_BYTES == 10 { 0xff } else { !Self::LAST_MAX };
    /// Those bits. The decoders take the continuation bit of a ninth byte for bit 63, so a tenth byte of 0, legal though
    /// overlong, is not for them.
    const LAST_BITS: u8 = if Self::MAX_BYTES == 10 { 1 } else { 0 };

    /// What travels on the wire.
    fn to_wire(self) -> u64;

    /// The value behind what travelled, which fits.
    fn from_wire(wire: u64) -> Self;
}

macro_rules! lane {
    ($($unsigned:ident $signed:ident)*) => {$(
        impl Lane for $unsigned {
            const SIGNED: bool = false;

            #[inline(always)]
            fn to_wire(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn from_wire(wire: u64) -> Self {
                wire as Self
            }
        }

        impl Lane for $signed {
            const SIGNED: bool = true;

            // The zigzag form of a value is the same in every width that holds it.
            #[inline(always)]
            fn to_wire(self) -> u64 {
                zigzag::encode_i64(self as i64)
            }

            #[inline(always)]
            fn from_wire(wire: u64) -> Self {
                zigzag::decode_i64(wire) as Self
            }
        }
    )*};
}

lane!(u16 i16 u32 i32 u64 i64 usize isize);
