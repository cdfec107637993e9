//! `sweep estimate`: how long it would take.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use varint_sweep::Integer;
use zigzag_varint::VarInt;

use super::arguments::{LARGE, OUTPUT, PlanArguments, with_type};
use super::console::{FILE, Json, USAGE, deliver, fail};
use super::ending::Ending;

pub(crate) const ENDING: Ending = Ending {
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
pub(crate) struct Estimate {
    #[command(flatten)]
    plan: PlanArguments,
    /// Calculate for N cores like these as well
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = LARGE)]
    cores: Option<u64>,
    /// Write the estimate as JSON to FILE; -: to standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
}

impl Estimate {
    pub(crate) fn run(&self) -> ExitCode {
        with_type!(self.plan.value_type, estimate(self))
    }
}

fn estimate<T: Integer + VarInt>(arguments: &Estimate) -> ExitCode {
    let prepared = arguments.plan.sweep::<T>().and_then(|sweep| Ok((sweep, arguments.plan.codec::<T>()?)));
    let (sweep, codec) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => return fail(USAGE, message),
    };
    let json = match arguments.json.as_deref().map(Json::open).transpose() {
        Ok(json) => json,
        Err(message) => return fail(FILE, message),
    };
    match sweep.estimate(&codec) {
        Ok(estimate) => {
            let cores = arguments.cores.unwrap_or(estimate.cores);
            let estimate = estimate.on_cores(cores);
            deliver(&estimate, &estimate.to_string(), json, false, ExitCode::SUCCESS)
        }
        Err(error) => fail(USAGE, error),
    }
}
