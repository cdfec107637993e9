//! The trait that a kernel implements. Every method defaults to the scalar loop, so that a kernel
//! overrides only what it speeds up.

use core::mem::MaybeUninit;

use crate::error::{BulkError, Progress};
use crate::scalar::{delta, slice};
use crate::width::Width;

/// The functions on slices of one element type. On every input, an implementation gives exactly the
/// results of the scalar loop.
///
/// The decoders write only initialized values to `dst`, and never read from it. They have written
/// all slots up to the `values` that they report, in `Ok` and in an error. The unsafe code in
/// `simd/destination.rs` relies on this.
pub trait Slices<T: Width>: Copy {
    /// Encodes all of `src` and returns the number of bytes written, or `None` if `dst` is too
    /// small.
    fn encode(self, src: &[T], dst: &mut [u8]) -> Option<usize> {
        slice::encode(src, dst, Progress::default())
    }

    /// Decodes until `src` is exhausted or `dst` is full. Rejects overlong encodings if `canonical` is
    /// set.
    #[inline]
    fn decode(self, src: &[u8], dst: &mut [MaybeUninit<T>], canonical: bool) -> Result<Progress, BulkError> {
        slice::decode(src, dst, Progress::default(), canonical)
    }

    /// Returns the number of bytes that `encode` would write.
    fn encoded_len(self, src: &[T]) -> usize {
        slice::encoded_len(src)
    }

    /// Fills `deltas` with the differences between each value of `src` and the one that is
    /// `previous.len()` values before it. The first values follow `previous`. Both slices have the
    /// same length.
    fn deltas(self, previous: &[T], src: &[T], deltas: &mut [T]) {
        delta::deltas(previous, src, deltas);
    }

    /// Turns these differences into values in place.
    fn add_up(self, previous: &[T], deltas: &mut [T]) {
        delta::add_up(previous, deltas);
    }

    /// Returns the index of the first value whose difference cannot be written, or which is a sum that
    /// wrapped around. `values` follow `previous`, as for `deltas`.
    fn first_wrong(self, _previous: &[T], _values: &[T]) -> Option<usize> {
        None
    }
}

/// Implements [`Slices`] of every lane for a kernel of that name, and its functions that need no element
/// type.
///
/// The kernel encodes and decodes by the given expressions, or by those in `simd::scalar`, which the
/// caller imports, where the `if` of an expression is false. The other functions are in the
/// given module: scalar loops, compiled for the instructions of the kernel.
///
/// The implementation is generic, so that only the functions and types that a dependent crate uses are
/// compiled, in that crate. To compile all of them here would take more time than all the rest.
macro_rules! slices {
    ($kernel:ident $name:literal $loops:ident {
        encode($encode_src:ident, $encode_dst:ident) $(if $encode_pays:expr)? => $encode:expr,
        decode($self:ident, $decode_src:ident, $decode_dst:ident, $canonical:ident) $(if $decode_pays:expr)? => $decode:expr,
    }) => {
        // SAFETY (of each block): `self` exists, so the CPU has every feature that the function
        // enables. The functions of some kernels enable none, and are safe.
        #[allow(unused_unsafe, clippy::undocumented_unsafe_blocks)]
        impl<T: $crate::simd::lane::Lane> $crate::simd::slices::Slices<T> for $kernel {
            fn encode(self, $encode_src: &[T], $encode_dst: &mut [u8]) -> Option<usize> {
                $(if !$encode_pays {
                    return scalar::encode($encode_src, $encode_dst, Default::default());
                })?
                unsafe { $encode }
            }

            fn decode(
                $self,
                $decode_src: &[u8],
                $decode_dst: &mut [core::mem::MaybeUninit<T>],
                $canonical: bool,
            ) -> Result<$crate::error::Progress, $crate::error::BulkError> {
                $(if !$decode_pays {
                    return scalar::decode($decode_src, $decode_dst, Default::default(), $canonical);
                })?
                unsafe { $decode }
            }

            fn encoded_len(self, src: &[T]) -> usize {
                unsafe { $loops::encoded_len(src) }
            }

            fn deltas(self, previous: &[T], src: &[T], deltas: &mut [T]) {
                unsafe { $loops::deltas(previous, src, deltas) }
            }

            fn add_up(self, previous: &[T], deltas: &mut [T]) {
                unsafe { $loops::add_up(previous, deltas) }
            }
        }

        #[allow(unused_unsafe, clippy::undocumented_unsafe_blocks)] // as above
        impl $kernel {
            /// Returns the name in lower case.
            pub(crate) fn name(self) -> &'static str {
                $name
            }

            /// Returns the number of complete varints in `src`.
            pub(crate) fn count(self, src: &[u8]) -> usize {
                unsafe { $loops::count(src) }
            }

            /// Returns the length of the first `n` varints in bytes.
            pub(crate) fn skip(self, src: &[u8], n: usize) -> Result<usize, $crate::error::DecodeError> {
                unsafe { $loops::skip(src, n) }
            }
        }
    };
}

pub(super) use slices;
