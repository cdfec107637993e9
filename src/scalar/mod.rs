//! The scalar codec: safe, portable, complete. What the kernels are measured and tested against.

pub(crate) mod delta;
pub(crate) mod slice;
pub(crate) mod value;
pub(crate) mod word;
