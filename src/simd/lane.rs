//! The element types of the kernels.

use core::mem::MaybeUninit;

use crate::width::Width;

/// An element type of 16, 32 or 64 bits, whose slices the kernels read and write as lanes of
/// vectors. Slices of `usize` and `isize` are cast to slices of lanes.
///
/// # Safety
///
/// `Self` is a primitive integer of 2, 4 or 8 bytes, and is signed if and only if `SIGNED` is true.
pub(super) unsafe trait Lane: Width<Raw: Into<u64>> {
    /// Returns the unsigned value that is encoded for `self`.
    #[inline(always)]
    fn to_wire(self) -> u64 {
        self.to_raw().into()
    }
}

macro_rules! lane {
    ($($int:ident)*) => {$(
        // SAFETY: a primitive integer of one of these widths, whose `SIGNED` is that of `scalar::value`.
        unsafe impl Lane for $int {}
    )*};
}

lane!(u16 u32 u64 i16 i32 i64);

/// A type whose slices can be used as slices of `T`.
///
/// # Safety
///
/// Both types have the same size and alignment, and every value of each is valid as the other.
pub unsafe trait SameLayout<T> {}

macro_rules! same_layout {
    ($($int:ident: $($other:ident)*;)*) => {$($(
        // SAFETY: primitive integers of the same width.
        unsafe impl SameLayout<$other> for $int {}
    )*)*};
}

same_layout! {
    u8: u8 i8; u16: u16 i16; u32: u32 i32; u64: u64 i64; u128: u128 i128; usize: usize isize;
    i8: u8 i8; i16: u16 i16; i32: u32 i32; i64: u64 i64; i128: u128 i128; isize: usize isize;
}
#[cfg(target_pointer_width = "16")]
same_layout! { u16: usize; i16: isize; }
#[cfg(target_pointer_width = "32")]
same_layout! { u32: usize; i32: isize; }
#[cfg(target_pointer_width = "64")]
same_layout! { u64: usize; i64: isize; }

// SAFETY: the layout of `MaybeUninit` is that of the type inside, and every value is valid.
unsafe impl<T: SameLayout<U>, U> SameLayout<MaybeUninit<U>> for MaybeUninit<T> {}

/// Returns `values` with the same bits as another type.
#[inline(always)]
pub(crate) fn cast<T, U: SameLayout<T>>(values: &[T]) -> &[U] {
    // SAFETY: `SameLayout` ensures that both types have the same layout and that the values are valid.
    unsafe { &*(core::ptr::from_ref(values) as *const [U]) }
}

/// Returns `values` with the same bits as another type.
#[inline(always)]
pub(crate) fn cast_mut<T, U: SameLayout<T>>(values: &mut [T]) -> &mut [U] {
    // SAFETY: `SameLayout` ensures that both types have the same layout, and that the values of each
    // are valid as the other.
    unsafe { &mut *(core::ptr::from_mut(values) as *mut [U]) }
}
