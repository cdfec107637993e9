//! Byte arrays as slices, in `const` functions that are generic over the array, and slices as arrays.

use core::fmt::Debug;
use core::iter::FusedIterator;

/// An array of bytes, `[u8; N]`.
///
/// # Safety
///
/// Every byte of an implementor is initialized, and any value of it may be read as a `u8`.
pub unsafe trait ByteArray:
    Copy
    + Debug
    + Send
    + Sync
    + Unpin
    + AsRef<[u8]>
    + IntoIterator<Item = u8, IntoIter: Clone + Debug + ExactSizeIterator + FusedIterator>
{
}

// SAFETY: an array of `u8` consists of nothing but initialized bytes.
unsafe impl<const N: usize> ByteArray for [u8; N] {}

/// Returns the first `len` bytes of `array`, or all of it if it is shorter.
#[inline]
pub(crate) const fn first<A: ByteArray>(array: &A, len: usize) -> &[u8] {
    let size = size_of::<A>();
    let len = if len < size { len } else { size };
    // SAFETY: the pointer is valid for `size` initialized bytes, and `len` is at most `size`. A
    // `u8` needs no alignment. The lifetime is that of `array`.
    unsafe { core::slice::from_raw_parts((&raw const *array).cast(), len) }
}

/// Returns the whole chunks of `N` elements, and the remaining elements, as `as_chunks` of slices does
/// since Rust 1.88.
#[inline(always)]
pub(crate) const fn as_chunks<T, const N: usize>(slice: &[T]) -> (&[[T; N]], &[T]) {
    let (chunks, rest) = slice.split_at(slice.len() / N * N);
    // SAFETY: `[T; N]` has the layout of `N` elements, and `chunks` has the elements of
    // `chunks.len() / N` arrays.
    (unsafe { core::slice::from_raw_parts(chunks.as_ptr().cast(), chunks.len() / N) }, rest)
}
