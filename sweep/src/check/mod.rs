//! Checks one block of values: the codec, the oracle and the comparison.

pub(crate) mod call;
pub(crate) mod checker;
pub(crate) mod codec;
pub(crate) mod compare;
pub(crate) mod failure;
pub(crate) mod fixed_length;
pub(crate) mod function;
pub(crate) mod observer;
pub mod oracle;
pub(crate) mod panics;
pub(crate) mod subject;
