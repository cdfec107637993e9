//! The JSON Schema of the reports.

/// The JSON Schema (draft 2020-12) of everything that sweeps write as JSON: the reports of sweeps
/// and merges, the status, and lists of failures.
///
/// Each kind has a name under `$defs`: `report`, `reports`, `status` and
/// `failure_record`.
pub const JSON_SCHEMA: &str = include_str!("schema.json");
