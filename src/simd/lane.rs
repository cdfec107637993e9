//! The element types of the kernels.

use crate::width::Width;
use crate::zigzag;

/// An element type of 16, 32 or 64 bits, whose slices the kernels read and write as lanes of
/// vectors.
///
/// # Safety
///
/// `Self` is a primitive integer of 2, 4 or 8 bytes, and is signed if and only if `SIGNED` is true.
pub(super) unsafe trait Lane: Width {
    /// Whether values are encoded in zigzag form.
    const SIGNED: bool;

    /// Returns the unsigned value that is encoded for `self`.
    fn to_wire(self) -> u64;

    /// Returns the value that is encoded as `wire`, which must fit the type.
    fn from_wire(wire: u64) -> Self;
}

macro_rules! lane {
    ($($unsigned:ident $signed:ident)*) => {$(
        // SAFETY: a primitive unsigned integer of one of these widths.
        unsafe impl Lane for $unsigned {
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

        // SAFETY: a primitive signed integer of one of these widths.
        unsafe impl Lane for $signed {
            const SIGNED: bool = true;

            // The zigzag form of a value is the same in every width that the value fits.
            #[inline(always)]
            fn to_wire(self) -> u64 {
                zigzag::i64_to_u64(self as i64)
            }

            #[inline(always)]
            fn from_wire(wire: u64) -> Self {
                zigzag::u64_to_i64(wire) as Self
            }
        }
    )*};
}

lane!(u16 i16 u32 i32 u64 i64 usize isize);
