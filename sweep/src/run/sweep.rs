//! The sweep itself: a plan, a codec, and as many threads as there are cores.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::board::Board;
use super::calibrate::{TRIAL, consecutive_rate};
use super::checkpoint::{Checkpoint, Saved, State};
use super::codec::Codec;
use super::cpu::cpu_time;
use super::edges::Edges;
use super::estimate::Estimate;
use super::integer::{Integer, Kind};
use super::interval::{self, Interval};
use super::ledger::Ledger;
use super::report::{Ending, FORMAT, Mode, PROGRAM, Report};
use super::sample;
use super::schedule::Schedule;
use super::shard::Shard;
use super::summary::Summary;
use super::watch::{Goal, Watch};
use super::worker::Run;

/// Failures that a report lists where none ends the sweep.
const LISTED: u64 = 20;
/// A plan of at most this many values is swept exhaustively without a trial.
const SMALL: u128 = 1 << 20;

/// A sweep to be run: which values, how thoroughly, on how many threads.
///
/// ```
/// use zigzag_varint::Kernel;
/// use zigzag_varint::sweep::{CODECS, Interval, Sweep};
///
/// let codec = CODECS[0].codec::<i64>(Kernel::detect()).unwrap();
/// let report = Sweep::<i64>::new()
///     .ranges([Interval { first: -1000, last: 1000 }])
///     .exhaustive()
///     .run(&codec)?;
/// assert_eq!((report.values, report.failures), (2001, 0));
/// # Ok::<(), zigzag_varint::sweep::SweepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep<T> {
    plan: Vec<Interval>,
    how: How,
    budget: Duration,
    seed: u64,
    threads: usize,
    max_failures: u64,
    shard: Shard,
    shard_from: Option<String>,
    integer: PhantomData<T>,
}

#[derive(Clone, Copy, Debug)]
enum How {
    /// Exhaustively if that fits the budget, else by a sample.
    Fitting,
    Exhaustive,
    /// So many draws, or as many as fit the budget.
    Sample(Option<u64>),
}

/// A sweep that could not be run: what is wrong, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepError {
    /// It cannot be run as it was asked for.
    Usage(String),
    /// The checkpoint cannot be written, or belongs to another sweep.
    Checkpoint(String),
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Checkpoint(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for SweepError {}

impl<T: Integer> Default for Sweep<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Integer> Sweep<T> {
    /// A sweep of the whole type on all cores: exhaustive if that takes ten seconds at most, else a sample.
    pub fn new() -> Self {
        Self {
            plan: vec![Interval { first: T::LEAST, last: T::GREATEST }],
            how: How::Fitting,
            budget: Duration::from_secs(10),
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            max_failures: 10,
            shard: Shard::WHOLE,
            shard_from: None,
            integer: PhantomData,
        }
    }

    /// Only these values. Overlaps count once; what lies outside the type is left out.
    pub fn ranges(mut self, ranges: impl IntoIterator<Item = Interval>) -> Self {
        let limits = Interval { first: T::LEAST, last: T::GREATEST };
        self.plan = interval::intersection(&interval::union(ranges), &[limits]);
        self
    }

    /// Every value, however long it takes.
    pub fn exhaustive(mut self) -> Self {
        self.how = How::Exhaustive;
        self
    }

    /// A stratified sample: every boundary with its neighbourhood, and so many values at random, or as many as fit
    /// the budget.
    pub fn sample(mut self, draws: Option<u64>) -> Self {
        self.how = How::Sample(draws);
        self
    }

    /// The time that a sample may take, and the bound within which a sweep is exhaustive by itself.
    pub fn budget(mut self, budget: Duration) -> Self {
        self.budget = budget;
        self
    }

    /// The seed of a sample. The same seed and number of draws give the same values, on any number of threads.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Worker threads; at least one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Stop after that many failures. 0: never; all are counted and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.max_failures = failures;
        self
    }

    /// Only this shard of it. How thorough the sweep is must be said then, so that all shards agree.
    pub fn shard(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }

    /// What told the shard, for the report.
    pub fn shard_from(mut self, source: impl Into<String>) -> Self {
        self.shard_from = Some(source.into());
        self
    }

    /// Runs it. Memory does not depend on the number of values.
    ///
    /// # Errors
    ///
    /// Where the threads cannot be started, or for a shard of a sweep that may be exhaustive or a sample. Failures of
    /// the codec are in the report.
    pub fn run(&self, codec: &dyn Codec<T>) -> Result<Report, SweepError> {
        self.run_watched(codec, &Watch::new(), None)
    }

    /// Runs it where others can follow its progress and stop it, and a checkpoint keeps what is done.
    ///
    /// A checkpoint that has a report of the same sweep is resumed; if that is complete, it is the result at once.
    /// Whether the end could be saved is said by [`Checkpoint::trouble`].
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run), and where the checkpoint cannot be written or belongs to another sweep.
    pub fn run_watched(
        &self,
        codec: &dyn Codec<T>,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        let result = self.run_kept(codec, watch, checkpoint);
        watch.end(result.clone());
        result
    }

    fn run_kept(
        &self,
        codec: &dyn Codec<T>,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        if let Some(checkpoint) = &checkpoint {
            watch.keep_in(checkpoint.path());
        }
        let pool = pool(self.threads)?;
        let before = checkpoint.as_ref().and_then(|checkpoint| checkpoint.report());
        let mode = self.mode(codec, before.map(|report| report.mode))?;
        let mut blank = self.blank(mode, codec);
        let saved = checkpoint.as_ref().map(|checkpoint| checkpoint.resume(&blank)).transpose();
        let draws = if let How::Sample(draws) = self.how { draws } else { None };
        let mut schedule = Schedule::of(Kind::of::<T>(), mode, &self.plan, draws, self.shard);
        let list = if self.max_failures == 0 { LISTED } else { self.max_failures } as usize;
        // A sweep that is resumed may list more.
        let kept = list.max(LISTED as usize);
        let mut ledger = Ledger::new(schedule.strata.len(), kept);
        if let Some(saved) = saved.map_err(SweepError::Checkpoint)?.flatten() {
            if saved.report.complete {
                return Ok(saved.report);
            }
            (blank.seconds, blank.cpu_seconds) = (saved.report.seconds, saved.report.cpu_seconds);
            blank.thread_cpu_seconds = saved.report.thread_cpu_seconds;
            (schedule, ledger) =
                saved.state.resume(Kind::of::<T>(), schedule, kept).map_err(SweepError::Checkpoint)?;
        }

        let goal = schedule.count().map_or(Goal::Time(self.budget), Goal::Values);
        let cpu = cpu_time();
        let counts = &ledger.finished.counts;
        let done = counts.by_length.iter().copied().fold(0, u64::saturating_add);
        let start = watch.begin(goal, done, counts.failures);
        let deadline = match goal {
            Goal::Time(budget) => {
                let spent = Duration::try_from_secs_f64(blank.seconds).unwrap_or(Duration::MAX);
                start.checked_add(budget.saturating_sub(spent))
            }
            Goal::Values(_) => None,
        };
        let is_enough = |failures| self.max_failures > 0 && failures >= self.max_failures;
        let edges = Edges::check::<T>(&self.plan, &schedule.whole(), codec, is_enough);
        let ended_at_once = edges.is_over || is_enough(edges.failures());
        let board = Board::new(self.threads, ledger, kept);
        let summary = Arc::new(Summary { blank, schedule, board, edges, list, start, cpu });
        watch.show(Arc::clone(&summary));
        let run = Run {
            codec,
            watch,
            schedule: &summary.schedule,
            board: &summary.board,
            seed: self.seed,
            deadline,
            list: kept,
            max_failures: self.max_failures,
            broken: AtomicBool::new(summary.edges.is_over),
        };
        if !ended_at_once {
            match checkpoint.as_deref() {
                Some(checkpoint) => {
                    checkpoint.kept(&summary, watch, || run.on(&pool)).map_err(SweepError::Checkpoint)?
                }
                None => run.on(&pool),
            }
        }

        let ledger = summary.board.collect().clone();
        let cut = summary.schedule.is_endless()
            && watch.is_stopped()
            && deadline.is_some_and(|deadline| Instant::now() < deadline);
        let complete = ledger.has(summary.schedule.needed()) && !cut;
        let mut report =
            summary.report(&ledger, if complete { Ending::Complete } else { Ending::Interrupted });
        if is_enough(report.failures) {
            (report.ending, report.complete) = (Ending::Failures, false);
        } else if run.broken.load(Relaxed) {
            (report.ending, report.complete) = (Ending::Breakdown, false);
        }
        if report.complete && mode == Mode::Sample && report.failures == 0 {
            let rate: f64 = pool
                .broadcast(|context| consecutive_rate(&self.plan, codec, TRIAL, context.index()))
                .iter()
                .sum();
            report.exhaustive_seconds = Some(interval::count(&self.plan) as f64 / rate.max(1.0));
        }
        if let Some(checkpoint) = checkpoint {
            checkpoint.close(&Saved { report: report.clone(), state: State::of(&ledger) }, watch);
        }
        Ok(report)
    }

    /// Measures here, for a second or two, how long it would take.
    ///
    /// # Errors
    ///
    /// Where the threads cannot be started.
    pub fn estimate(&self, codec: &dyn Codec<T>) -> Result<Estimate, SweepError> {
        Ok(Estimate::measure(&pool(self.threads)?, &self.plan, codec))
    }

    /// The report before anything is done.
    fn blank(&self, mode: Mode, codec: &dyn Codec<T>) -> Report {
        let draws = if let How::Sample(draws) = self.how { draws } else { None };
        let mut blank = Report {
            format: FORMAT,
            program: PROGRAM.to_owned(),
            value_type: T::NAME.to_owned(),
            mode,
            seed: (mode == Mode::Sample).then_some(self.seed),
            draws: draws.filter(|_| mode == Mode::Sample),
            codec: codec.name().to_owned(),
            kernel: codec.kernel().map(str::to_owned),
            shard: (!self.shard.is_whole()).then(|| self.shard.to_string()),
            shard_from: self.shard_from.clone(),
            fingerprint: String::new(),
            merged: None,
            threads: self.threads,
            complete: false,
            ending: Ending::Running,
            plan: self.plan.clone(),
            covered: Vec::new(),
            strata: Vec::new(),
            values: 0,
            by_length: BTreeMap::new(),
            failures: 0,
            first_failures: Vec::new(),
            seconds: 0.0,
            cpu_seconds: cpu_time().map(|_| 0.0),
            thread_cpu_seconds: Vec::new(),
            cpus: std::thread::available_parallelism().ok().map(usize::from),
            values_per_second: 0.0,
            exhaustive_seconds: None,
        };
        blank.identify();
        blank
    }

    /// How thorough it is to be; a sweep that may be either goes on as it began.
    fn mode(&self, codec: &dyn Codec<T>, before: Option<Mode>) -> Result<Mode, SweepError> {
        let values = interval::count(&self.plan);
        let exhaustive = match self.how {
            How::Exhaustive => true,
            _ if sample::divide(Kind::of::<T>(), &self.plan).1.is_empty() => true, // a sample would leave nothing out
            How::Sample(draws) => draws.is_some_and(|draws| u128::from(draws) >= values),
            How::Fitting if values <= SMALL => true,
            How::Fitting if !self.shard.is_whole() => {
                return Err(SweepError::Usage(
                    "a shard needs --exhaustive or --sample: with neither, each machine would decide for itself".into(),
                ));
            }
            How::Fitting => match before {
                Some(mode) => mode == Mode::Exhaustive,
                None => {
                    let rate = consecutive_rate(&self.plan, codec, TRIAL, 0) * self.threads as f64;
                    values as f64 / rate <= self.budget.as_secs_f64()
                }
            },
        };
        Ok(if exhaustive { Mode::Exhaustive } else { Mode::Sample })
    }
}

/// Threads for a sweep.
pub(super) fn pool(threads: usize) -> Result<rayon::ThreadPool, SweepError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("sweep-{index}"))
        .build()
        .map_err(|error| SweepError::Usage(format!("cannot start {threads} threads ({error}): use fewer")))
}
