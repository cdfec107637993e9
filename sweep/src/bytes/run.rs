//! The sweep over byte strings: how long, through which doors, and as many threads as there are cores.

use std::sync::atomic::AtomicU64;

use crate::environment::cpu_time::cpu_time;
use crate::run::threads::pool;
use crate::{Goal, Integer, SweepError, Watch};

use super::door::Door;
use super::report::{Report, Totals};
use super::strings::{Group, groups};
use super::worker::Work;

/// The greatest length of which every string can be asked for: there are 256 times as many with each byte more.
pub const MAX_LEN: usize = 5;

/// Disagreements that a report lists where none ends the sweep.
const LISTED: usize = 20;

/// A sweep over byte strings for one integer type; see the [module](super).
pub struct ByteSweep<T> {
    len: usize,
    doors: Vec<Box<dyn Door<T>>>,
    threads: usize,
    max_failures: u64,
    parts: u32,
}

impl<T: Integer> Default for ByteSweep<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Integer> ByteSweep<T> {
    /// A sweep of every string up to three bytes on all cores; through which doors is to be said.
    pub fn new() -> Self {
        Self {
            len: 3,
            doors: vec![],
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            max_failures: 10,
            parts: 1,
        }
    }

    /// Every string up to `len` bytes, at most [`MAX_LEN`]; longer ones are structured.
    pub fn len(mut self, len: usize) -> Self {
        self.len = len.min(MAX_LEN);
        self
    }

    /// One door more.
    pub fn door(mut self, door: impl Door<T> + 'static) -> Self {
        self.doors.push(Box::new(door));
        self
    }

    /// Worker threads; at least one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Stop after that many disagreements. 0: never; all are counted and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.max_failures = failures;
        self
    }

    /// So many sweeps like this one, of different types, have one [`Watch`]: its goal is all of them.
    pub fn one_of(mut self, parts: u32) -> Self {
        self.parts = parts;
        self
    }

    /// Strings that it has.
    pub fn strings(&self) -> u64 {
        groups(self.len).into_iter().map(Group::count).sum()
    }

    /// Runs it. Memory does not depend on the number of strings.
    ///
    /// # Errors
    ///
    /// Where the threads cannot be started. Disagreements are in the report.
    pub fn run(&self) -> Result<Report, SweepError> {
        self.run_watched(&Watch::new())
    }

    /// Runs it where others can follow its progress and stop it. The watch counts strings.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run).
    pub fn run_watched(&self, watch: &Watch) -> Result<Report, SweepError> {
        let pool = pool(self.threads)?;
        let groups = groups(self.len);
        let cpu = cpu_time();
        let goal = Goal::Values(u128::from(self.strings()) * u128::from(self.parts));
        watch.begin(goal, 0, watch.failures()); // of earlier parts
        let start = std::time::Instant::now();
        let tally = Work {
            groups: &groups,
            doors: &self.doors,
            watch,
            next: AtomicU64::new(0),
            list: if self.max_failures == 0 {
                LISTED
            } else {
                self.max_failures.try_into().unwrap_or(LISTED)
            },
            max_failures: self.max_failures,
        }
        .on(&pool);
        let totals = Totals {
            len: self.len,
            threads: self.threads,
            enough: self.max_failures > 0 && watch.failures() >= self.max_failures,
            seconds: start.elapsed().as_secs_f64(),
            cpu_seconds: cpu_time().zip(cpu).map(|(end, start)| (end - start).as_secs_f64()),
        };
        let names = self.doors.iter().map(|door| (door.name().to_owned(), door.kernel().map(str::to_owned)));
        Ok(Report::new::<T>(totals, &groups, names.collect(), tally))
    }
}

impl<T> std::fmt::Debug for ByteSweep<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { len, threads, max_failures, parts, doors } = self;
        let doors = doors.len();
        f.debug_struct("ByteSweep")
            .field("len", len)
            .field("doors", &doors)
            .field("threads", threads)
            .field("max_failures", max_failures)
            .field("parts", parts)
            .finish()
    }
}
