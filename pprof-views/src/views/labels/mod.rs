//! The labels of samples. Each has a key, and a text or a number with a unit. A sample can have several
//! labels with one key.

mod filter;
mod roots;
mod values;

pub(super) use filter::LabelFilter;
pub(super) use roots::{has_key, with_roots};
pub(super) use values::{Units, limit, shortened};
