//! The kernels for slices, and the call of the one that was chosen, by a `match` in each function.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::mem::MaybeUninit;

use crate::error::{BulkError, DecodeError, Progress};
#[cfg(kernel = "avx2")]
use crate::simd::avx2::Avx2;
#[cfg(kernel = "avx512")]
use crate::simd::avx512::Avx512;
#[cfg(kernel = "bmi2")]
use crate::simd::bmi2::Bmi2;
use crate::simd::lane::{SameWidth, lanes, lanes_mut};
#[cfg(kernel = "neon")]
use crate::simd::neon::Neon;
use crate::simd::scalar::ScalarKernel;
#[cfg(kernel = "simd128")]
use crate::simd::simd128::Simd128;
#[cfg(all(feature = "std", kernel = "bmi2"))]
use crate::simd::single::level::{self, Level};
use crate::simd::slices::{Slices, Untyped};
use crate::simd::swar::Swar;

/// An implementation of the slice functions for one instruction set.
///
/// All kernels give the same results, including errors; they differ in speed.
///
/// The free functions ([`encode_slice`](crate::encode_slice) and the others) choose the fastest
/// kernel themselves, unless [`Kernel::set_default`] has set another one. Use this type in tests and
/// benchmarks that compare kernels. A `Kernel` exists only for instruction sets that the CPU has.
///
/// ```
/// use zigzag_varint::Kernel;
///
/// for kernel in Kernel::available() {
///     let mut bytes = [0; 3];
///     assert_eq!(kernel.encode_slice::<u64>(&[1, 300], &mut bytes), Ok(3));
///     assert_eq!(bytes, [0x01, 0xac, 0x02], "{kernel}");
/// }
/// ```
// Each method chooses the implementation by a `match` and calls it directly, so that the linker
// keeps only the code for the types and directions that a program uses. A trait object would refer
// to all of it.
#[derive(Clone, Copy)]
pub struct Kernel(Choice);

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

/// Evaluates an expression with the implementation of a [`Kernel`].
macro_rules! with_kernel {
    ($self:expr, $kernel:ident => $result:expr) => {
        match $self.0 {
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

impl Kernel {
    /// The scalar kernel: plain loops without special instructions, available on every machine.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::SCALAR.name(), "scalar");
    /// ```
    pub const SCALAR: Self = Self(Choice::Scalar(ScalarKernel));

    /// Returns every kernel that this CPU supports, slowest first.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let names: Vec<_> = Kernel::available().map(Kernel::name).collect();
    /// assert_eq!(names[0], "scalar");
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
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

    /// Returns the kernel of that name, or `None` if this CPU does not support it or no kernel has
    /// the name.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// assert_eq!(Kernel::by_name("scalar"), Some(Kernel::SCALAR));
    /// assert_eq!(Kernel::by_name("abacus"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|kernel| kernel.name() == name)
    }

    /// Returns the name of the kernel, in lower case.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let kernel = Kernel::detect();
    /// assert_eq!(Kernel::by_name(kernel.name()), Some(kernel));
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        fn name_of<K: Untyped>(_: K) -> &'static str {
            K::NAME
        }
        with_kernel!(self, kernel => name_of(kernel))
    }

    /// Returns the same as [`count`](crate::count), computed with this kernel.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().count(&[0x01, 0xac, 0x02, 0x80]), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn count(self, src: &[u8]) -> usize {
        with_kernel!(self, kernel => kernel.count(src))
    }

    /// Returns the same as [`skip_values`](crate::skip_values), computed with this kernel.
    ///
    /// # Errors
    ///
    /// `Truncated` if `src` holds fewer than `n` complete varints.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::detect().skip_values(&[0x01, 0xac, 0x02, 0x07], 2), Ok(3));
    /// ```
    #[inline]
    pub fn skip_values(self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        with_kernel!(self, kernel => kernel.skip(src, n))
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
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({})", self.name())
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Kernel {}

impl Hash for Kernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// The supertrait of `Varint`, which seals it: no other crate can implement it. It selects the
/// methods of a kernel for the element type.
pub trait Sealed:
    SameWidth<Unsigned = <Self as Sealed>::AsUnsigned, Signed = <Self as Sealed>::AsSigned>
{
    /// `SameWidth::Unsigned`, which is sealed too.
    type AsUnsigned: Sealed;
    /// `SameWidth::Signed`, which is sealed too.
    type AsSigned: Sealed;

    /// Returns the kernel's methods for this type.
    fn slices(kernel: Kernel) -> impl Slices<Self>;
}

/// Implements the methods of [`Kernel`] for element types.
///
/// Only the `match` is compiled in the dependent crate, so that it costs no further call. The kernels'
/// methods are compiled in this crate, since they are implemented for concrete types.
macro_rules! slices_of_kernel {
    ($($int:ident)*) => {$(
        impl Slices<$int> for Kernel {
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

slices_of_kernel!(u16 u32 u64 usize i16 i32 i64 isize);

// The scalar loops: values of 8 bits are cheap to encode, and those of 128 bits are rare.
impl Slices<u8> for Kernel {}
impl Slices<i8> for Kernel {}
impl Slices<u128> for Kernel {}
impl Slices<i128> for Kernel {}

macro_rules! sealed {
    ($($int:ident)*) => {$(
        impl Sealed for $int {
            type AsUnsigned = <$int as SameWidth>::Unsigned;
            type AsSigned = <$int as SameWidth>::Signed;

            #[inline]
            fn slices(kernel: Kernel) -> impl Slices<Self> {
                kernel
            }
        }
    )*};
}

sealed!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
