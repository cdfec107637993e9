//! Checks blocks of inputs: the check, its driver, and codecs with their oracles.

pub(crate) mod codec;
pub(crate) mod compare;
pub(crate) mod driver;
pub(crate) mod failure;
pub(crate) mod fixed_length;
pub(crate) mod function;
pub(crate) mod isolation;
pub(crate) mod leb128;
pub(crate) mod oracle;
pub(crate) mod panics;
pub(crate) mod round_trip;
pub(crate) mod subject;
