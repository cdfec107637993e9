//! `sweep` without a command: the sweep itself.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use varint_sweep::{
    Assignment, Checkpoint, Integer, Machine, Report, Shard, Sweep, SweepError, Text, Watch, assigned,
    preflight,
};
use zigzag_varint::{Kernel, VarInt};

use super::arguments::{CODEC, LARGE, OUTPUT, PlanArguments, duration, with_type};
/// The name and version that reports give.
pub(crate) const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

use super::codecs::CODECS;
use super::console::{FAILURES, FILE, INTERRUPTED, Json, USAGE, deliver, fail, print, warn};
#[cfg(feature = "profile")]
use super::cpuprofile::{ProfileArguments, Profiling};
use super::ending::Ending;
use super::interrupt::on_interrupt;
use super::presets::PRESETS;
use super::watching::WatchArguments;

pub(crate) const ENDING: Ending = Ending {
    exit_codes: &[
        (0, "clean"),
        (1, "failures found"),
        (2, "wrong usage"),
        (3, "a file cannot be used"),
        (130, "interrupted"),
    ],
    examples: &[
        ("sweep", "a 10 s sample of all i64"),
        ("sweep --type i32 --exhaustive", "all 4,294,967,296 values"),
        ("sweep -5..=5 MIN..=-9_000_000_000", "two ranges"),
        ("sweep --codec article2015", "watch it find a bug"),
        ("sweep --exec \"java Varint.java\"", "a codec in another language"),
        ("sweep --exhaustive 0..=1_099_511_627_775 --checkpoint sweep.json", "go on after a crash"),
        (
            "sweep --exhaustive --type u32 --shard 3/8 --json shard-3.json",
            "a share of eight; see sweep merge",
        ),
        ("sweep --json - --quiet | jq .values", "the report for a script"),
    ],
};

#[derive(Args)]
pub(crate) struct Run {
    #[command(flatten)]
    plan: PlanArguments,
    /// List codecs, kernels and presets
    #[arg(long, help_heading = CODEC)]
    list: bool,
    /// Sweep share K of N: K/N, or auto
    ///
    /// Sweep share K of N, or the share that the environment of a cluster assigns: K/N or auto
    #[arg(long, value_name = "SHARD", value_parser = share, help_heading = LARGE)]
    shard: Option<Share>,
    /// Keep what is done in FILE; go on from there
    ///
    /// Keep what is done in FILE, and go on from there if it is cut off
    #[arg(long, value_name = "FILE", help_heading = LARGE)]
    checkpoint: Option<PathBuf>,
    /// Time between two savings of the checkpoint
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
    profile: ProfileArguments,
    /// Stop after N failures; 0: count them all
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = OUTPUT, hide_short_help = true)]
    max_failures: u64,
    /// Write the report as JSON to FILE; -: to standard output
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(short, long, help_heading = OUTPUT)]
    quiet: bool,
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
fn sweep<T: Integer + VarInt>(arguments: &Run) -> ExitCode {
    let sweep = match arguments.plan.sweep::<T>().and_then(|sweep| sharded(sweep, arguments.shard)) {
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
    let mut checkpoint = match arguments.checkpoint.as_deref().map(Checkpoint::open).transpose() {
        Ok(checkpoint) => {
            checkpoint.map(|new| new.every(arguments.checkpoint_every).on_trouble(|trouble| warn(trouble)))
        }
        Err(message) => return fail(FILE, message),
    };

    let watch = Arc::new(Watch::for_program(PROGRAM));
    let stopped = Arc::clone(&watch);
    on_interrupt(move || stopped.stop());
    #[cfg(feature = "profile")]
    let profiling = match arguments.profile.begin() {
        Ok(profiling) => profiling,
        Err((code, message)) => return fail(code, message),
    };
    let watching = match arguments.watch.begin(&watch, arguments.quiet) {
        Ok(watching) => watching,
        Err((code, message)) => return fail(code, message),
    };
    if !arguments.quiet {
        preflight(&Machine::here(), arguments.plan.threads()).iter().for_each(warn);
    }
    let swept = sweep.run_watched(&codec, &watch, checkpoint.as_mut());
    drop(watching);
    let report = match swept {
        Ok(report) => report,
        Err(error @ SweepError::Checkpoint(_)) => return fail(FILE, error),
        Err(error) => return fail(USAGE, error),
    };
    let mut text = Text(&report).to_string();
    if let (Some(path), None) = (&arguments.checkpoint, watch.start()) {
        text += &format!("\nnothing to do: the checkpoint '{}' holds this finished sweep\n", path.display());
    }
    #[cfg_attr(not(feature = "profile"), expect(unused_mut))]
    let mut code = exit_code(&report);
    #[cfg(feature = "profile")]
    match profiling.map(Profiling::finish).transpose() {
        Ok(tables) => text += &tables.unwrap_or_default(),
        Err(message) => code = fail(FILE, message),
    }
    let code = deliver(&report, &text, json, arguments.quiet, code);
    match checkpoint.as_ref().and_then(Checkpoint::trouble) {
        Some(trouble) => fail(FILE, trouble),
        None => code,
    }
}

/// A shard as asked for.
#[derive(Clone, Copy)]
enum Share {
    Of(Shard),
    Auto,
}

fn share(text: &str) -> Result<Share, String> {
    if text == "auto" { Ok(Share::Auto) } else { text.parse().map(Share::Of) }
}

fn sharded<T: Integer>(sweep: Sweep<T>, share: Option<Share>) -> Result<Sweep<T>, String> {
    match share {
        None => Ok(sweep),
        Some(Share::Of(shard)) => Ok(sweep.shard(shard)),
        Some(Share::Auto) => {
            let Assignment { shard, source } = assigned(|name| std::env::var(name).ok())?;
            Ok(sweep.shard(shard).shard_from(source))
        }
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
