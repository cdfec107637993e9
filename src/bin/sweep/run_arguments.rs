//! The options of every sweep, whatever it checks, and how it runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use varint_sweep::replay::Replay;
use varint_sweep::{Checkpoint, ComparisonText, Ending, Report, Sweep, SweepError, TestSuites, Text, Watch};

use super::PROGRAM;
use super::checkpoint_arguments::CheckpointArguments;
#[cfg(feature = "profile")]
use super::console::print_error;
use super::console::{error_message, warn};
#[cfg(feature = "profile")]
use super::cpu_profile_arguments::{CpuProfile, CpuProfileArguments};
use super::distinct_files::{NamedFile, check_distinct};
use super::error::Error;
use super::exit_code::ExitCode;
use super::failures_file::FailuresFile;
use super::help_headings::{LARGE, OUTPUT, WHAT};
use super::interrupt_signal::on_interrupt;
use super::mode_arguments::ModeArguments;
use super::replayed_failures::read_replay;
use super::report_arguments::ReportArguments;
use super::shard_choice::{ShardChoice, shard_choice, sharded};
use super::value_parsers::{count, duration, positive, threads};
use super::watch_arguments::WatchArguments;

/// A codec or a set of decoders, which a sweep checks.
pub(crate) struct Subject<'s> {
    /// The names of the space and of the codec, for the list of failures.
    pub(crate) names: [String; 2],
    /// The command that checks failures again; see [`Watch::replay_command`].
    pub(crate) replay_command: Option<String>,
    pub(crate) check: Box<Check<'s>>,
}

/// Sweeps a subject. The random values have this seed, if one is given.
type Check<'s> = dyn Fn(Option<u64>, &Watch, Option<&mut Checkpoint>) -> Result<Report, SweepError> + 's;

#[derive(Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    mode: ModeArguments,
    /// Number of worker threads [default: one per CPU]
    ///
    /// At most four per CPU, or 64 if that is more. No more threads are started than there are
    /// units of work or rounds of draws. A unit has 262,144 values, or 16,384 byte strings.
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LARGE)]
    threads: Option<usize>,
    /// Check only part K of N of the values: K/N or auto
    ///
    /// Each of N machines checks one part (a shard), and `sweep merge` joins their reports. auto
    /// takes K and N from the environment: SWEEP_SHARD=K/N, or the variables of a Slurm array or a
    /// Kubernetes Indexed Job. A shard needs --exhaustive, or --sample and --seed.
    #[arg(long, value_name = "SHARD", value_parser = shard_choice, help_heading = LARGE)]
    shard: Option<ShardChoice>,
    #[command(flatten)]
    checkpoint: CheckpointArguments,
    #[command(flatten)]
    pub(crate) watch: WatchArguments,
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
        conflicts_with_all = ["exhaustive", "sample", "shard"],
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
    ///
    /// Neighbours that fail alike are one failure, a range. A sweep also stops after 2^20 values that
    /// fail, or after 4,096 with --exec.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count, help_heading = OUTPUT, hide_short_help = true)]
    max_failures: u64,
    #[command(flatten)]
    pub(crate) output: ReportArguments,
}

impl RunArguments {
    /// Checks that no two files of these options are the same, and reads the failures to check
    /// again, if any.
    ///
    /// # Errors
    ///
    /// Returns an error if an output is named twice, or the failures cannot be read.
    pub(crate) fn read_replay(&self) -> Result<Option<Replay>, Error> {
        let replay = self.replay.iter().map(|path| NamedFile::input("--replay", path));
        let failures = self.failures.iter().map(|path| NamedFile::output("--failures", path));
        let files = replay.chain(failures).chain(self.checkpoint.file());
        let files = files.chain(self.watch.files()).chain(self.output.files());
        #[cfg(feature = "profile")]
        let files = files.chain(self.profile.files());
        check_distinct(&files.collect::<Vec<_>>())?;
        self.replay.as_deref().map(read_replay).transpose()
    }

    /// Applies the options to a sweep, which is one of `sweeps` that share the time.
    ///
    /// # Errors
    ///
    /// Returns an error if the environment has no shard, or the failures to check again are those
    /// of another type.
    pub(crate) fn apply<S>(
        &self,
        sweep: Sweep<S>,
        replay: Option<Replay>,
        sweeps: usize,
    ) -> Result<Sweep<S>, Error> {
        let sweeps = u32::try_from(sweeps).unwrap_or(u32::MAX);
        let mut sweep = sharded(self.mode.apply(sweep, sweeps), self.shard)?.max_failures(self.max_failures);
        if let Some(threads) = self.threads {
            sweep = sweep.threads(threads);
        }
        if let Some(limit) = self.time_limit {
            sweep = sweep.time_limit(limit / sweeps);
        }
        let Some(Replay { values, value_type, .. }) = replay else { return Ok(sweep) };
        match value_type.filter(|name| *name != sweep.name()) {
            Some(other) => Err(Error::usage(format_args!(
                "--replay: the failures are of {}, not of {}; choose the same values",
                other.escape_debug(),
                sweep.name()
            ))),
            None => Ok(sweep.ranges(values).exhaustive()),
        }
    }

    /// Returns the watch of a sweep. That of the first sweep prints warnings, unless it is quiet.
    fn new_watch(&self, subject: &Subject<'_>, is_first: bool, failures: Option<FailuresFile>) -> Arc<Watch> {
        let mut watch = Watch::for_program(PROGRAM);
        if let Some(command) = &subject.replay_command {
            watch = watch.replay_command(command);
        }
        if let Some(file) = failures {
            let [value_type, codec] = subject.names.clone();
            watch = watch.on_failure(move |failure| file.add(&value_type, &codec, failure));
        }
        if is_first && !self.output.quiet {
            watch = watch.on_warning(|warning| warn(warning));
        }
        Arc::new(watch)
    }

    /// Sweeps all subjects, one after the other, and delivers the reports. Opens all files before
    /// the work starts. `check_kernel` checks that a checkpoint has the kernel that was chosen.
    pub(crate) fn run(
        &self,
        subjects: Vec<Subject<'_>>,
        check_kernel: impl FnOnce(&Checkpoint) -> Result<(), Error>,
    ) -> Result<ExitCode, Error> {
        let CheckpointArguments { checkpoint: path, checkpoint_every: interval } = &self.checkpoint;
        if path.is_some() && subjects.len() > 1 {
            return Err(Error::usage(
                "--checkpoint: not available with several codecs; remove it, or sweep one codec at a time",
            ));
        }
        let output = self.output.open()?;
        let checkpoint = path.as_deref().map(Checkpoint::open).transpose().map_err(Error::file)?;
        let mut checkpoint =
            checkpoint.map(|new| new.save_every(*interval).on_save_error(|error| warn(error)));
        checkpoint.as_ref().map_or(Ok(()), check_kernel)?;
        let failures = self.failures.as_deref().map(FailuresFile::open).transpose()?;
        let watches = subjects.iter().enumerate();
        let watches = watches.map(|(index, subject)| self.new_watch(subject, index == 0, failures.clone()));
        let watches: Vec<_> = watches.collect();
        let stopped = watches.clone();
        on_interrupt(self.output.quiet, move || stopped.iter().for_each(|watch| watch.stop()));
        #[cfg(feature = "profile")]
        let profile = self.profile.start()?;
        let mut reports: Vec<Report> = vec![];
        for (subject, watch) in subjects.iter().zip(&watches) {
            let watching = self.watch.begin(watch, self.output.quiet)?;
            // All samples have the seed that was drawn for the first.
            let seed = reports.last().and_then(|report| report.seed);
            let swept = (subject.check)(seed, watch, checkpoint.as_mut());
            drop(watching);
            reports.push(swept?);
        }

        let mut text = match &reports[..] {
            [report] => Text(report).to_string(),
            several => ComparisonText(several).to_string(),
        };
        if let Some(path) = path.as_deref().filter(|_| watches.iter().all(|watch| watch.start().is_none())) {
            text += &format!(
                "\nnothing to do: the checkpoint '{}' already has the complete sweep\n",
                path.display()
            );
        }
        // If one output fails, the others are still written. Its error is printed before the
        // report.
        #[cfg(feature = "profile")]
        let profiled = profile
            .map_or(Ok(String::new()), CpuProfile::finish)
            .map(|tables| text += &tables)
            .map_err(print_error);
        let output = output.with_junit(&TestSuites(reports.iter().map(Report::test_suite).collect()));
        let delivered = match &reports[..] {
            [report] => output.deliver(report, &text),
            several => output.deliver(&several, &text),
        };
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
        // The first of these that any sweep has.
        let codes: Vec<_> = reports.iter().map(|report| self.exit_code(report)).collect();
        let order = [ExitCode::Interrupted, ExitCode::Failures, ExitCode::TimeLimit, ExitCode::Slow];
        Ok(order.into_iter().find(|code| codes.contains(code)).unwrap_or(ExitCode::Success))
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
}
