//! The sweep itself: a plan, a codec, and as many threads as there are cores.

use std::marker::PhantomData;
use std::time::Duration;

use super::estimate::Estimate;
use super::limits::Limits;
use super::session;
use super::settings::{Settings, Thoroughness};
use crate::check::codec::Codec;
use crate::error::SweepError;
use crate::plan::integer::Integer;
use crate::plan::interval::{self, Interval};
use crate::plan::shard::Shard;
use crate::report::sweep_report::Report;
use crate::state::checkpoint::Checkpoint;
use crate::watch::handle::Watch;

/// A sweep to be run: which values, how thoroughly, on how many threads.
///
/// ```
/// use varint_sweep::{Interval, Sweep, one_by_one};
/// # fn encode(value: u16, dst: &mut [u8]) -> Result<usize, varint_sweep::CodecError> {
/// #     let (mut rest, mut len) = (value, 0);
/// #     while rest > 0x7f {
/// #         dst[len] = rest as u8 | 0x80;
/// #         (rest, len) = (rest >> 7, len + 1);
/// #     }
/// #     dst[len] = rest as u8;
/// #     Ok(len + 1)
/// # }
/// # fn decode(src: &[u8]) -> Result<(u16, usize), varint_sweep::CodecError> {
/// #     let len = src.iter().position(|&byte| byte < 0x80).ok_or("no last byte")? + 1;
/// #     let value = src[..len].iter().rev().fold(0, |value, &byte| value << 7 | u16::from(byte & 0x7f));
/// #     Ok((value, len))
/// # }
///
/// let report = Sweep::<u16>::new()
///     .ranges([Interval { first: 1000, last: 3000 }])
///     .exhaustive()
///     .run(&one_by_one("mine", encode, decode))?;
/// assert_eq!((report.values, report.failures), (2001, 0));
/// # Ok::<(), varint_sweep::SweepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep<T> {
    settings: Settings,
    integer: PhantomData<T>,
}

impl<T: Integer> Default for Sweep<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Integer> Sweep<T> {
    /// A sweep of the whole type on all cores: exhaustive if that takes ten seconds at most, else a sample.
    pub fn new() -> Self {
        let settings = Settings {
            plan: vec![Interval { first: T::LEAST, last: T::GREATEST }],
            thoroughness: Thoroughness::Fitting,
            budget: Duration::from_secs(10),
            seed: 1,
            limits: Limits::default(),
            shard: Shard::WHOLE,
            shard_from: None,
        };
        Self { settings, integer: PhantomData }
    }

    /// Only these values. Overlaps count once; what lies outside the type is left out.
    pub fn ranges(mut self, ranges: impl IntoIterator<Item = Interval>) -> Self {
        let limits = Interval { first: T::LEAST, last: T::GREATEST };
        self.settings.plan = interval::intersection(&interval::union(ranges), &[limits]);
        self
    }

    /// Every value, however long it takes.
    pub fn exhaustive(mut self) -> Self {
        self.settings.thoroughness = Thoroughness::Exhaustive;
        self
    }

    /// A stratified sample: every boundary with its neighbourhood, and that many values at random, or as many as fit
    /// the budget.
    pub fn sample(mut self, draws: Option<u64>) -> Self {
        self.settings.thoroughness = Thoroughness::Sample(draws);
        self
    }

    /// The time that a sample may take, and the bound within which a sweep is exhaustive by itself.
    pub fn budget(mut self, budget: Duration) -> Self {
        self.settings.budget = budget;
        self
    }

    /// The seed of a sample. The same seed and number of draws give the same values, on any number of threads.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Worker threads; at least one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.limits.threads = threads.max(1);
        self
    }

    /// Stop after that many failures. 0: never; all are counted and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.settings.limits.max_failures = failures;
        self
    }

    /// Only this shard of it. How thorough the sweep is must be said then, so that all shards agree.
    pub fn shard(mut self, shard: Shard) -> Self {
        self.settings.shard = shard;
        self
    }

    /// What told the shard, for the report.
    pub fn shard_from(mut self, source: impl Into<String>) -> Self {
        self.settings.shard_from = Some(source.into());
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
        let result = session::run(&self.settings, codec, watch, checkpoint);
        watch.end(result.clone());
        result
    }

    /// Measures here, for a second or two, how long it would take.
    ///
    /// # Errors
    ///
    /// Where the threads cannot be started.
    pub fn estimate(&self, codec: &dyn Codec<T>) -> Result<Estimate, SweepError> {
        Ok(Estimate::measure(&self.settings.limits.pool()?, &self.settings.plan, codec))
    }
}
