//! The choice of the code for slices: made once, at run time, by the features of the CPU.

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::dispatch::Backend;

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
#[derive(Clone, Copy)]
pub struct Kernel(Backend);

impl Kernel {
    /// The scalar kernel: plain loops without special instructions, available on every machine.
    ///
    /// ```
    /// assert_eq!(zigzag_varint::Kernel::SCALAR.name(), "scalar");
    /// ```
    pub const SCALAR: Self = Self(Backend::SCALAR);

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
    /// vector instructions), `bmi2` and `avx2`. Both `swar` and the scalar kernel are always built.
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
        kernel.0.limit_single_values();
        Ok(())
    }

    fn fastest() -> Self {
        Self::available().last().unwrap_or(Self::SCALAR)
    }

    /// Returns every kernel that this CPU supports, slowest first.
    ///
    /// ```
    /// use zigzag_varint::Kernel;
    ///
    /// let names: Vec<_> = Kernel::available().map(Kernel::name).collect();
    /// assert_eq!(names[0], "scalar");
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        Backend::available().map(Self)
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
        self.0.name()
    }

    pub(crate) fn backend(self) -> Backend {
        self.0
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
