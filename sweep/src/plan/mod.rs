//! The values that a sweep checks, and their division into units of work.

pub(crate) mod byte_strings;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod interval;
pub(crate) mod list;
pub(crate) mod number_syntax;
pub(crate) mod partition;
pub(crate) mod product;
pub(crate) mod sample;
pub(crate) mod scalar;
pub(crate) mod schedule;
pub(crate) mod shard;
pub(crate) mod space;
pub(crate) mod space_names;
