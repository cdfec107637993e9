//! The kernels for slices, and the call of the one that was chosen, by a `match` in each function.

use core::fmt;
use core::mem::MaybeUninit;

use crate::error::{BulkError, DecodeError, Progress};
#[cfg(kernel = "avx2")]
use crate::simd::avx2::Avx2;
#[cfg(kernel = "avx512")]
use crate::simd::avx512::Avx512;
use crate::simd::lane::{cast, cast_mut};
use crate::simd::scalar::ScalarKernel;
#[cfg(all(feature = "std", kernel = "avx2"))]
use crate::simd::single::level::{self, Level};
use crate::simd::slices::{Slices, Untyped};
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
        #[cfg(kernel = "avx2")]
        level::limit(match self.0 {
            Choice::Scalar(_) | Choice::Swar(_) | Choice::Sse(_) => Level::Baseline,
            #[cfg(kernel = "avx512")]
            Choice::Avx512(_) => Level::Avx512,
            _ => Level::Bmi2,
        });
    }

    /// Returns the default kernel, which the free functions use: the fastest that this CPU supports,
    /// or the one that [`Kernel::set_default`] has set.
    ///
    /// With feature `std` the CPU is queried at run time. Without it, the target features of the
    /// compilation decide.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// assert_eq!(Some(Kernel::detect()), Kernel::available().last());
    /// ```
    #[inline]
    pub fn detect() -> Self {
        #[cfg(feature = "std")]
        {
            *DEFAULT.get_or_init(Self::fastest)
        }
        #[cfg(not(feature = "std"))]
        Self::fastest()
    }

    /// Sets the default kernel of the process.
    ///
    /// The functions for single values then use no instructions that the kernel does not use. Call
    /// this function at the start of the program. A library should leave the choice to the program.
    ///
    /// The `cfg` `zigzag_varint_max_kernel` leaves kernels out of the build instead, for instance
    /// `RUSTFLAGS='--cfg zigzag_varint_max_kernel="avx2"'`. The values are `swar` (no kernel with
    /// vector instructions), `sse` and `avx2`. Both `swar` and the scalar kernel are always built.
    ///
    /// # Errors
    ///
    /// Returns an error if another kernel is already in use. The first call of a function on slices
    /// chooses the default.
    ///
    /// # Examples
    ///
    /// A program that never uses the AVX-512 kernel:
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let kernel = Kernel::available().filter(|kernel| kernel.name() != "avx512").last();
    /// Kernel::set_default(kernel.unwrap_or(Kernel::SCALAR))?;
    /// assert_ne!(Kernel::detect().name(), "avx512");
    /// # Ok::<(), zigzag_varint::DefaultKernelError>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn set_default(kernel: Self) -> Result<(), DefaultKernelError> {
        let in_use = *DEFAULT.get_or_init(|| kernel);
        if in_use != kernel {
            return Err(DefaultKernelError { in_use });
        }
        kernel.limit_single_values();
        Ok(())
    }

    fn fastest() -> Self {
        Self::available().last().unwrap_or(Self::SCALAR)
    }
}

/// The default kernel of the process.
#[cfg(feature = "std")]
static DEFAULT: std::sync::OnceLock<Kernel> = std::sync::OnceLock::new();

/// The error of [`Kernel::set_default`]: another kernel is already in use.
///
/// ```
/// use zigzag_varint::{Kernel, decode_slice};
///
/// decode_slice(&[7; 8], &mut [0u64; 8])?;
/// if Kernel::detect() != Kernel::SCALAR {
///     let error = Kernel::set_default(Kernel::SCALAR).unwrap_err();
///     assert!(error.to_string().contains("is already in use"));
/// }
/// # Ok::<(), zigzag_varint::BulkError>(())
/// ```
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DefaultKernelError {
    in_use: Kernel,
}

#[cfg(feature = "std")]
impl fmt::Display for DefaultKernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "default kernel: {} is already in use; set the default before any slice is processed",
            self.in_use
        )
    }
}

#[cfg(feature = "std")]
impl std::error::Error for DefaultKernelError {}

#[cfg(all(feature = "std", feature = "defmt"))]
impl defmt::Format for DefaultKernelError {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "DefaultKernelError {{ in_use: {=str} }}", self.in_use.name());
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
