//! The element types of the kernels.

use core::mem::MaybeUninit;

use crate::width::Width;
use crate::zigzag;

/// An element type of 16, 32 or 64 bits, whose slices the kernels read and write as lanes of
/// vectors. Slices of `usize` and `isize` are cast to slices of lanes.
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

            #[inline(always)]
            fn to_wire(self) -> u64 {
                self.to_raw() as u64
            }

            // The zigzag form of a value is the same in every width that the value fits.
            #[inline(always)]
            fn from_wire(wire: u64) -> Self {
                zigzag::u64_to_i64(wire) as Self
            }
        }
    )*};
}

lane!(u16 i16 u32 i32 u64 i64);

/// A type that has a lane of the same width and signedness.
///
/// # Safety
///
/// Both types have the same size and alignment, and every value of one is valid as the other.
pub(crate) unsafe trait HasLane {
    /// The lane.
    type Lane;
}

macro_rules! has_lane {
    ($($int:ident $lane:ident)*) => {$(
        // SAFETY: two primitive integers of the same width.
        unsafe impl HasLane for $int {
            type Lane = $lane;
        }
    )*};
}

has_lane!(u16 u16 u32 u32 u64 u64 i16 i16 i32 i32 i64 i64);
#[cfg(target_pointer_width = "16")]
has_lane!(usize u16 isize i16);
#[cfg(target_pointer_width = "32")]
has_lane!(usize u32 isize i32);
#[cfg(target_pointer_width = "64")]
has_lane!(usize u64 isize i64);

// SAFETY: the layout of `MaybeUninit` is that of the type inside, and every value is valid.
unsafe impl<T: HasLane> HasLane for MaybeUninit<T> {
    type Lane = MaybeUninit<T::Lane>;
}

/// Returns `values` as lanes.
#[inline(always)]
pub(crate) fn lanes<T: HasLane>(values: &[T]) -> &[T::Lane] {
    // SAFETY: `HasLane` ensures that both types have the same layout and that the values are valid.
    unsafe { &*(core::ptr::from_ref(values) as *const [T::Lane]) }
}

/// Returns `values` as lanes.
#[inline(always)]
pub(crate) fn lanes_mut<T: HasLane>(values: &mut [T]) -> &mut [T::Lane] {
    // SAFETY: `HasLane` ensures that both types have the same layout, and that the values of each
    // are valid as the other.
    unsafe { &mut *(core::ptr::from_mut(values) as *mut [T::Lane]) }
}

/// An integer type, and the types of the same width without and with a sign.
///
/// # Safety
///
/// All three types have the same size and alignment, and every value of one is valid as the others.
pub unsafe trait SameWidth: Width {
    /// The type without a sign.
    type Unsigned: Width;
    /// The type with a sign.
    type Signed: Width;
}

macro_rules! same_width {
    ($($unsigned:ident $signed:ident)*) => {$(
        // SAFETY: primitive integers of the same width.
        unsafe impl SameWidth for $unsigned {
            type Unsigned = $unsigned;
            type Signed = $signed;
        }

        // SAFETY: primitive integers of the same width.
        unsafe impl SameWidth for $signed {
            type Unsigned = $unsigned;
            type Signed = $signed;
        }
    )*};
}

same_width!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

/// Returns `values` with the same bits as unsigned ones.
#[inline(always)]
pub(crate) fn unsigned<T: SameWidth>(values: &[T]) -> &[T::Unsigned] {
    // SAFETY: `SameWidth` ensures that both types have the same layout and that the values are valid.
    unsafe { &*(core::ptr::from_ref(values) as *const [T::Unsigned]) }
}

/// Returns the slots as slots for unsigned values.
#[inline(always)]
pub(crate) fn unsigned_slots<T: SameWidth>(slots: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<T::Unsigned>] {
    // SAFETY: `SameWidth` ensures that both types have the same layout, and that the values of each
    // are valid as the other. The layout of `MaybeUninit` is that of the type inside.
    unsafe { &mut *(core::ptr::from_mut(slots) as *mut [MaybeUninit<T::Unsigned>]) }
}

/// Returns `values` with the same bits as signed ones.
#[inline(always)]
pub(crate) fn signed<T: SameWidth>(values: &[T]) -> &[T::Signed] {
    // SAFETY: `SameWidth` ensures that both types have the same layout and that the values are valid.
    unsafe { &*(core::ptr::from_ref(values) as *const [T::Signed]) }
}

/// Returns `values` with the same bits as signed ones.
#[inline(always)]
pub(crate) fn signed_mut<T: SameWidth>(values: &mut [T]) -> &mut [T::Signed] {
    // SAFETY: `SameWidth` ensures that both types have the same layout, and that the values of each
    // are valid as the other.
    unsafe { &mut *(core::ptr::from_mut(values) as *mut [T::Signed]) }
}
