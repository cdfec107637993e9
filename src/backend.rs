//! The traits that a kernel implements. Every method defaults to the scalar loop, so that a kernel
//! overrides only what it speeds up.

use core::mem::MaybeUninit;

use crate::error::{BulkError, DecodeError, Progress};
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
}

/// The name of a kernel, and its functions that need no element type.
pub(crate) trait Untyped {
    /// The name in lower case.
    const NAME: &'static str;

    /// Returns the number of complete varints in `src`.
    fn count(&self, src: &[u8]) -> usize {
        slice::count(src)
    }

    /// Returns the length of the first `n` varints in bytes.
    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        slice::skip(src, n)
    }
}
