//! `sweep merge`: the union of shards.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use varint_sweep::Text;
use varint_sweep::merge::{Finding, merge};

use super::arguments::OUTPUT;
use super::console::{FAILURES, FILE, Json, deliver, fail};
use super::ending::Ending;

pub(crate) const ENDING: Ending = Ending {
    exit_codes: &[
        (0, "complete and clean"),
        (1, "failures, gaps, overlaps or duplicates"),
        (2, "wrong usage"),
        (3, "a file cannot be used or is of another sweep"),
    ],
    examples: &[
        ("sweep merge shard-*.json", "one report of all shards"),
        ("sweep merge shard-*.json --json all.json", "and keep it"),
    ],
};

/// Merge the reports or checkpoints of shards
///
/// Names gaps, overlaps and reports of other sweeps, and adds up the rest.
#[derive(Args)]
pub(crate) struct Merge {
    /// Files that --json or --checkpoint wrote
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    /// Write the union as JSON to FILE; -: to standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(short, long, help_heading = OUTPUT)]
    quiet: bool,
}

impl Merge {
    pub(crate) fn run(&self) -> ExitCode {
        let json = match self.json.as_deref().map(Json::open).transpose() {
            Ok(json) => json,
            Err(message) => return fail(FILE, message),
        };
        let merged = merge(&self.reports);
        let mut code = ExitCode::SUCCESS;
        if merged.report.as_ref().is_none_or(|report| report.failures > 0) || !merged.findings.is_empty() {
            code = ExitCode::from(FAILURES);
        }
        for finding in &merged.findings {
            fail(FAILURES, finding);
        }
        if merged.findings.iter().any(Finding::is_mismatch) {
            code = ExitCode::from(FILE);
        }
        match &merged.report {
            Some(report) => deliver(report, &Text(report).to_string(), json, self.quiet, code),
            None => code,
        }
    }
}
