//! `sweep estimate`: measures how long a sweep would take.

use std::path::PathBuf;

use clap::Args;
use varint_sweep::Integer;
use zigzag_varint::Varint;

use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::help_headings::{LARGE, OUTPUT};
use super::integer_type::with_type;
use super::plan_arguments::PlanArguments;
use super::report_output::ReportOutput;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[(0, "estimated"), (2, "wrong usage"), (3, "a file cannot be written")],
    examples: &[
        ("sweep estimate", "all of i64, here"),
        ("sweep estimate --type u32 --cores 1000", "on a cluster as well"),
        ("sweep estimate --exec \"java Varint.java\"", "of a codec in another language"),
    ],
};

/// Measure how long a sweep would take
///
/// Measures for a second or two how long a sweep would take, here and on other machines, and what a sample would say.
#[derive(Args)]
pub(crate) struct EstimateCommand {
    #[command(flatten)]
    plan: PlanArguments,
    /// Calculate for N cores like these as well
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = LARGE)]
    cores: Option<u64>,
    /// Write the estimate as JSON to FILE; -: to standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
}

impl EstimateCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        with_type!(self.plan.value_type, estimate(self))
    }
}

fn estimate<T: Integer + Varint>(arguments: &EstimateCommand) -> Result<ExitCode, Error> {
    let sweep = arguments.plan.sweep::<T>()?;
    let codec = arguments.plan.codec::<T>()?;
    let output = ReportOutput::open(arguments.json.as_deref(), false)?;
    // Whatever keeps the sweep from being measured is a matter of the arguments.
    let estimate = sweep.estimate(&codec).map_err(Error::usage)?;
    let cores = arguments.cores.unwrap_or(estimate.cores);
    let estimate = estimate.on_cores(cores);
    output.deliver(&estimate, &estimate.to_string())?;
    Ok(ExitCode::Success)
}
