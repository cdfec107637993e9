//! `sweep` without a command: the sweep itself.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use zigzag_varint::Kernel;
use zigzag_varint::sweep::{CODECS, Integer, PRESETS, Progress, Report, Text, Watch};

use crate::arguments::{PlanArguments, with_type};
use crate::console::{FAILURES, FILE, INTERRUPTED, Json, USAGE, deliver, fail, print};
use crate::interrupt::on_interrupt;

#[derive(Args)]
pub(crate) struct Run {
    #[command(flatten)]
    plan: PlanArguments,
    /// List codecs, kernels and presets
    #[arg(long)]
    list: bool,
    /// Stop after N failures; 0: count them all
    #[arg(long, value_name = "N", default_value_t = 10)]
    max_failures: u64,
    /// Write the report as JSON to FILE; -: to standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
    /// Draw no progress line
    #[arg(long)]
    no_progress: bool,
}

impl Run {
    pub(crate) fn run(&self) -> ExitCode {
        if self.list {
            return print(&list(), ExitCode::SUCCESS);
        }
        with_type!(self.plan.value_type, sweep(self))
    }
}

/// Sweeps one type; every argument is judged before the work starts.
fn sweep<T: Integer>(arguments: &Run) -> ExitCode {
    let sweep = match arguments.plan.sweep::<T>() {
        Ok(sweep) => sweep.max_failures(arguments.max_failures),
        Err(message) => return fail(USAGE, message),
    };
    let codec = match arguments.plan.codec::<T>() {
        Ok(codec) => codec,
        Err(message) => return fail(USAGE, message),
    };
    let json = match arguments.json.as_deref().map(Json::open).transpose() {
        Ok(json) => json,
        Err(message) => return fail(FILE, message),
    };

    let watch = Arc::new(Watch::new());
    let stopped = Arc::clone(&watch);
    on_interrupt(move || stopped.stop());
    let progress = (!arguments.quiet && !arguments.no_progress).then(|| Progress::of(Arc::clone(&watch)));
    let swept = sweep.run_watched(&codec, &watch);
    drop(progress);
    match swept {
        Ok(report) => {
            let text = Text(&report).to_string();
            deliver(&report, &text, json, arguments.quiet, exit_code(&report))
        }
        Err(error) => fail(USAGE, error),
    }
}

fn exit_code(report: &Report) -> ExitCode {
    if report.failures > 0 {
        ExitCode::from(FAILURES)
    } else if !report.complete {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    }
}

fn list() -> String {
    let mut text = String::from("codecs (--codec):\n");
    for codec in CODECS {
        text += &format!("  {:<12} {}\n", codec.name, codec.about);
    }
    text += "\nkernels of this CPU (--kernel), slowest first:\n";
    for kernel in Kernel::available() {
        text += &format!("  {kernel}\n");
    }
    text += "\npresets (--preset):\n";
    for preset in PRESETS {
        text += &format!("  {:<12} {}\n", preset.name, preset.about);
    }
    text
}
