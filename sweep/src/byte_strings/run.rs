//! A check on byte strings to be run: up to which length, with which decoders, on how many threads.

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

/// The greatest length of which every string can be checked. Each byte more takes 256 times as long.
pub const MAX_LEN: usize = 5;

/// A check on byte strings for one integer type; see the [module](super).
pub struct ByteSweep<T> {
    len: usize,
    decoders: Vec<Box<dyn ByteDecoder<T>>>,
    limits: Limits,
    parts: u32,
}

impl<T: Integer> Default for ByteSweep<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Integer> ByteSweep<T> {
    /// Returns a sweep of every string up to three bytes on all cores, without decoders.
    pub fn new() -> Self {
        Self { len: 3, decoders: vec![], limits: Limits::default(), parts: 1 }
    }

    /// Sets the length up to which every string is checked, at most [`MAX_LEN`]; longer ones are structured.
    pub fn len(mut self, len: usize) -> Self {
        self.len = len.min(MAX_LEN);
        self
    }

    /// Adds a decoder.
    pub fn decoder(mut self, decoder: impl ByteDecoder<T> + 'static) -> Self {
        self.decoders.push(Box::new(decoder));
        self
    }

    /// Sets the number of worker threads; at least one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.limits.threads = threads.max(1);
        self
    }

    /// Sets the number of disagreements that ends the sweep. With 0 all are counted and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.limits.max_failures = failures;
        self
    }

    /// Sets how many sweeps like this one, of different types, share one [`Watch`], whose goal is all of them.
    pub fn one_of(mut self, parts: u32) -> Self {
        self.parts = parts;
        self
    }

    /// Returns the number of strings.
    pub fn strings(&self) -> u64 {
        groups(self.len).into_iter().map(Group::count).sum()
    }

    /// Runs the sweep. Memory does not depend on the number of strings.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started. Disagreements are in the report.
    pub fn run(&self) -> Result<Report, SweepError> {
        self.run_watched(&Watch::new())
    }

    /// Runs the sweep while others can follow its progress and stop it. The watch counts strings.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run).
    pub fn run_watched(&self, watch: &Watch) -> Result<Report, SweepError> {
        let pool = self.limits.pool()?;
        let goal = Goal::Values(u128::from(self.strings()) * u128::from(self.parts));
        watch.begin(goal, 0, watch.failures()); // of earlier parts
        let stopwatch = Stopwatch::since(Instant::now());
        let groups = groups(self.len);
        let Done { report, disagreements, listed } =
            Work::new(&groups, &self.decoders, watch, self.limits).run(&pool);
        let seconds = stopwatch.seconds();
        let strings = report.lengths.iter().map(|length| length.checked).sum();
        let decoded = report.decoders.iter().flat_map(|decoder| decoder.strings).sum::<u64>();
        let ending = match report.is_complete() {
            true => Ending::Complete,
            false if self.limits.is_enough(watch.failures()) => Ending::Failures,
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
        let Self { len, decoders, limits: Limits { threads, max_failures }, parts } = self;
        let decoders = decoders.len();
        write!(f, "ByteSweep {{ len: {len}, decoders: {decoders}, threads: {threads}, ")?;
        write!(f, "max_failures: {max_failures}, parts: {parts} }}")
    }
}
