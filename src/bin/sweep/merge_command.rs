//! `sweep merge`: merges the reports of shards.

use std::path::PathBuf;

use clap::{Arg, Args};
use varint_sweep::Text;
use varint_sweep::merge::{Finding, merge};

use super::console::error_message;
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::report_arguments::ReportArguments;

pub(crate) const ENDING: HelpEnding = HelpEnding {
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
#[command(mut_args(names_the_union))]
pub(crate) struct MergeCommand {
    /// Files that --json or --checkpoint wrote
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    #[command(flatten)]
    output: ReportArguments,
}

/// Adapts the help of `--json`: the report of this command is the union.
fn names_the_union(arg: Arg) -> Arg {
    if arg.get_id() == "json" {
        arg.help("Write the union as JSON to FILE; -: to standard output")
    } else {
        arg
    }
}

impl MergeCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        let output = self.output.open()?;
        let merged = merge(&self.reports);
        merged.findings.iter().for_each(error_message);
        let is_clean =
            merged.findings.is_empty() && merged.report.as_ref().is_some_and(|report| report.failures == 0);
        if let Some(report) = &merged.report {
            output.deliver(report, &Text(report).to_string())?;
        }
        Ok(if merged.findings.iter().any(Finding::is_mismatch) {
            ExitCode::File
        } else if is_clean {
            ExitCode::Success
        } else {
            ExitCode::Failures
        })
    }
}
