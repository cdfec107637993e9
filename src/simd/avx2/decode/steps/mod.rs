//! The steps of the decoder, and the position that only they can advance.

mod at;
mod buffer;
mod dense;
mod sparse;
mod squeeze;
mod uniform;
mod window;

pub(super) use at::{At, rest, some};
pub(super) use buffer::Buffer;
pub(super) use dense::dense;
pub(super) use sparse::sparse;
pub(super) use uniform::uniform;
pub(super) use window::{OVERHANG, WINDOW, Window};
#[cfg(kernel = "avx512")]
pub(in crate::simd) use {dense::dense_from, uniform::uniform_from};
