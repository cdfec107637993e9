//! The settings of a sweep.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::check::bounds::MAX_LIST_LENGTH;
use crate::check::function::MAX_BLOCK_LEN;
use crate::check::subject::{Found, Subject};
use crate::error::SweepError;
use crate::plan::interval_set::IntervalSet;
use crate::plan::partition::Partition;
use crate::plan::sample::{self, Mode};
use crate::plan::shard::Shard;
use crate::plan::space::ErasedSpace;
use crate::plan::space_names::table_of_unknown;
use crate::report::long_plan::LongPlan;
use crate::report::setting::{setting, setting_to};
use crate::report::sweep_report::{DEFAULT_LIST_LENGTH, FORMAT, Report, list_length};
use crate::run::pace::Pace;
use crate::texts::{bounded, grouped};
use crate::watch::threads::cpu_time;

/// The number of values up to which an exhaustive sweep takes so little time, if the codec is fast, that a
/// trial of the whole duration would be noticed.
const SMALL: u128 = 1 << 20;

/// The duration of a measurement that decides whether an exhaustive sweep fits the budget.
pub(crate) const TRIAL: Duration = Duration::from_millis(50);

/// The greatest number of ranges in the plan of a sample, which its report lists.
const MAX_SAMPLED: u64 = 1 << 19;

/// The number of ranges whose values are checked in a trial.
const TRIED: u64 = 1 << 12;

/// The settings of a sweep; see the methods of [`Sweep`](super::sweep::Sweep).
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) space: Arc<ErasedSpace>,
    /// The numbers to check, from the start of the run on.
    pub(crate) plan: IntervalSet,
    pub(crate) requested_mode: RequestedMode,
    pub(crate) budget: Duration,
    pub(crate) time_limit: Option<Duration>,
    /// The seed of a sample; `None` for that of the checkpoint, or a fresh one.
    pub(crate) seed: Option<u64>,
    /// The number of worker threads, at least one.
    pub(crate) threads: usize,
    /// The number of failures that ends a run, where neighbours that fail alike are one; 0 means no
    /// limit.
    pub(crate) max_failures: u64,
    pub(crate) shard: Shard,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum RequestedMode {
    /// Exhaustive if that fits the budget, otherwise a sample.
    ByBudget,
    Exhaustive,
    /// A sample with this number of draws, or with as many as fit the budget.
    Sample(Option<u64>),
}

impl Settings {
    pub(crate) fn of(space: Arc<ErasedSpace>) -> Self {
        Self {
            plan: IntervalSet::default(),
            space,
            requested_mode: RequestedMode::ByBudget,
            budget: Duration::from_secs(10),
            time_limit: None,
            seed: None,
            threads: thread::available_parallelism().map_or(1, usize::from),
            max_failures: 10,
            shard: Shard::WHOLE,
        }
    }

    /// Returns the number of failures to list in a report.
    pub(super) fn list_length(&self) -> usize {
        list_length(self.max_failures)
    }

    /// Returns the number of failures to keep in a checkpoint. A run that resumes this one may list
    /// more.
    pub(super) fn kept(&self) -> usize {
        self.list_length().max(DEFAULT_LIST_LENGTH)
    }

    /// Returns the number of failures of consecutive inputs to keep. In a sample, other inputs are between
    /// the parts of one range.
    pub(super) fn kept_of_consecutive(&self, mode: Mode) -> usize {
        if mode == Mode::Sample { MAX_LIST_LENGTH } else { self.kept() }
    }

    pub(crate) fn draws(&self) -> Option<u64> {
        if let RequestedMode::Sample(draws) = self.requested_mode { draws } else { None }
    }

    /// Decides on the mode of the sweep. `before` is that of the checkpoint, which a sweep by
    /// budget keeps. Each machine would decide for itself about a shard of a sweep by budget, so
    /// that is an error.
    pub(crate) fn mode(
        &self,
        subject: &Subject<'_>,
        before: Option<Mode>,
        program: &str,
    ) -> Result<Mode, SweepError> {
        let values = self.plan.count();
        let draws = match self.requested_mode {
            RequestedMode::Exhaustive => return Ok(Mode::Exhaustive),
            RequestedMode::ByBudget => None,
            RequestedMode::Sample(draws) => Some(draws),
        };
        // A complete sample would cover every value.
        let has_few = self.plan.len() <= MAX_SAMPLED;
        let ranges = || self.plan.intervals().collect::<Vec<_>>();
        let is_whole = has_few && sample::divide(&self.space, &ranges()).1.is_empty();
        let is_small = is_whole || (draws.is_none() && values <= SMALL);
        let exhaustive = match (draws, before) {
            (Some(Some(draws)), _) => is_whole || u128::from(draws) >= values,
            (Some(None), _) if !is_whole => false,
            _ if !self.shard.is_whole() && is_small => true,
            (None, _) if !self.shard.is_whole() => {
                let [shard, exhaustive, sample] =
                    ["shard", "exhaustive", "sample"].map(|method| setting(program, method));
                return Err(SweepError::Usage(format!(
                    "{shard} needs {exhaustive} or {sample} (otherwise each machine would choose one for itself)"
                )));
            }
            (_, Some(before)) => before == Mode::Exhaustive,
            (_, None) => self.fits_budget(subject, values),
        };
        match exhaustive {
            true => Ok(Mode::Exhaustive),
            false if has_few => Ok(Mode::Sample),
            false => Err(SweepError::Usage(format!(
                "ranges: a sample of {} ranges is not possible, at most of {}; check all values with {}",
                grouped(self.plan.len().into()),
                grouped(MAX_SAMPLED.into()),
                setting(program, "exhaustive")
            ))),
        }
    }

    /// Returns whether this number of values can be checked within the budget. A trial measures it, which
    /// is short if they take a small part of it.
    fn fits_budget(&self, subject: &Subject<'_>, values: u128) -> bool {
        let part = |rate: f64| values as f64 / (rate * self.threads as f64) / self.budget.as_secs_f64();
        let is_enough = |rate, time| time >= TRIAL || (values <= SMALL && part(rate) < 0.1);
        part(consecutive_rate(&self.plan, subject, is_enough, 0)) <= 1.0
    }

    /// Returns whether the budget ends a sweep with this mode.
    pub(super) fn has_budget(&self, mode: Mode) -> bool {
        mode == Mode::Sample && self.draws().is_none()
    }

    /// Decides on the seed of a sample. `before` is that of the checkpoint, which a sweep without a
    /// seed keeps. Each machine would draw its own seed for a shard, so that is an error.
    pub(super) fn sample_seed(&self, before: Option<u64>, program: &str) -> Result<u64, SweepError> {
        match self.seed.or(before) {
            Some(seed) => Ok(seed),
            None if self.shard.is_whole() => Ok(sample::fresh_seed()),
            None => Err(SweepError::Usage(format!(
                "{} of a random sample needs {} (otherwise each machine would choose a seed for itself); \
                 add {}, with the same N for all shards",
                setting(program, "shard"),
                setting(program, "seed"),
                setting_to(program, "seed", "N")
            ))),
        }
    }

    pub(crate) fn blank_report(
        &self,
        mode: Mode,
        seed: Option<u64>,
        subject: &Subject<'_>,
        program: &str,
    ) -> Report {
        // A sample is of its ranges, which are needed to merge it.
        let long_plan = if mode == Mode::Exhaustive { LongPlan::of(&self.plan, &self.space) } else { None };
        let most = if long_plan.is_some() { LongPlan::FIRST_RANGES } else { usize::MAX };
        let mut blank = Report {
            format: FORMAT,
            program: bounded(program),
            value_type: self.space.name.clone(),
            space: table_of_unknown(&self.space),
            mode,
            seed,
            draws: self.draws().filter(|_| mode == Mode::Sample),
            codec: bounded(&subject.name),
            subject: subject.noun.map(str::to_owned),
            kernel: subject.kernel.as_ref().map(bounded),
            wire: subject.wire.as_ref().map(bounded),
            shard: (!self.shard.is_whole()).then(|| self.shard.to_string()),
            threads: self.threads,
            max_failures: self.max_failures,
            plan: self.plan.first(most),
            long_plan,
            cpu_seconds: cpu_time().map(|_| 0.0),
            cpus: thread::available_parallelism().ok().map(usize::from),
            ..Report::default()
        };
        blank.fingerprint = blank.identity();
        blank
    }
}

/// Returns the number of consecutive values checked per second on this thread, in a trial that goes on
/// until `is_enough` returns true for that rate and the time so far.
///
/// The blocks are spread over the plan. Each number of a trial has other blocks.
pub(super) fn consecutive_rate(
    plan: &IntervalSet,
    subject: &Subject<'_>,
    is_enough: impl Fn(f64, Duration) -> bool,
    trial: usize,
) -> f64 {
    let blocks = Partition::new(plan.spread(TRIED), MAX_BLOCK_LEN.ilog2());
    let mut check = (subject.check)();
    let mut found = Found::new(0, None, &subject.space, &[]);
    let (start, mut values, mut pace) = (Instant::now(), 0, Pace::new());
    let mut place = 0.5 + 0.1 * trial as f64;
    loop {
        // Steps of the golden ratio spread evenly over the plan, for any number of steps.
        place = (place + 0.618_033_988_749_895).fract();
        // Check adjacent blocks, as the sweep does, so that the set-up of the oracle has little
        // weight.
        let first = (place * blocks.len() as f64) as i128;
        for block in (first..first + 16).filter_map(|number| blocks.block(number)) {
            let (began, count) = (Instant::now(), (block.count() as u64).min(pace.block()));
            check.consecutive(block.first, count as usize, &mut found);
            pace.learn(1, count, began.elapsed());
            values += count;
            let time = start.elapsed();
            let rate = values as f64 / time.as_secs_f64();
            // A breakdown may take long. The sweep itself reports it.
            if found.broke_down || is_enough(rate, time) {
                return rate;
            }
        }
        if blocks.len() == 0 {
            return f64::INFINITY;
        }
    }
}
