//! The choice among the kernels at run time, by a `match` in each function.

use core::mem::MaybeUninit;

use crate::backend::{Slices, Untyped};
use crate::error::{BulkError, DecodeError, Progress};
#[cfg(kernel = "avx2")]
use crate::simd::avx2::Avx2;
#[cfg(kernel = "avx512")]
use crate::simd::avx512::Avx512;
#[cfg(kernel = "bmi2")]
use crate::simd::bmi2::Bmi2;
use crate::simd::lane::{lanes, lanes_mut};
#[cfg(kernel = "neon")]
use crate::simd::neon::Neon;
use crate::simd::scalar::ScalarKernel;
#[cfg(kernel = "simd128")]
use crate::simd::simd128::Simd128;
#[cfg(all(feature = "std", kernel = "bmi2"))]
use crate::simd::single::level::{self, Level};
use crate::simd::swar::Swar;
use crate::width::Width;

/// A kernel that the CPU supports.
///
/// Each method chooses the kernel by a `match` and calls it directly, so that the linker keeps only
/// the kernels' code for the types and directions that a program uses. A trait object would refer
/// to all of it.
#[derive(Clone, Copy)]
pub struct Backend(Choice);

#[derive(Clone, Copy)]
enum Choice {
    Scalar(ScalarKernel),
    Swar(Swar),
    #[cfg(kernel = "bmi2")]
    Bmi2(Bmi2),
    #[cfg(kernel = "avx2")]
    Avx2(Avx2),
    #[cfg(kernel = "avx512")]
    Avx512(Avx512),
    #[cfg(kernel = "neon")]
    Neon(Neon),
    #[cfg(kernel = "simd128")]
    Simd128(Simd128),
}

/// Evaluates an expression with the kernel of a [`Backend`].
macro_rules! with_kernel {
    ($backend:expr, $kernel:ident => $result:expr) => {
        match $backend.0 {
            Choice::Scalar($kernel) => $result,
            Choice::Swar($kernel) => $result,
            #[cfg(kernel = "bmi2")]
            Choice::Bmi2($kernel) => $result,
            #[cfg(kernel = "avx2")]
            Choice::Avx2($kernel) => $result,
            #[cfg(kernel = "avx512")]
            Choice::Avx512($kernel) => $result,
            #[cfg(kernel = "neon")]
            Choice::Neon($kernel) => $result,
            #[cfg(kernel = "simd128")]
            Choice::Simd128($kernel) => $result,
        }
    };
}

impl Backend {
    /// The scalar kernel.
    pub(crate) const SCALAR: Self = Self(Choice::Scalar(ScalarKernel));

    /// Returns the kernels that the CPU supports, slowest first.
    pub(crate) fn available() -> impl Iterator<Item = Self> {
        let choices = [
            Some(Choice::Scalar(ScalarKernel)),
            Some(Choice::Swar(Swar)),
            #[cfg(kernel = "bmi2")]
            Bmi2::new().map(Choice::Bmi2),
            #[cfg(kernel = "avx2")]
            Avx2::new().map(Choice::Avx2),
            #[cfg(kernel = "avx512")]
            Avx512::new().map(Choice::Avx512),
            #[cfg(kernel = "neon")]
            Some(Choice::Neon(Neon)),
            #[cfg(kernel = "simd128")]
            Some(Choice::Simd128(Simd128)),
        ];
        choices.into_iter().flatten().map(Self)
    }

    /// Limits the instructions for single values to those that the kernel uses.
    #[cfg(feature = "std")]
    pub(crate) fn limit_single_values(self) {
        #[cfg(kernel = "bmi2")]
        level::limit(match self.0 {
            Choice::Scalar(_) | Choice::Swar(_) => Level::Baseline,
            #[cfg(kernel = "avx512")]
            Choice::Avx512(_) => Level::Avx512,
            _ => Level::Bmi2,
        });
    }

    /// Returns the name of the kernel.
    pub(crate) fn name(self) -> &'static str {
        fn name_of<K: Untyped>(_: K) -> &'static str {
            K::NAME
        }
        with_kernel!(self, kernel => name_of(kernel))
    }

    /// Returns the number of complete varints in `src`.
    #[inline]
    pub(crate) fn count(self, src: &[u8]) -> usize {
        with_kernel!(self, kernel => kernel.count(src))
    }

    /// Returns the length of the first `n` varints in bytes.
    #[inline]
    pub(crate) fn skip(self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        with_kernel!(self, kernel => kernel.skip(src, n))
    }
}

/// The supertrait of `Varint`, which seals it: no other crate can implement it. It selects the
/// methods of a backend for the element type.
pub trait Sealed: Width {
    /// Returns the backend's methods for this type.
    fn slices(backend: Backend) -> impl Slices<Self>;
}

/// Implements the methods of [`Backend`] for element types.
///
/// Only the `match` is compiled in the dependent crate, so that it costs no further call. The kernels'
/// methods are compiled in this crate, since they are implemented for concrete types.
macro_rules! slices_of_backend {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Backend {
            #[inline]
            fn encode(self, src: &[$int], dst: &mut [u8]) -> Option<usize> {
                with_kernel!(self, kernel => kernel.encode(lanes(src), dst))
            }

            #[inline]
            fn decode(
                self,
                src: &[u8],
                dst: &mut [MaybeUninit<$int>],
                canonical: bool,
            ) -> Result<Progress, BulkError> {
                with_kernel!(self, kernel => kernel.decode(src, lanes_mut(dst), canonical))
            }

            #[inline]
            fn encoded_len(self, src: &[$int]) -> usize {
                with_kernel!(self, kernel => kernel.encoded_len(lanes(src)))
            }

            #[inline]
            fn deltas(self, previous: &[$int], src: &[$int], deltas: &mut [$int]) {
                with_kernel!(self, kernel => kernel.deltas(lanes(previous), lanes(src), lanes_mut(deltas)))
            }

            #[inline]
            fn add_up(self, previous: &[$int], deltas: &mut [$int]) {
                with_kernel!(self, kernel => kernel.add_up(lanes(previous), lanes_mut(deltas)))
            }
        }
    )*};
}

slices_of_backend!(u16 u32 u64 usize i16 i32 i64 isize);

// The scalar loops: values of 8 bits are cheap to encode, and those of 128 bits are rare.
impl Slices<u8> for Backend {}
impl Slices<i8> for Backend {}
impl Slices<u128> for Backend {}
impl Slices<i128> for Backend {}

macro_rules! sealed {
    ($($int:ident)*) => {$(
        impl Sealed for $int {
            #[inline]
            fn slices(backend: Backend) -> impl Slices<Self> {
                backend
            }
        }
    )*};
}

sealed!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
