//! The kernels for slices, and the call of the one that was chosen, by a `match` in each function.

pub(crate) mod default;
mod slices;
mod slices128;

use core::fmt;

use crate::error::DecodeError;
#[cfg(kernel = "avx2")]
use crate::simd::avx2::Avx2;
#[cfg(kernel = "avx512")]
use crate::simd::avx512::Avx512;
use crate::simd::scalar::ScalarKernel;
#[cfg(all(feature = "std", kernel = "avx2"))]
use crate::simd::single::level::{self, Level};
use crate::simd::swar::Swar;
#[cfg(kernel = "neon")]
use crate::simd::vector128::neon::Neon;
#[cfg(kernel = "simd128")]
use crate::simd::vector128::simd128::Simd128;
#[cfg(kernel = "sse")]
use crate::simd::vector128::sse::Sse;

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
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kernel(Choice);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Choice {
    Scalar(ScalarKernel),
    Swar(Swar),
    #[cfg(kernel = "sse")]
    Sse(Sse),
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
            #[cfg(kernel = "sse")]
            Choice::Sse($kernel) => $result,
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
use with_kernel;

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
            #[cfg(kernel = "sse")]
            Sse::new().map(Choice::Sse),
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
        with_kernel!(self, kernel => kernel.name())
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
        #[cfg(kernel = "avx2")]
        level::limit(match self.0 {
            Choice::Scalar(_) | Choice::Swar(_) | Choice::Sse(_) => Level::Baseline,
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
