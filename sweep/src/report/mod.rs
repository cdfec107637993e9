//! The report of a sweep: as JSON, as text, and as JUnit XML.

pub(crate) mod conclusion;
pub(crate) mod decimal;
pub(crate) mod junit;
pub(crate) mod output_file;
pub(crate) mod printable;
pub(crate) mod sweep_report;
pub(crate) mod text_report;
