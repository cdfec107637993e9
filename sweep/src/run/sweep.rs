//! The builder for sweeps.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use super::session;
use super::settings::{RequestedMode, Settings};
use crate::byte_strings::decoders::{Decoders, DecodersOn};
use crate::check::checker::CodecSubject;
use crate::check::codec::Codec;
use crate::check::subject::Subject;
use crate::error::SweepError;
use crate::plan::byte_strings::{ByteStrings, MAX_EXHAUSTIVE_LEN};
use crate::plan::integer::{Integer, Kind};
use crate::plan::interval::{self, Interval};
use crate::plan::shard::Shard;
use crate::report::sweep_report::Report;
use crate::state::checkpoint::Checkpoint;
use crate::watch::handle::Watch;

/// A builder for a sweep, which checks a codec on the values of an integer type, or decoders on
/// [byte strings](crate::byte_strings).
///
/// By default a sweep covers the whole type on all cores. It is exhaustive if that takes ten
/// seconds at most, otherwise a sample.
///
/// ```
/// use varint_sweep::{Interval, Sweep, codec_from_fns};
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
///     .run(&codec_from_fns("mine", encode, decode))?;
/// assert_eq!((report.values, report.failures), (2001, 0));
/// # Ok::<(), varint_sweep::SweepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep<S> {
    settings: Settings,
    space: PhantomData<S>,
}

impl<T: Integer> Default for Sweep<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Sweep<S> {
    /// Restricts the sweep to these values.
    ///
    /// Overlapping values are checked once, and values outside the type are ignored.
    pub fn ranges(mut self, ranges: impl IntoIterator<Item = Interval>) -> Self {
        let limits = self.settings.space.limits();
        self.settings.plan = interval::intersection(&interval::union(ranges), &[limits]);
        self
    }

    /// Checks every value, however long it takes.
    pub fn exhaustive(mut self) -> Self {
        self.settings.requested_mode = RequestedMode::Exhaustive;
        self
    }

    /// Checks a stratified sample: all values near boundaries, and `draws` random values.
    ///
    /// `None` draws as many values as fit the [budget](Self::budget).
    pub fn sample(mut self, draws: Option<u64>) -> Self {
        self.settings.requested_mode = RequestedMode::Sample(draws);
        self
    }

    /// Sets the time budget, which is ten seconds by default.
    ///
    /// A sample without a number of draws takes this time. A sweep without a mode is exhaustive if
    /// it is estimated to take at most this time.
    pub fn budget(mut self, budget: Duration) -> Self {
        self.settings.budget = budget;
        self
    }

    /// Sets the time after which the sweep ends even if it is not complete.
    ///
    /// Its report says what was checked until then. A resumed sweep has this time again.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.settings.time_limit = Some(limit);
        self
    }

    /// Sets the seed of a sample. By default each run draws another one, or continues with that of
    /// its checkpoint. The report contains it.
    ///
    /// The same seed and number of draws give the same values on any number of threads. A test can
    /// be repeated with the options in [`Report::repeat`].
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = Some(seed);
        self
    }

    /// Sets the number of worker threads, which is at least one. A sweep never starts more threads
    /// than it has units of work, which are 262,144 consecutive values each, and rounds of draws.
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.limits.threads = threads.max(1);
        self
    }

    /// Sets the number of failures after which the sweep stops, which is 10 by default. Neighbours
    /// that fail alike are one failure, but 2^20 failing inputs end the sweep too.
    ///
    /// With 0 it does not stop: all failures are counted, and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.settings.limits.max_failures = failures;
        self
    }

    /// Restricts the sweep to one shard.
    ///
    /// A shard needs [`exhaustive`](Self::exhaustive), or [`sample`](Self::sample) and
    /// [`seed`](Self::seed), so that all shards are of the same sweep.
    pub fn shard(mut self, shard: Shard) -> Self {
        self.settings.shard = shard;
        self
    }

    /// Sets where the shard comes from, for the report, such as a variable of the environment.
    pub fn shard_source(mut self, source: impl Into<String>) -> Self {
        self.settings.shard_source = Some(source.into());
        self
    }

    /// Returns the name of what is swept, such as `i64`, as reports have it.
    pub fn name(&self) -> String {
        self.settings.space.name()
    }

    fn run_subject(
        &self,
        subject: &dyn Subject,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        let result = session::run(&self.settings, subject, watch, checkpoint);
        watch.end(result.clone());
        result
    }
}

impl<T: Integer> Sweep<T> {
    /// Creates a sweep of an integer type with the default settings.
    pub fn new() -> Self {
        Self { settings: Settings::of(Arc::new(Kind::of::<T>())), space: PhantomData }
    }

    /// Runs the sweep and returns its report. Memory does not grow with the number of values.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started, or for a shard without a mode or a seed.
    /// Failures of the codec are in the report instead.
    pub fn run(&self, codec: &dyn Codec<T>) -> Result<Report, SweepError> {
        self.run_watched(codec, &Watch::new(), None)
    }

    /// Runs the sweep while other threads observe or stop it through `watch`, and saves its
    /// progress to a checkpoint.
    ///
    /// If the checkpoint contains progress of the same sweep, the sweep resumes there. If it
    /// contains a complete report, that is returned at once. After the run,
    /// [`Checkpoint::save_error`] returns whether the final state could not be saved.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run), and an error if the checkpoint cannot be written
    /// or belongs to another sweep.
    pub fn run_watched(
        &self,
        codec: &dyn Codec<T>,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        self.run_subject(&CodecSubject(codec), watch, checkpoint)
    }
}

impl Sweep<ByteStrings> {
    /// Creates a sweep of every byte string of up to `max_len` bytes and of longer structured ones,
    /// with the default settings. `max_len` is at most [`MAX_EXHAUSTIVE_LEN`].
    pub fn of_byte_strings(max_len: usize) -> Self {
        let space = ByteStrings { len: max_len.min(MAX_EXHAUSTIVE_LEN) };
        Self { settings: Settings::of(Arc::new(space)), space: PhantomData }
    }

    /// Checks decoders. Memory does not grow with the number of strings.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started, or for a shard without a mode or a seed.
    /// Failures of the decoders are in the report instead.
    pub fn check(&self, decoders: &Decoders) -> Result<Report, SweepError> {
        self.check_watched(decoders, &Watch::new(), None)
    }

    /// Checks decoders as [`run_watched`](Sweep::run_watched) checks a codec.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`check`](Self::check), and an error if the checkpoint cannot be
    /// written or belongs to another sweep.
    pub fn check_watched(
        &self,
        decoders: &Decoders,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        let space = ByteStrings::by_name(&self.name()).unwrap_or(ByteStrings { len: 0 });
        self.run_subject(&DecodersOn { space, decoders }, watch, checkpoint)
    }
}
