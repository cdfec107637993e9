//! The settings and the run of a check on byte strings.

use std::time::Instant;

use super::decoder::ByteDecoder;
use super::report::{Report, rate};
use super::strings::{Group, groups};
use super::worker::{Done, Work};
use crate::environment::stopwatch::Stopwatch;
use crate::error::SweepError;
use crate::plan::integer::Integer;
use crate::report::sweep_report::{Ending, FORMAT};
use crate::run::limits::Limits;
use crate::watch::handle::{Goal, Watch};

/// The maximum of [`ByteSweep::max_len`]. Each further byte would take 256 times as long.
pub const MAX_EXHAUSTIVE_LEN: usize = 5;

/// A check of decoders on byte strings for one integer type; see the [module](super).
pub struct ByteSweep<T> {
    len: usize,
    decoders: Vec<Box<dyn ByteDecoder<T>>>,
    limits: Limits,
    sweeps: u32,
}

impl<T: Integer> Default for ByteSweep<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Integer> ByteSweep<T> {
    /// Creates a sweep of every string up to three bytes on all cores, without decoders.
    pub fn new() -> Self {
        Self { len: 3, decoders: vec![], limits: Limits::default(), sweeps: 1 }
    }

    /// Sets the length up to which every string is checked, at most [`MAX_EXHAUSTIVE_LEN`]. Of
    /// longer strings, only structured ones are checked.
    pub fn max_len(mut self, len: usize) -> Self {
        self.len = len.min(MAX_EXHAUSTIVE_LEN);
        self
    }

    /// Adds a decoder to check.
    pub fn decoder(mut self, decoder: impl ByteDecoder<T> + 'static) -> Self {
        self.decoders.push(Box::new(decoder));
        self
    }

    /// Sets the number of worker threads, which is at least one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.limits.threads = threads.max(1);
        self
    }

    /// Sets the number of disagreements after which the sweep stops. With 0 it does not stop: all
    /// are counted, and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.limits.max_failures = failures;
        self
    }

    /// Sets the number of sweeps of different types that share one [`Watch`], so that its goal
    /// covers all of them.
    pub fn watch_shared_by(mut self, sweeps: u32) -> Self {
        self.sweeps = sweeps;
        self
    }

    /// Returns the number of strings to check.
    pub fn string_count(&self) -> u64 {
        groups(self.len).into_iter().map(Group::count).sum()
    }

    /// Runs the sweep. Memory does not grow with the number of strings.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started. Disagreements are in the report.
    pub fn run(&self) -> Result<Report, SweepError> {
        self.run_watched(&Watch::new())
    }

    /// Runs the sweep like [`run`](Self::run) while other threads observe or stop it through
    /// `watch`, which counts strings.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run).
    pub fn run_watched(&self, watch: &Watch) -> Result<Report, SweepError> {
        let pool = self.limits.pool(u64::MAX)?;
        let goal = Goal::Values(u128::from(self.string_count()) * u128::from(self.sweeps));
        watch.begin(goal, 0, watch.failures()); // keep the failures of earlier sweeps
        let stopwatch = Stopwatch::since(Instant::now());
        let groups = groups(self.len);
        let Done { report, disagreements, listed } =
            Work::new(&groups, &self.decoders, watch, self.limits).run(&pool);
        let seconds = stopwatch.seconds();
        let strings = report.lengths.iter().map(|length| length.checked).sum();
        let decoded = report.decoders.iter().flat_map(|decoder| decoder.strings).sum::<u64>();
        let ending = match report.is_complete() {
            true => Ending::Complete,
            false if self.limits.is_reached_by(watch.failures()) => Ending::Failures,
            false => Ending::Interrupted,
        };
        Ok(Report {
            format: FORMAT,
            program: watch.program().to_owned(),
            swept: "bytes",
            len: self.len,
            threads: self.limits.threads,
            complete: ending == Ending::Complete,
            ending,
            types: vec![report],
            strings,
            decodings: 2 * decoded,
            disagreements,
            first_disagreements: listed.into_iter().map(|(_, disagreement)| disagreement).collect(),
            seconds,
            cpu_seconds: stopwatch.cpu_seconds(),
            strings_per_second: rate(strings, seconds),
        })
    }
}

impl<T> std::fmt::Debug for ByteSweep<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { len, decoders, limits: Limits { threads, max_failures }, sweeps } = self;
        let decoders = decoders.len();
        write!(f, "ByteSweep {{ len: {len}, decoders: {decoders}, threads: {threads}, ")?;
        write!(f, "max_failures: {max_failures}, sweeps: {sweeps} }}")
    }
}
