//! `sweep estimate`: measures how long a sweep would take.

use std::path::PathBuf;

use clap::Args;
use varint_sweep::Integer;
use zigzag_varint::Integer as VarintInteger;

use super::PROGRAM;
use super::console::note;
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::help_headings::{LARGE, OUTPUT};
use super::integer_type::with_type;
use super::plan_arguments::PlanArguments;
use super::report_output::ReportOutput;
use super::status_signal::StatusAnswer;
use super::value_parsers::positive;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[(0, "estimated"), (2, "invalid arguments"), (3, "a file cannot be written")],
    examples: &[
        ("sweep estimate", "estimate a sweep of all i64 on this machine"),
        ("sweep estimate --type u32 --cores 1000", "estimate a sweep of all u32, here and on 1000 cores"),
        ("sweep estimate --exec \"java Varint.java\"", "estimate a codec in another language"),
    ],
};

/// Estimate how long a sweep would take
///
/// Measures the speed of the codec for a second or two. Prints how long the sweep would take on
/// this machine and on larger ones, and how large a sample must be to rule out a given failure
/// rate.
#[derive(Args)]
pub(crate) struct EstimateCommand {
    #[command(flatten)]
    plan: PlanArguments,
    /// Also estimate for N cores like those of this machine
    #[arg(long, value_name = "N", value_parser = positive, help_heading = LARGE)]
    cores: Option<u64>,
    /// Write the estimate to FILE as JSON; - is standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
}

impl EstimateCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        with_type!(self.plan.value_type(), estimate(self))
    }
}

fn estimate<T: Integer + VarintInteger>(arguments: &EstimateCommand) -> Result<ExitCode, Error> {
    let sweep = arguments.plan.sweep::<T>()?;
    let codec = arguments.plan.codecs.one::<T>()?;
    let output = ReportOutput::open("estimate", arguments.json.as_deref(), false)?;
    let _answer = StatusAnswer::set(|| note("measuring the speed of the codec, which takes a second or two"));
    // If the sweep cannot be measured, the arguments are the cause.
    let estimate = sweep.estimate(&codec).map_err(Error::usage)?;
    let cores = arguments.cores.unwrap_or(estimate.cores);
    let estimate = estimate.on_cores(cores).for_program(PROGRAM);
    output.deliver(&estimate, &estimate.to_string())?;
    Ok(ExitCode::Success)
}
