//! The builder for sweeps.

use std::sync::Arc;
use std::time::Duration;

use super::session;
use super::settings::{RequestedMode, Settings};
use crate::byte_strings::decoders::Decoders;
use crate::check::codec::Codec;
use crate::check::driver::subject;
use crate::check::function::Check;
use crate::check::oracle::Wire;
use crate::check::round_trip::RoundTrip;
use crate::check::subject::Subject;
use crate::error::SweepError;
use crate::plan::byte_strings::ByteStrings;
use crate::plan::integer::Integer;
use crate::plan::interval::Interval;
use crate::plan::interval_set::IntervalSet;
use crate::plan::scalar::Scalars;
use crate::plan::shard::Shard;
use crate::plan::space::{ErasedPart, Space};
use crate::report::sweep_report::Report;
use crate::state::checkpoint::Checkpoint;
use crate::watch::handle::Watch;

/// A builder for a sweep, which checks a function on the inputs of a [`Space`], a codec on the values
/// of an integer type, or decoders on [byte strings](crate::byte_strings).
///
/// By default a sweep covers the whole space on all cores. It is exhaustive if that takes ten
/// seconds at most, otherwise a sample.
///
/// ```
/// use every_input::{Interval, Sweep, all};
///
/// let report = Sweep::of(all::<u16>())
///     .ranges([Interval { first: 1000, last: 3000 }])
///     .exhaustive()
///     .report("swapped twice", &|x: u16| x.swap_bytes().swap_bytes() == x)?;
/// assert_eq!((report.values, report.failures), (2001, 0));
/// # Ok::<(), every_input::SweepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sweep<S> {
    pub(super) space: S,
    pub(super) erased: ErasedSweep,
}

/// A [`Sweep`] without the type of its space, so that it is compiled once for all.
#[derive(Clone, Debug)]
pub(super) struct ErasedSweep {
    pub(super) settings: Settings,
    pub(super) inputs: ErasedPart,
    /// The number of inputs of the space.
    count: u128,
    /// The inputs to check instead of all.
    pub(super) ranges: Option<Result<IntervalSet, SweepError>>,
}

impl ErasedSweep {
    /// Returns the settings with the numbers to check, in a space with this number of inputs now.
    fn planned(&self, count: u128) -> Result<Settings, SweepError> {
        let (name, before) = (&self.settings.space.name, self.count);
        if count != before {
            let problem = format!("its count was {before}, and is {count} now");
            let problem = format!("space '{name}': {problem}; return the same count each time");
            return Err(SweepError::Usage(problem));
        }
        let plan = self.inputs.plan(self.ranges.as_ref())?;
        Ok(Settings { plan, ..self.settings.clone() })
    }

    /// Checks a subject on the inputs of a space with this number of them now.
    pub(super) fn run(
        &self,
        count: u128,
        subject: Result<Subject<'_>, String>,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        let result = self.planned(count).and_then(|settings| {
            let subject = subject.map_err(SweepError::Usage)?;
            session::run(&settings, &subject, watch, checkpoint)
        });
        let _ = watch.end.set(result.clone()); // it observes the first run
        result
    }
}

impl<S: Space> Sweep<S> {
    /// Creates a sweep of the inputs of a space with the default settings.
    pub fn of(space: S) -> Self {
        let (count, inputs) = (space.count(), space.erased());
        let settings = Settings::of(Arc::clone(&inputs.space));
        Self { space, erased: ErasedSweep { settings, inputs, count, ranges: None } }
    }
}

impl<S> Sweep<S> {
    /// Restricts the sweep to these values.
    ///
    /// Overlapping values are checked once. A sweep refuses reversed ranges, values outside of the space,
    /// and a list without any range. A later call replaces the ranges. More than 65,536 ranges are in a
    /// temporary file, so that memory does not grow with them.
    pub fn ranges(mut self, ranges: impl IntoIterator<Item = Interval>) -> Self {
        self.erased.ranges = Some(self.erased.inputs.ranges(ranges));
        self
    }

    /// Restricts the sweep to the values of a set as [`ranges`](Self::ranges) does, such as those of a
    /// [`Replay`](crate::replay::Replay).
    pub fn within(mut self, set: IntervalSet) -> Self {
        self.erased.ranges = Some(self.erased.inputs.part(set));
        self
    }

    /// Checks every value, however long it takes.
    pub fn exhaustive(mut self) -> Self {
        self.erased.settings.requested_mode = RequestedMode::Exhaustive;
        self
    }

    /// Checks a stratified sample: all values near boundaries, and `draws` random values.
    ///
    /// `None` draws as many values as fit the [budget](Self::budget).
    pub fn sample(mut self, draws: Option<u64>) -> Self {
        self.erased.settings.requested_mode = RequestedMode::Sample(draws);
        self
    }

    /// Sets the time budget, which is ten seconds by default.
    ///
    /// A sample without a number of draws takes this time. If the check is slow, it covers fewer values near
    /// boundaries, the nearest first: [`Report::neighbours`] says how many. A sweep without a mode is
    /// exhaustive if it is estimated to take at most this time.
    pub fn budget(mut self, budget: Duration) -> Self {
        self.erased.settings.budget = budget;
        self
    }

    /// Sets the time after which the sweep ends even if it is not complete.
    ///
    /// Its report says what was checked until then. A resumed sweep has this time again.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.erased.settings.time_limit = Some(limit);
        self
    }

    /// Sets the seed of a sample. By default each run draws another one, or continues with that of
    /// its checkpoint. The report contains it.
    ///
    /// The same seed and number of draws give the same values on any number of threads. A test can
    /// be repeated with the options in [`Report::repeat`], which are methods here.
    pub fn seed(mut self, seed: u64) -> Self {
        self.erased.settings.seed = Some(seed);
        self
    }

    /// Sets the number of worker threads, which is at least one. A sweep never starts more than one for
    /// each 262,144 inputs.
    ///
    /// The report of a complete sweep is the same for any number, apart from times. A sweep that ends early
    /// has checked other inputs, so that its counts and the ends of ranges may be others.
    pub fn threads(mut self, threads: usize) -> Self {
        self.erased.settings.threads = threads.max(1);
        self
    }

    /// Sets the number of failures after which the sweep stops, which is 10 by default. Neighbours
    /// that fail alike are one failure, but 2^20 failing inputs end the sweep too.
    ///
    /// 100 crashes or 20 timeouts of child processes end it with [`Ending::Breakdown`](crate::Ending).
    ///
    /// With 0 it does not stop for any of these: all failures are counted, and the first twenty listed. A
    /// report lists at most 10,000 failures, and fewer if their texts are longer than 4 MiB. Longer texts
    /// than 512 KiB are cut. A [`FailureList`](crate::FailureList) has all failures.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.erased.settings.max_failures = failures;
        self
    }

    /// Restricts the sweep to one shard.
    ///
    /// A shard needs [`exhaustive`](Self::exhaustive), or [`sample`](Self::sample) and
    /// [`seed`](Self::seed), so that all shards are of the same sweep.
    pub fn shard(mut self, shard: Shard) -> Self {
        self.erased.settings.shard = shard;
        self
    }

    /// Returns the name of what is swept, such as `i64`, as reports have it.
    pub fn name(&self) -> String {
        self.erased.settings.space.name.clone()
    }
}

impl<S: Space> Sweep<S> {
    /// Checks a function, and returns the report with this name of the function.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started, if the space is too large, has no inputs or
    /// leaves some out of its [classes](Space::classes), if a range is not in the space, or for a shard
    /// without a mode or a seed. Failures of the function are in the report instead.
    pub fn report(&self, name: &str, check: &impl Check<S::Item>) -> Result<Report, SweepError> {
        self.report_watched(name, check, &Watch::new(), None)
    }

    /// Checks a function as [`run_watched`](Sweep::run_watched) checks a codec.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`report`](Self::report), and an error if the checkpoint cannot be
    /// written or belongs to another sweep.
    pub fn report_watched(
        &self,
        name: &str,
        check: &impl Check<S::Item>,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        self.erased.run(self.space.count(), Ok(subject(name, &self.space, check)), watch, checkpoint)
    }
}

impl<T: Integer> Sweep<Scalars<T>> {
    /// Checks a codec whose wire format is [`Wire::Leb128`]. Memory does not grow with the number of
    /// values. For another wire format, give [`report`](Sweep::report) a [`RoundTrip`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`report`](Self::report). Failures of the codec are in the report instead.
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
        self.report_watched(codec.name(), &RoundTrip::new(codec, Wire::Leb128), watch, checkpoint)
    }
}

impl Sweep<ByteStrings> {
    /// Checks decoders. Memory does not grow with the number of strings.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`report`](Self::report), and an error if there are no decoders. Failures of
    /// the decoders are in the report instead.
    pub fn check_decoders(&self, decoders: &Decoders) -> Result<Report, SweepError> {
        self.check_decoders_watched(decoders, &Watch::new(), None)
    }

    /// Checks decoders as [`run_watched`](Sweep::run_watched) checks a codec.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`check_decoders`](Self::check_decoders), and an error if the checkpoint cannot be
    /// written or belongs to another sweep.
    pub fn check_decoders_watched(
        &self,
        decoders: &Decoders,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        self.erased.run(self.space.count(), decoders.on(self.space), watch, checkpoint)
    }
}
