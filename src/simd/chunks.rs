//! `as_chunks` of slices, which the standard library has since Rust 1.88.

/// Returns the whole chunks of `N` elements, and the remaining elements.
#[inline(always)]
pub(crate) const fn as_chunks<T, const N: usize>(slice: &[T]) -> (&[[T; N]], &[T]) {
    let (chunks, rest) = slice.split_at(slice.len() / N * N);
    // SAFETY: `[T; N]` has the layout of `N` elements, and `chunks` has the elements of
    // `chunks.len() / N` arrays.
    (unsafe { core::slice::from_raw_parts(chunks.as_ptr().cast(), chunks.len() / N) }, rest)
}
