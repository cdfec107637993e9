//! `sweep merge`: merges the reports of shards.

use std::path::PathBuf;

use clap::Args;
use every_input::merge::{Finding, merge};

use crate::arguments::common::ReportArguments;
use crate::output::console::{error_message, print_error};
use crate::output::error::{Error, ExitCode};
use crate::output::files::{NamedFile, check_distinct};

const ENDING: &str = "\
Exit codes:
    0  complete, no failure
    1  failures, gaps, overlaps or duplicates
    2  invalid arguments
    3  a file cannot be used or belongs to another sweep

Examples:
  sweep merge shard-*.json                  print one report for all shards
  sweep merge shard-*.json --json all.json  also write it to a file
";

/// Merge the reports or checkpoints of shards
///
/// Adds up the reports of the shards of one sweep. Gaps, overlaps, duplicates and reports of other
/// sweeps are listed as errors.
#[derive(Args)]
#[command(after_long_help = ENDING)]
pub(crate) struct MergeCommand {
    /// Files written by --json or --checkpoint
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    #[command(flatten)]
    output: ReportArguments,
}

impl MergeCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        let inputs = self.reports.iter().map(|path| NamedFile::input("REPORT", &**path));
        check_distinct(&inputs.chain(self.output.files()).collect::<Vec<_>>())?;
        let mut output = self.output.open()?;
        let mut merged = merge(&self.reports);
        merged.findings.iter().for_each(error_message);
        let is_clean =
            merged.findings.is_empty() && merged.report.as_ref().is_some_and(|report| report.failures == 0);
        let unwritten = output.write_junit(&merged.junit()).map_err(print_error).err();
        let code = match &unwritten {
            Some(error) => error.exit_code,
            None if merged.findings.iter().any(Finding::is_mismatch) => ExitCode::File,
            None if is_clean => ExitCode::Success,
            None => ExitCode::Failures,
        };
        if let Some(report) = &mut merged.report {
            report.exit_code = Some(code as u8);
        }
        output.deliver(merged.report.as_ref(), &format!("{merged:#}"))?;
        Ok(code)
    }
}
