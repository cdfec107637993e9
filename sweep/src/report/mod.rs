//! The report of a sweep, as JSON and as text.

pub(crate) mod alignment;
pub(crate) mod conclusion;
pub(crate) mod decimal;
pub(crate) mod numbers;
pub(crate) mod output_file;
pub(crate) mod printable;
pub(crate) mod sweep_report;
pub(crate) mod text_report;
