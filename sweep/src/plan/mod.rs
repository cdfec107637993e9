//! The values that a sweep checks, and their division into units of work.

mod assignment;
pub(crate) mod byte_strings;
pub(crate) mod character;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod interval;
pub(crate) mod known_spaces;
pub(crate) mod list;
pub(crate) mod mode;
pub(crate) mod number_syntax;
pub(crate) mod partition;
pub(crate) mod product;
pub(crate) mod range_syntax;
pub(crate) mod sample;
pub(crate) mod scalar;
pub(crate) mod schedule;
pub(crate) mod shard;
pub(crate) mod space;
pub(crate) mod space_table;
pub(crate) mod unit_set;
