//! The default kernel of the process.

#[cfg(feature = "std")]
use core::fmt;

use super::Kernel;

impl Kernel {
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
