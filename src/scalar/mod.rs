//! The scalar codec: safe, portable and complete. The kernels are tested and measured against it.

pub(crate) mod delta;
pub(crate) mod padding;
pub(crate) mod rule;
pub(crate) mod slice;
pub(crate) mod value;
pub(crate) mod word;
