//! `sweep` without a subcommand: checks a codec.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use varint_sweep::replay::Replay;
use varint_sweep::{Checkpoint, Ending, Integer, JSON_SCHEMA, Report, Sweep, TestSuites, Text};
use zigzag_varint::{Kernel, Varint};

use super::builtin_codecs::BuiltinCodec;
use super::checkpoint_arguments::CheckpointArguments;
use super::comparison::{TableArguments, compare};
#[cfg(feature = "profile")]
use super::console::print_error;
use super::console::{error_message, print, warn};
#[cfg(feature = "profile")]
use super::cpu_profile_arguments::{CpuProfile, CpuProfileArguments};
use super::distinct_files::{NamedFile, check_distinct};
use super::error::Error;
use super::exit_code::ExitCode;
use super::failures_file::FailuresFile;
use super::help_ending::HelpEnding;
use super::help_headings::{CODEC, LARGE, OUTPUT, WHAT};
use super::integer_type::with_type;
use super::interrupt_signal::on_interrupt;
use super::plan_arguments::{ModeArguments, PlanArguments};
use super::presets::Preset;
use super::replay_command::replay_command;
use super::replayed_failures::read_replay;
use super::report_arguments::ReportArguments;
use super::shard_choice::{ShardChoice, shard_choice, sharded};
use super::value_names::list_of;
use super::value_parsers::{count, duration, positive};
use super::watch_arguments::WatchArguments;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[
        (0, "no failure"),
        (1, "failures found"),
        (2, "invalid arguments"),
        (3, "a file cannot be used"),
        (4, "slower than --min-rate"),
        (124, "time limit reached"),
        (130, "interrupted"),
    ],
    examples: &[
        ("sweep", "check a random sample of all i64 for 10 seconds"),
        ("sweep --type i32 --exhaustive", "check all 4,294,967,296 values"),
        ("sweep -5..=5 MIN..=-9_000_000_000", "check two ranges"),
        ("sweep --codec article2015", "find a bug in a faulty codec"),
        ("sweep --exec \"java Varint.java\"", "check a codec in another language"),
        ("sweep --codec bulk --codec single --exec ./mine", "compare three codecs"),
        (
            "sweep --exhaustive 0..=1_099_511_627_775 --checkpoint sweep.json",
            "save progress; run it again after an interruption",
        ),
        (
            "sweep --exhaustive --type u32 --shard 3/8 --json shard-3.json",
            "check part 3 of 8; sweep merge joins the reports",
        ),
        (
            "sweep --replay failures.jsonl",
            "check the values again that failed in a sweep with --failures failures.jsonl",
        ),
        ("sweep --json - --quiet | jq .values", "print the report as JSON for a script"),
        ("sweep --budget 5m --json report.json --junit junit.xml", "check a codec in a CI job"),
    ],
};

#[derive(Args)]
pub(crate) struct SweepCommand {
    #[command(flatten)]
    plan: PlanArguments,
    #[command(flatten)]
    mode: ModeArguments,
    /// List codecs, kernels and presets, and exit
    #[arg(long, help_heading = CODEC)]
    list: bool,
    /// Check only part K of N of the values: K/N or auto
    ///
    /// Each of N machines checks one part (a shard), and `sweep merge` joins their reports. auto
    /// takes K and N from the environment: SWEEP_SHARD=K/N, or the variables of Slurm, Kubernetes
    /// or MPI. A shard needs --exhaustive, or --sample and --seed.
    #[arg(long, value_name = "SHARD", value_parser = shard_choice, help_heading = LARGE)]
    shard: Option<ShardChoice>,
    #[command(flatten)]
    checkpoint: CheckpointArguments,
    #[command(flatten)]
    watch: WatchArguments,
    #[cfg(feature = "profile")]
    #[command(flatten)]
    profile: CpuProfileArguments,
    /// End the sweep after this time
    ///
    /// The report says what was checked until then, and a checkpoint is saved. The exit code is 124
    /// if the sweep is not complete and nothing failed. Unlike --budget, this does not change which
    /// values the sweep is to check. A sweep that is resumed has the whole time again.
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = LARGE, hide_short_help = true)]
    time_limit: Option<Duration>,
    /// Exit with 4 if the sweep checks fewer values per second
    #[arg(long, value_name = "RATE", value_parser = positive, help_heading = LARGE, hide_short_help = true)]
    min_rate: Option<u64>,
    /// Check only the values that failed in FILE
    ///
    /// FILE is a report (--json), a checkpoint, or a file of failures (--failures). The type and
    /// the codec are those of FILE, unless --codec or --exec names another codec.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["ranges", "preset", "exhaustive", "sample", "shard"],
        help_heading = WHAT,
        hide_short_help = true
    )]
    replay: Option<PathBuf>,
    /// Write every failure to FILE, as JSON Lines
    ///
    /// A report lists the first failures only. FILE has all of them, one per line, for --replay and
    /// other programs. It cannot be combined with --checkpoint, since a resumed sweep does not have
    /// the failures of earlier runs.
    #[arg(long, value_name = "FILE", conflicts_with = "checkpoint", help_heading = OUTPUT, hide_short_help = true)]
    failures: Option<PathBuf>,
    /// Stop after N failures; 0 counts them all
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count, help_heading = OUTPUT, hide_short_help = true)]
    max_failures: u64,
    #[command(flatten)]
    output: ReportArguments,
    #[command(flatten)]
    tables: TableArguments,
    /// Print the JSON Schema of all reports, and exit
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    schema: bool,
}

impl SweepCommand {
    pub(crate) fn run(mut self) -> Result<ExitCode, Error> {
        if self.list {
            print(&list())?;
            return Ok(ExitCode::Success);
        }
        if self.schema {
            print(JSON_SCHEMA)?;
            return Ok(ExitCode::Success);
        }
        check_distinct(&self.files())?;
        let replay = self.replay.as_deref().map(read_replay).transpose()?;
        if let Some(replay) = &replay {
            self.plan.replay(replay)?;
        }
        with_type!(self.plan.value_type(), sweep(&self, replay))
    }

    /// Returns the files that the options name.
    fn files(&self) -> Vec<NamedFile<'_>> {
        let replay = self.replay.iter().map(|path| NamedFile::input("--replay", path));
        let failures = self.failures.iter().map(|path| NamedFile::output("--failures", path));
        let files = replay.chain(failures).chain(self.checkpoint.file());
        let files = files.chain(self.watch.files()).chain(self.output.files()).chain(self.tables.files());
        #[cfg(feature = "profile")]
        let files = files.chain(self.profile.files());
        files.collect()
    }

    /// Returns the sweep that the arguments describe.
    fn sweep<T: Integer>(&self, replay: Option<Replay>) -> Result<Sweep<T>, Error> {
        let sweep = self.mode.apply(self.plan.sweep::<T>()?);
        let mut sweep = sharded(sweep, self.shard)?.max_failures(self.max_failures);
        if let Some(limit) = self.time_limit {
            sweep = sweep.time_limit(limit);
        }
        Ok(match replay {
            Some(Replay { values, .. }) => sweep.ranges(values).exhaustive(),
            None => sweep,
        })
    }

    /// Returns the exit code of a sweep with this report. Prints a message if it was too slow.
    fn exit_code(&self, report: &Report) -> ExitCode {
        let too_slow = self.min_rate.filter(|&rate| report.values_per_second < rate as f64);
        match (report.ending, too_slow) {
            (Ending::Interrupted | Ending::Running, _) => ExitCode::Interrupted,
            _ if report.failures > 0 => ExitCode::Failures,
            (Ending::TimeLimit, _) => ExitCode::TimeLimit,
            (_, Some(rate)) => {
                error_message(format_args!(
                    "--min-rate: {:.0} values/s is less than {rate}",
                    report.values_per_second
                ));
                ExitCode::Slow
            }
            (_, None) => ExitCode::Success,
        }
    }

    /// Returns an error if an option is given that a comparison of codecs does not have.
    fn refuse_options_for_one_codec(&self) -> Result<(), Error> {
        let given = [
            ("--min-rate", self.min_rate.is_some()),
            ("--time-limit", self.time_limit.is_some()),
            ("--failures", self.failures.is_some()),
            ("--shard", self.shard.is_some()),
            ("--checkpoint", self.checkpoint.checkpoint.is_some()),
            #[cfg(feature = "profile")]
            ("--cpuprofile", self.profile.is_given()),
        ];
        let given = given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option);
        match given.or(self.watch.for_one_codec()) {
            Some(option) => Err(Error::usage(format_args!(
                "{option}: not available with several codecs (it applies to the sweep of one codec); \
                 remove it, or sweep one codec at a time"
            ))),
            None => Ok(()),
        }
    }
}

/// Sweeps one type. Validates all arguments before the work starts.
fn sweep<T: Integer + Varint>(arguments: &SweepCommand, replay: Option<Replay>) -> Result<ExitCode, Error> {
    let sweep = arguments.sweep::<T>(replay)?;
    if arguments.plan.codecs.are_several() {
        arguments.refuse_options_for_one_codec()?;
        return compare(sweep, &arguments.plan, &arguments.watch, &arguments.tables, &arguments.output);
    }
    arguments.tables.refuse()?;
    let codec = arguments.plan.codecs.one::<T>()?;
    let output = arguments.output.open()?;
    let CheckpointArguments { checkpoint: path, checkpoint_every: interval } = &arguments.checkpoint;
    let checkpoint = path.as_deref().map(Checkpoint::open).transpose().map_err(Error::file)?;
    let mut checkpoint = checkpoint.map(|new| new.save_every(*interval).on_save_error(|error| warn(error)));
    if let Some(checkpoint) = &checkpoint {
        arguments.plan.codecs.check_kernel(checkpoint)?;
    }
    let failures = arguments.failures.as_deref().map(FailuresFile::open).transpose()?;

    let mut watch =
        arguments.plan.watch(arguments.output.quiet).replay_command(replay_command(&arguments.plan));
    if let Some(file) = &failures {
        let (file, codec) = (file.clone(), codec.name().to_owned());
        watch = watch.on_failure(move |failure| file.add(T::NAME, &codec, failure));
    }
    let watch = Arc::new(watch);
    let stopped = Arc::clone(&watch);
    on_interrupt(arguments.output.quiet, move || stopped.stop());
    #[cfg(feature = "profile")]
    let profile = arguments.profile.start()?;
    let watching = arguments.watch.begin(&watch, arguments.output.quiet)?;
    let swept = sweep.run_watched(&codec, &watch, checkpoint.as_mut());
    drop(watching);
    let report = swept?;

    let mut text = Text(&report).to_string();
    if let (Some(path), None) = (path, watch.start()) {
        text +=
            &format!("\nnothing to do: the checkpoint '{}' already has the complete sweep\n", path.display());
    }
    // If one output fails, the others are still written. Its error is printed before the report.
    #[cfg(feature = "profile")]
    let profiled = profile
        .map_or(Ok(String::new()), CpuProfile::finish)
        .map(|tables| text += &tables)
        .map_err(print_error);
    let delivered = output.with_junit(&TestSuites(vec![report.test_suite()])).deliver(&report, &text);
    let saved = match checkpoint.as_ref().and_then(Checkpoint::save_error) {
        Some(error) => Err(Error::file(error)),
        None => Ok(()),
    };
    Error::join([
        #[cfg(feature = "profile")]
        profiled,
        failures.map_or(Ok(()), FailuresFile::finish),
        delivered,
        saved,
    ])?;
    Ok(arguments.exit_code(&report))
}

fn list() -> String {
    let kernels: String = Kernel::available().map(|kernel| format!("  {kernel}\n")).collect();
    format!(
        "codecs (--codec):\n{}\nkernels of this CPU (--kernel), slowest first:\n{kernels}\npresets (--preset):\n{}",
        list_of::<BuiltinCodec>(),
        list_of::<Preset>()
    )
}
