//! The report of a sweep: as JSON, as text, and as JUnit XML.

pub(crate) mod conclusion;
pub(crate) mod decimal;
pub(crate) mod output_file;
pub(crate) mod printable;
pub(crate) mod sweep_cases;
pub(crate) mod sweep_report;
pub(crate) mod test_suite;
pub(crate) mod text_report;

/// The JSON Schema (draft 2020-12) of everything that sweeps write as JSON: the reports of sweeps
/// and merges, the status, and lists of failures.
///
/// Each kind has a name under `$defs`: `report`, `reports`, `status` and
/// `failure_record`.
pub const JSON_SCHEMA: &str = include_str!("schema.json");
