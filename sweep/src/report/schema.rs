//! The JSON Schema of the reports.

/// The JSON Schema (draft 2020-12) of everything that sweeps write as JSON: the reports of sweeps,
/// merges, comparisons and sweeps of byte strings, estimates, and the status.
///
/// Each kind has a name under `$defs`: `report`, `comparison`, `bytes`, `estimate` and `status`.
pub const JSON_SCHEMA: &str = include_str!("schema.json");
