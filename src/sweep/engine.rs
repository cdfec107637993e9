//! The sweep itself: a plan, a codec, and as many threads as there are cores.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use super::calibrate::values_per_second;
use super::codec::Codec;
use super::cpu::cpu_time;
use super::edges::Edges;
use super::integer::Integer;
use super::interval::{self, Interval};
use super::report::{Ending, Mode, Report, StratumReport};
use super::sample;
use super::schedule::Schedule;
use super::watch::{Goal, Watch};
use super::worker::{Done, Run};

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

/// A sweep that could not be run.
#[derive(Debug)]
pub struct SweepError {
    message: String,
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
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

    /// Runs it. Memory does not depend on the number of values.
    ///
    /// # Errors
    ///
    /// Where the threads cannot be started. Failures of the codec are in the report.
    pub fn run(&self, codec: &dyn Codec<T>) -> Result<Report, SweepError> {
        self.run_watched(codec, &Watch::new())
    }

    /// Runs it where others can follow its progress and stop it.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run).
    pub fn run_watched(&self, codec: &dyn Codec<T>, watch: &Watch) -> Result<Report, SweepError> {
        let pool = pool(self.threads)?;
        let mode = self.mode(codec);
        let (schedule, goal) = self.schedule(mode);
        let cpu = cpu_time();
        let start = watch.begin(goal);
        let list = if self.max_failures == 0 { LISTED } else { self.max_failures } as usize;
        let edges = Edges::check::<T>(&self.plan, codec);
        let done = if self.max_failures > 0 && edges.failures() >= self.max_failures {
            Done::nothing()
        } else {
            let deadline = if let Goal::Time(budget) = goal { start.checked_add(budget) } else { None };
            let (seed, max_failures) = (self.seed, self.max_failures);
            Run { codec, watch, schedule: &schedule, seed, deadline, list, max_failures }.on(&pool)
        };
        let done = edges.added_to(done, list);
        let seconds = start.elapsed().as_secs_f64();
        let cpu_seconds = cpu_time().zip(cpu).map(|(end, start)| (end - start).as_secs_f64());
        let ending = if self.max_failures > 0 && done.failures >= self.max_failures {
            Ending::Failures
        } else if done.complete {
            Ending::Complete
        } else {
            Ending::Interrupted
        };
        let strata =
            schedule.strata.iter().zip(&done.drawn).map(|(s, &n)| StratumReport::new(s, n)).collect();
        Ok(Report {
            format: 1,
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
            value_type: T::NAME,
            mode,
            seed: (mode == Mode::Sample).then_some(self.seed),
            codec: codec.name().to_owned(),
            kernel: codec.kernel().map(str::to_owned),
            shard: None,
            threads: self.threads,
            complete: ending == Ending::Complete,
            ending,
            plan: self.plan.clone(),
            strata,
            values: done.values().into(),
            by_length: done.by_length(),
            failures: done.failures,
            first_failures: done.listed,
            covered: done.covered,
            seconds,
            cpu_seconds,
            values_per_second: done.by_length.iter().sum::<u64>() as f64 / seconds.max(1e-9),
        })
    }

    fn mode(&self, codec: &dyn Codec<T>) -> Mode {
        let values = interval::count(&self.plan);
        let exhaustive = match self.how {
            How::Exhaustive => true,
            _ if sample::divide::<T>(&self.plan).1.is_empty() => true, // a sample would leave nothing out
            How::Sample(draws) => draws.is_some_and(|draws| u128::from(draws) >= values),
            How::Fitting => {
                values <= SMALL || {
                    let rate = values_per_second(&self.plan, codec) * self.threads as f64;
                    values as f64 / rate <= self.budget.as_secs_f64()
                }
            }
        };
        if exhaustive { Mode::Exhaustive } else { Mode::Sample }
    }

    fn schedule(&self, mode: Mode) -> (Schedule, Goal) {
        match (mode, self.how) {
            (Mode::Exhaustive, _) => {
                let goal = Goal::Values(interval::count(&self.plan));
                (Schedule::new(self.plan.clone(), vec![], None), goal)
            }
            (Mode::Sample, How::Sample(Some(draws))) => {
                let (whole, strata) = sample::divide::<T>(&self.plan);
                let goal = Goal::Values(interval::count(&whole) + u128::from(draws));
                (Schedule::new(whole, strata, Some(draws)), goal)
            }
            (Mode::Sample, _) => {
                let (whole, strata) = sample::divide::<T>(&self.plan);
                (Schedule::new(whole, strata, None), Goal::Time(self.budget))
            }
        }
    }
}

/// Threads for a sweep.
pub(super) fn pool(threads: usize) -> Result<rayon::ThreadPool, SweepError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("sweep-{index}"))
        .build()
        .map_err(|error| SweepError {
            message: format!("cannot start {threads} threads ({error}): use fewer"),
        })
}
