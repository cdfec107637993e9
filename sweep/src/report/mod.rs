//! The report of a sweep: as JSON, as text, and as JUnit XML.

pub(crate) mod alignment;
pub(crate) mod comparison_text;
pub(crate) mod conclusion;
pub(crate) mod decimal;
pub(crate) mod output_file;
pub(crate) mod printable;
pub(crate) mod schema;
pub(crate) mod sweep_cases;
pub(crate) mod sweep_report;
pub(crate) mod test_suite;
pub(crate) mod text_report;
