//! `sweep` without a subcommand: checks a codec.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use varint_sweep::{
    Checkpoint, Integer, Machine, Report, Shard, ShardAssignment, Sweep, Text, Watch, assigned_shard,
    preflight,
};
use zigzag_varint::{Kernel, Varint};

use super::PROGRAM;
use super::builtin_codecs::BuiltinCodec;
#[cfg(feature = "profile")]
use super::console::print_error;
use super::console::{print, warn};
#[cfg(feature = "profile")]
use super::cpu_profile_arguments::{CpuProfile, CpuProfileArguments};
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::help_headings::{CODEC, LARGE, OUTPUT};
use super::integer_type::with_type;
use super::interrupt_signal::on_interrupt;
use super::plan_arguments::PlanArguments;
use super::presets::Preset;
use super::report_arguments::ReportArguments;
use super::value_names::list_of;
use super::value_parsers::{count, duration};
use super::watch_arguments::WatchArguments;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[
        (0, "no failure"),
        (1, "failures found"),
        (2, "invalid arguments"),
        (3, "a file cannot be used"),
        (130, "interrupted"),
    ],
    examples: &[
        ("sweep", "check a random sample of all i64 for 10 seconds"),
        ("sweep --type i32 --exhaustive", "check all 4,294,967,296 values"),
        ("sweep -5..=5 MIN..=-9_000_000_000", "check two ranges"),
        ("sweep --codec article2015", "find a bug in a faulty codec"),
        ("sweep --exec \"java Varint.java\"", "check a codec in another language"),
        (
            "sweep --exhaustive 0..=1_099_511_627_775 --checkpoint sweep.json",
            "save progress; run it again after an interruption",
        ),
        (
            "sweep --exhaustive --type u32 --shard 3/8 --json shard-3.json",
            "check part 3 of 8; sweep merge joins the reports",
        ),
        ("sweep --json - --quiet | jq .values", "print the report as JSON for a script"),
    ],
};

#[derive(Args)]
pub(crate) struct SweepCommand {
    #[command(flatten)]
    plan: PlanArguments,
    /// List codecs, kernels and presets, and exit
    #[arg(long, help_heading = CODEC)]
    list: bool,
    /// Check only part K of N of the values: K/N or auto
    ///
    /// Each of N machines checks one part (a shard), and `sweep merge` joins their reports. auto
    /// takes K and N from the environment: SWEEP_SHARD=K/N, or the variables of Slurm, Kubernetes
    /// or MPI. A shard needs --exhaustive or --sample.
    #[arg(long, value_name = "SHARD", value_parser = shard_choice, help_heading = LARGE)]
    shard: Option<ShardChoice>,
    /// Save progress in FILE, and resume from it
    ///
    /// If the sweep is interrupted, run it again with the same arguments to continue. FILE is
    /// created if it does not exist.
    #[arg(long, value_name = "FILE", help_heading = LARGE)]
    checkpoint: Option<PathBuf>,
    /// Time between saves of the checkpoint
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "5s",
        value_parser = duration,
        requires = "checkpoint",
        help_heading = LARGE,
        hide_short_help = true
    )]
    checkpoint_every: Duration,
    #[command(flatten)]
    watch: WatchArguments,
    #[cfg(feature = "profile")]
    #[command(flatten)]
    profile: CpuProfileArguments,
    /// Stop after N failures; 0 counts them all
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count, help_heading = OUTPUT, hide_short_help = true)]
    max_failures: u64,
    #[command(flatten)]
    output: ReportArguments,
}

impl SweepCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        if self.list {
            print(&list())?;
            return Ok(ExitCode::Success);
        }
        with_type!(self.plan.value_type, sweep(self))
    }
}

/// Sweeps one type. Validates all arguments before the work starts.
fn sweep<T: Integer + Varint>(arguments: &SweepCommand) -> Result<ExitCode, Error> {
    let sweep = sharded(arguments.plan.sweep::<T>()?, arguments.shard)?.max_failures(arguments.max_failures);
    let codec = arguments.plan.codec::<T>()?;
    let output = arguments.output.open()?;
    let checkpoint =
        arguments.checkpoint.as_deref().map(Checkpoint::open).transpose().map_err(Error::file)?;
    let mut checkpoint =
        checkpoint.map(|new| new.save_every(arguments.checkpoint_every).on_save_error(|error| warn(error)));

    let watch = Arc::new(Watch::for_program(PROGRAM));
    let stopped = Arc::clone(&watch);
    on_interrupt(move || stopped.stop());
    #[cfg(feature = "profile")]
    let profile = arguments.profile.start()?;
    let watching = arguments.watch.begin(&watch, arguments.output.quiet)?;
    if !arguments.output.quiet {
        preflight(&Machine::current(), arguments.plan.threads()).iter().for_each(warn);
    }
    let swept = sweep.run_watched(&codec, &watch, checkpoint.as_mut());
    drop(watching);
    let report = swept?;

    let mut text = Text(&report).to_string();
    if let (Some(path), None) = (&arguments.checkpoint, watch.start()) {
        text +=
            &format!("\nnothing to do: the checkpoint '{}' already has the complete sweep\n", path.display());
    }
    // If one output fails, the others are still written. Its error is printed before the report.
    #[cfg(feature = "profile")]
    let profiled = profile
        .map_or(Ok(String::new()), CpuProfile::finish)
        .map(|tables| text += &tables)
        .map_err(print_error);
    let delivered = output.deliver(&report, &text);
    let saved = match checkpoint.as_ref().and_then(Checkpoint::save_error) {
        Some(error) => Err(Error::file(error)),
        None => Ok(()),
    };
    Error::join([
        #[cfg(feature = "profile")]
        profiled,
        delivered,
        saved,
    ])?;
    Ok(exit_code(&report))
}

/// The value of `--shard`.
#[derive(Clone, Copy)]
enum ShardChoice {
    Given(Shard),
    Auto,
}

fn shard_choice(text: &str) -> Result<ShardChoice, String> {
    if text == "auto" { Ok(ShardChoice::Auto) } else { text.parse().map(ShardChoice::Given) }
}

/// Returns the chosen shard of the sweep.
fn sharded<T: Integer>(sweep: Sweep<T>, choice: Option<ShardChoice>) -> Result<Sweep<T>, Error> {
    match choice {
        None => Ok(sweep),
        Some(ShardChoice::Given(shard)) => Ok(sweep.shard(shard)),
        Some(ShardChoice::Auto) => {
            let ShardAssignment { shard, source } =
                assigned_shard(|name| std::env::var(name).ok()).map_err(Error::usage)?;
            Ok(sweep.shard(shard).shard_source(source))
        }
    }
}

fn exit_code(report: &Report) -> ExitCode {
    if report.failures > 0 {
        ExitCode::Failures
    } else if !report.complete {
        ExitCode::Interrupted
    } else {
        ExitCode::Success
    }
}

fn list() -> String {
    let kernels: String = Kernel::available().map(|kernel| format!("  {kernel}\n")).collect();
    format!(
        "codecs (--codec):\n{}\nkernels of this CPU (--kernel), slowest first:\n{kernels}\npresets (--preset):\n{}",
        list_of::<BuiltinCodec>(),
        list_of::<Preset>()
    )
}
