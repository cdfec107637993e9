//! What the kernels for vectors of 16 bytes, NEON and SIMD128, have in common: constant tables, and
//! the arithmetic of windows that needs no vector.

pub(super) mod tables;
pub(super) mod window;
