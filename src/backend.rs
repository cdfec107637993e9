//! What a kernel has to offer. Every method defaults to the scalar loop, so a backend overrides what it speeds up.

use core::mem::MaybeUninit;
use core::panic::RefUnwindSafe;

use crate::error::{BulkError, DecodeError, Progress};
use crate::scalar::{delta, slice};
use crate::width::Width;

/// Slices of one element type. Results are exactly those of the scalar loop, on every input.
pub trait Slices<T: Width> {
    /// Encodes all of `src`; the bytes used, or `None` where `dst` is too short.
    fn encode(&self, src: &[T], dst: &mut [u8]) -> Option<usize> {
        slice::encode(src, dst, Progress::default())
    }

    /// Decodes until `src` or `dst` ends.
    fn decode(&self, src: &[u8], dst: &mut [MaybeUninit<T>]) -> Result<Progress, BulkError> {
        slice::decode::<T, false>(src, dst, Progress::default())
    }

    /// Decodes until `src` or `dst` ends, rejecting overlong forms.
    fn decode_canonical(&self, src: &[u8], dst: &mut [MaybeUninit<T>]) -> Result<Progress, BulkError> {
        slice::decode::<T, true>(src, dst, Progress::default())
    }

    /// Bytes that `encode` would use.
    fn encoded_len(&self, src: &[T]) -> usize {
        slice::encoded_len(src)
    }

    /// Fills `deltas` with what stands for the values of `src`, of which there are as many, behind `previous`.
    fn deltas(&self, previous: T, src: &[T], deltas: &mut [T]) {
        delta::deltas(previous, src, deltas);
    }

    /// Turns deltas into values; the last one, or `previous` where there is none.
    fn add_up(&self, previous: T, deltas: &mut [T]) -> T {
        delta::add_up(previous, deltas)
    }
}

/// Every element type, and what needs none.
pub trait Backend:
    Slices<u8>
    + Slices<u16>
    + Slices<u32>
    + Slices<u64>
    + Slices<u128>
    + Slices<usize>
    + Slices<i8>
    + Slices<i16>
    + Slices<i32>
    + Slices<i64>
    + Slices<i128>
    + Slices<isize>
    + Sync
    + RefUnwindSafe
{
    /// The name that users know it by, in lower case.
    fn name(&self) -> &'static str;

    /// Complete varints in `src`.
    fn count(&self, src: &[u8]) -> usize {
        slice::count(src)
    }

    /// Bytes of the first `n` varints.
    fn skip(&self, src: &[u8], n: usize) -> Result<usize, DecodeError> {
        slice::skip(src, n)
    }
}

/// The scalar loops, as they are.
pub(crate) struct Scalar;

impl<T: Width> Slices<T> for Scalar {}

impl Backend for Scalar {
    fn name(&self) -> &'static str {
        "scalar"
    }
}

/// The supertrait of `Varint` that no other crate can implement: how an element type finds its methods in a backend.
pub trait Sealed: Width {
    /// The backend's methods for this type.
    fn slices(backend: &'static dyn Backend) -> &'static dyn Slices<Self>;
}

macro_rules! sealed {
    ($($int:ident)*) => {$(
        impl Sealed for $int {
            #[inline]
            fn slices(backend: &'static dyn Backend) -> &'static dyn Slices<Self> {
                backend
            }
        }
    )*};
}

sealed!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
