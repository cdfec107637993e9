//! The options of every sweep, whatever it checks.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use every_input::replay::Replay;
use every_input::{Checkpoint, Shard, Sweep};

use super::common::{LARGE, OUTPUT, ReportArguments, WHAT, count, duration, file_path, positive, threads};
#[cfg(feature = "profile")]
use super::profile::CpuProfileArguments;
use super::watch::WatchArguments;
use crate::output::console::warn;
use crate::output::error::Error;
use crate::output::files::{Destinations, NamedFile, check_distinct, is_standard};

#[derive(Args)]
pub(crate) struct RunArguments {
    /// Check every input, however long it takes
    ///
    /// A sweep that takes longer than a day says so when it starts.
    #[arg(long, conflicts_with = "sample", help_heading = WHAT)]
    exhaustive: bool,
    /// Check a sample: boundaries and N random inputs
    ///
    /// Boundaries are 0, the limits of the type and of each RANGE, all powers of two, and all
    /// values at which the encoded length changes; of byte strings, the first and the last of each
    /// length. They are checked with 16,384 inputs on each side.
    ///
    /// The random inputs are drawn in equal numbers for each encoded length and sign, or for each
    /// length of a string. Without N, the sample ends when the time of --budget is over. If inputs
    /// are slow, it then has only those nearest to the boundaries; the report says how many.
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = positive, help_heading = WHAT)]
    sample: Option<Option<u64>>,
    /// Target duration of the sweep
    ///
    /// Written as 10s, 5m or 2h; a number alone is in seconds. If all values can be checked in this
    /// time, they are. Otherwise the sweep is a sample, which ends with the calls under way when the
    /// time is over. The option has no effect with --exhaustive or --sample N.
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration, help_heading = WHAT)]
    budget: Duration,
    /// Seed of the random values [default: a random one]
    ///
    /// The same seed and the same --sample N select the same values; the report prints both. A
    /// sweep that resumes has the seed of its checkpoint. The shards of a sample need --seed, with
    /// the same N for all of them. The option has no effect with --exhaustive.
    #[arg(long, value_name = "N", value_parser = count, help_heading = WHAT, hide_short_help = true)]
    seed: Option<u64>,
    /// Number of worker threads [default: one per CPU]
    ///
    /// At most four per CPU, or 64 if that is more. At most one thread is started for each
    /// 262,144 inputs.
    #[arg(long, value_name = "N", value_parser = threads, help_heading = LARGE)]
    threads: Option<usize>,
    /// Check only part K of N of the values: K/N or auto
    ///
    /// Each of N machines checks one part (a shard), and `sweep merge` joins their reports. auto
    /// takes K and N from the environment: SWEEP_SHARD=K/N, or the variables of a Slurm array or a
    /// Kubernetes Indexed Job. A shard needs --exhaustive, --replay, or --sample and --seed.
    #[arg(long, value_name = "SHARD", value_parser = shard_choice, help_heading = LARGE)]
    shard: Option<ShardChoice>,
    /// Save progress in FILE, and resume from it
    ///
    /// If the sweep is interrupted, run it again with the same arguments to continue. FILE is
    /// created if it does not exist.
    #[arg(long, value_name = "FILE", value_parser = file_path(), help_heading = LARGE)]
    pub(crate) checkpoint: Option<PathBuf>,
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
    pub(crate) checkpoint_every: Duration,
    #[command(flatten)]
    pub(crate) watch: WatchArguments,
    #[cfg(feature = "profile")]
    #[command(flatten)]
    pub(crate) profile: CpuProfileArguments,
    /// End the sweep after this time
    ///
    /// The sweep finishes the calls under way and saves the checkpoint. The report says what was checked until
    /// then. The exit code is 124 if the sweep is not complete and nothing failed. Unlike --budget, this does
    /// not change which values the sweep is to check. A sweep that is resumed has the whole time again.
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = LARGE, hide_short_help = true)]
    time_limit: Option<Duration>,
    /// Exit with 4 if the sweep checks fewer than RATE inputs per second
    #[arg(long, value_name = "RATE", value_parser = positive, help_heading = LARGE, hide_short_help = true)]
    pub(crate) min_rate: Option<u64>,
    /// Check only the inputs that failed in FILE; - is standard input
    ///
    /// FILE is a report (--json), a checkpoint, or a file of failures (--failures). The type, the
    /// wire format and the codec are those of FILE, unless --codec or --exec names another codec. No
    /// command in FILE is run: failures of a program need --exec again.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["exhaustive", "sample"],
        help_heading = WHAT,
        hide_short_help = true
    )]
    replay: Option<PathBuf>,
    /// Write every failure to FILE, as JSON Lines; - is standard output
    ///
    /// A report lists the first failures only. FILE has all of them, one per line, for --replay and
    /// other programs. They are written as they are found, so FILE has them even if the sweep is
    /// killed. A sweep that resumes from its --checkpoint continues FILE; others replace it.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) failures: Option<PathBuf>,
    /// Stop after N failures; 0 counts them all
    ///
    /// Neighbours that fail alike are one failure, a range. A sweep also stops after 2^20 values that
    /// fail, or after 4,096 with --exec, and after 100 crashes or 20 timeouts of its programs. With 0 it
    /// stops for none of these. The report and the checkpoint list at most 10,000 failures, and
    /// fewer if their texts are longer than 4 MiB; --failures writes them all.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count, help_heading = OUTPUT, hide_short_help = true)]
    max_failures: u64,
    #[command(flatten)]
    pub(crate) output: ReportArguments,
}

impl RunArguments {
    /// Checks that no output is another output, or an input of these options or of `commands`. Then opens
    /// the files for the reports, so that those of an earlier run are gone whatever happens.
    pub(crate) fn open(&self, commands: &[&str]) -> Result<Destinations, Error> {
        let replay = self.replay.iter().map(|path| NamedFile::input("--replay", &**path));
        let programs = commands.iter().flat_map(|command| files_of(command));
        let programs = programs.map(|path| NamedFile::input("a command", path));
        let checkpoint = self.checkpoint.iter().map(|path| NamedFile::replaced("--checkpoint", &**path));
        let lock = self.checkpoint.as_deref().and_then(Checkpoint::lock_path);
        let lock = lock.map(|path| NamedFile::replaced("the lock of --checkpoint", path));
        let failures = self.failures.iter().map(|path| NamedFile::output("--failures", path));
        let files = replay.chain(programs).chain(checkpoint).chain(lock).chain(failures);
        let files = files.chain(self.watch.files()).chain(self.output.files());
        #[cfg(feature = "profile")]
        let files = files.chain(self.profile.files());
        check_distinct(&files.collect::<Vec<_>>())?;
        self.watch.forget()?;
        self.output.open()
    }

    /// Reads the failures to check again, if any.
    pub(crate) fn read_replay(&self) -> Result<Option<Replay>, Error> {
        self.replay.as_deref().map(read_replay).transpose()
    }

    /// Applies the options to a sweep, which is one of `sweeps` that share the time.
    pub(crate) fn apply<S>(
        &self,
        sweep: Sweep<S>,
        replay: Option<Replay>,
        sweeps: usize,
    ) -> Result<Sweep<S>, Error> {
        let sweeps = u32::try_from(sweeps).unwrap_or(u32::MAX);
        let mut sweep = sweep.budget(self.budget / sweeps).max_failures(self.max_failures);
        if self.exhaustive {
            sweep = sweep.exhaustive();
        }
        if let Some(draws) = self.sample {
            sweep = sweep.sample(draws);
        }
        // Samples of several codecs have the same values. Their shards need a seed that is given.
        let is_shared = sweeps > 1 && self.shard.is_none();
        let shared = || is_shared.then(|| RandomState::new().build_hasher().finish());
        if let Some(seed) = self.seed.or_else(shared) {
            sweep = sweep.seed(seed);
        }
        if let Some(threads) = self.threads {
            sweep = sweep.threads(threads);
        }
        if let Some(limit) = self.time_limit {
            sweep = sweep.time_limit(limit / sweeps);
        }
        match self.shard {
            None => {}
            Some(ShardChoice::Given(shard)) => sweep = sweep.shard(shard),
            Some(ShardChoice::Auto) => {
                let assigned = Shard::assigned(|name| std::env::var(name).ok());
                let named = |error| Error::usage(format_args!("--shard auto: {error}"));
                sweep = sweep.shard(assigned.map_err(named)?);
            }
        }
        let Some(Replay { values, value_type, .. }) = replay else { return Ok(sweep) };
        if value_type != sweep.name() {
            return Err(Error::usage(format_args!(
                "--replay: the failures are of {}, not of {}; choose the same values",
                value_type.escape_debug(),
                sweep.name()
            )));
        }
        Ok(sweep.within(values).exhaustive())
    }
}

#[derive(Clone, Copy)]
enum ShardChoice {
    Given(Shard),
    Auto,
}

fn shard_choice(text: &str) -> Result<ShardChoice, String> {
    match text {
        "auto" => Ok(ShardChoice::Auto),
        _ => text.parse().map(ShardChoice::Given).map_err(|error: String| error + ", or auto"),
    }
}

/// Returns the files that a command may name: a program, a script, the value of an option, or a word of a
/// command for a shell.
fn files_of(command: &str) -> Vec<PathBuf> {
    // Whoever starts the command reports that it cannot be split.
    let words = shell_words::split(command).unwrap_or_default();
    let is_between = |char: char| char.is_whitespace() || "=:;,&|<>()'\"".contains(char);
    let parts = words.iter().flat_map(|word| word.split(is_between)).map(PathBuf::from);
    let mut files: Vec<PathBuf> = parts.collect();
    if let Some((program, folders)) = words.first().zip(std::env::var_os("PATH")) {
        files.extend(std::env::split_paths(&folders).map(|folder| folder.join(program)));
    }
    files.extend(words.into_iter().map(PathBuf::from));
    files.retain(|path| path.is_file());
    files
}

/// Reads the failures to check again, and warns about those that the file does not list.
fn read_replay(path: &Path) -> Result<Replay, Error> {
    let replay = if is_standard(path) { Replay::read_stdin() } else { Replay::read(path) };
    let replay = replay.map_err(|error| Error::file(format_args!("--replay {error}")))?;
    if replay.unlisted > 0 {
        warn(format_args!(
            "--replay: the report does not list {} of its failures; run the sweep again with --failures to get all",
            replay.unlisted
        ));
    }
    if replay.is_cut {
        warn(format_args!("--replay '{}': the last line is cut; it is left out", path.display()));
    }
    Ok(replay)
}
