//! The choice of the mode of a sweep, by a trial if the budget decides.

use std::time::{Duration, Instant};

use crate::check::function::MAX_BLOCK_LEN;
use crate::check::subject::{Found, Subject};
use crate::error::SweepError;
use crate::plan::interval_set::IntervalSet;
use crate::plan::mode::Mode;
use crate::plan::sample;
use crate::report::setting::setting;
use crate::run::pace::Pace;
use crate::run::settings::{RequestedMode, Settings};
use crate::texts::grouped;

/// The number of values up to which an exhaustive sweep takes so little time, if the codec is fast, that a
/// trial of the whole duration would be noticed.
const SMALL: u128 = 1 << 20;

/// The duration of a measurement that decides whether an exhaustive sweep fits the budget.
pub(crate) const TRIAL: Duration = Duration::from_millis(50);

/// The greatest number of ranges in the plan of a sample, which its report lists.
const MAX_SAMPLED: u64 = 1 << 19;

/// The number of ranges whose values are checked in a trial.
const TRIED: u64 = 1 << 12;

impl Settings {
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
}

/// Returns the number of consecutive values checked per second on this thread, in a trial that goes on
/// until `is_enough` returns true for that rate and the time so far.
///
/// The values are spread over the plan. Each number of a trial has others.
pub(super) fn consecutive_rate(
    plan: &IntervalSet,
    subject: &Subject<'_>,
    is_enough: impl Fn(f64, Duration) -> bool,
    trial: usize,
) -> f64 {
    const BLOCK: i128 = MAX_BLOCK_LEN as i128;
    let tried = IntervalSet::of(plan.spread(TRIED));
    let len = tried.count() as i128;
    if len == 0 {
        return f64::INFINITY;
    }
    let mut check = (subject.check)();
    let mut found = Found::new(None, &subject.space, &[]);
    let (start, mut values, mut pace) = (Instant::now(), 0, Pace::new());
    let mut place = 0.5 + 0.1 * trial as f64;
    loop {
        // Steps of the golden ratio spread evenly over the plan, for any number of steps.
        place = (place + 0.618_033_988_749_895).fract();
        // Check adjacent blocks, as the sweep does, so that the set-up of the oracle has little
        // weight.
        let mut at = (place * len as f64) as i128;
        at -= at % BLOCK;
        for _ in 0..16 {
            let Some(rest) = tried.rest(at) else { break };
            let block = BLOCK - rest.first.rem_euclid(BLOCK);
            let (began, count) = (Instant::now(), rest.count().min(block as u128) as u64);
            let count = count.min(pace.block());
            check.consecutive(rest.first, count as usize, &mut found);
            at += i128::from(count);
            pace.learn(1, count, began.elapsed());
            values += count;
            let time = start.elapsed();
            let rate = values as f64 / time.as_secs_f64();
            // A breakdown may take long. The sweep itself reports it.
            if found.broke_down || is_enough(rate, time) {
                return rate;
            }
        }
    }
}
