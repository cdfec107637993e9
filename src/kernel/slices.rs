//! The functions of a kernel for slices of each integer type.

use core::mem::MaybeUninit;

use super::{Choice, Kernel, with_kernel};
use crate::error::{BulkError, Progress};
use crate::simd::lane::{cast, cast_mut};
use crate::simd::slices::Slices;

/// Implements the methods of [`Kernel`] for element types, by those of the kernels for lanes.
///
/// They are inlined, so that the `match` costs no further call.
macro_rules! slices_of_kernel {
    ($($int:ident $lane:ident)*) => {$(
        impl Slices<$int> for Kernel {
            #[inline]
            fn encode(self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                with_kernel!(self, kernel => kernel.encode(cast::<_, $lane>(src), dst))
            }

            #[inline]
            fn decode(
                self,
                src: &[u8],
                dst: &mut [MaybeUninit<$int>],
                canonical: bool,
            ) -> Result<Progress, BulkError> {
                let dst = cast_mut::<_, MaybeUninit<$lane>>(dst);
                with_kernel!(self, kernel => kernel.decode(src, dst, canonical))
            }

            #[inline]
            fn encoded_len(self, src: &[$int]) -> usize {
                with_kernel!(self, kernel => kernel.encoded_len(cast::<_, $lane>(src)))
            }

            #[inline]
            fn deltas(self, previous: &[$int], src: &[$int], deltas: &mut [$int]) {
                let deltas = cast_mut::<_, $lane>(deltas);
                with_kernel!(self, kernel => kernel.deltas(cast(previous), cast(src), deltas))
            }

            #[inline]
            fn add_up(self, previous: &[$int], deltas: &mut [$int]) {
                let deltas = cast_mut::<_, $lane>(deltas);
                with_kernel!(self, kernel => kernel.add_up(cast(previous), deltas))
            }
        }
    )*};
}

slices_of_kernel!(u16 u16 u32 u32 u64 u64 i16 i16 i32 i32 i64 i64);
#[cfg(target_pointer_width = "16")]
slices_of_kernel!(usize u16 isize i16);
#[cfg(target_pointer_width = "32")]
slices_of_kernel!(usize u32 isize i32);
#[cfg(target_pointer_width = "64")]
slices_of_kernel!(usize u64 isize i64);

// The scalar loops: values of 8 bits are cheap to encode.
impl Slices<u8> for Kernel {}
impl Slices<i8> for Kernel {}
