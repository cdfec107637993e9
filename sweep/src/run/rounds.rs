//! The rounds of a comparison: what each codec checks when it is its turn.

use std::time::Duration;

use super::rate::{TRIAL, consecutive_rate, drawn_rate};
use super::settings::{RequestedMode, SMALL, Settings};
use crate::check::checker::MAX_BLOCK_LEN;
use crate::check::observer::Unobserved;
use crate::check::subject::Subject;
use crate::plan::interval;
use crate::plan::mode::Mode;
use crate::plan::partition::Partition;
use crate::plan::sample::{self, DRAWS_PER_UNIT};
use crate::plan::schedule::Schedule;
use crate::plan::shard::Shard;
use crate::report::comparison_report::RoundScope;

/// The maximum number of rounds.
const MAX: u64 = 10;
/// The number of shards below which every round checks all values instead. A median needs several
/// rounds.
const MIN_SHARDS: u64 = 3;
/// The least number of values per thread in a shard: with fewer, some threads would have no work.
const MIN_SHARE: u128 = 1 << 18;

/// The rounds of a comparison. In each one every codec checks the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rounds {
    pub(super) count: u64,
    pub(super) scope: RoundScope,
}

impl Rounds {
    /// Divides the work of one codec, which is `values` values on this number of threads. Small
    /// plans are repeated as long as the budget lasts, of which a round of all codecs takes
    /// `round_seconds`.
    pub(super) fn of(
        values: u128,
        threads: usize,
        budget: Duration,
        round_seconds: impl FnOnce() -> f64,
    ) -> Self {
        let shards = u64::try_from(values / (MIN_SHARE * threads as u128)).unwrap_or(MAX).min(MAX);
        if shards >= MIN_SHARDS {
            return Self { count: shards, scope: RoundScope::Shard };
        }
        let repetitions = (budget.as_secs_f64() / round_seconds()) as u64; // saturates
        Self { count: repetitions.clamp(1, MAX), scope: RoundScope::Plan }
    }

    /// Returns the shard that each codec checks in a round, counted from 0.
    pub(super) fn shard(self, round: u64) -> Shard {
        match self.scope {
            RoundScope::Shard => Shard::new(round + 1, self.count).unwrap_or(Shard::WHOLE),
            RoundScope::Plan => Shard::WHOLE,
        }
    }
}

/// The speed of each codec in a short trial, in values per second over all threads.
pub(super) struct Trial<'c> {
    pub(super) settings: &'c Settings,
    pub(super) subjects: &'c [&'c dyn Subject],
    pub(super) pool: &'c rayon::ThreadPool,
}

impl Trial<'_> {
    /// Returns the settings with a fixed mode: exhaustive, or a sample with a number of draws and a
    /// seed. So all codecs check the same values, within the budget together.
    pub(super) fn fix_mode(&self) -> Settings {
        let plan = &self.settings.plan;
        let values = interval::count(plan);
        let (boundaries, strata) = sample::divide(&*self.settings.space, plan);
        let budget = self.settings.budget.as_secs_f64();
        let requested_mode = match self.settings.requested_mode {
            RequestedMode::Exhaustive => RequestedMode::Exhaustive,
            _ if strata.is_empty() => RequestedMode::Exhaustive,
            RequestedMode::Sample(Some(draws)) => RequestedMode::Sample(Some(draws)),
            RequestedMode::ByBudget if values <= SMALL || self.seconds(values) <= budget => {
                RequestedMode::Exhaustive
            }
            RequestedMode::ByBudget | RequestedMode::Sample(None) => {
                // After each round, a short trial measures how long all values would take.
                let trials = (MAX * self.subjects.len() as u64) as f64 * TRIAL.as_secs_f64();
                let left = budget - trials - self.seconds(interval::count(&boundaries));
                let draw_seconds = self.sum(|codec, thread| drawn_rate(&strata, codec, TRIAL, thread));
                let least = DRAWS_PER_UNIT * strata.len() as u64;
                RequestedMode::Sample(Some(((left / draw_seconds) as u64).max(least)))
            }
        };
        let seed = Some(self.settings.seed.unwrap_or_else(sample::fresh_seed));
        Settings { requested_mode, seed, ..self.settings.clone() }
    }

    /// Returns the number of values that each codec checks with these settings.
    pub(super) fn values(&self, fixed: &Settings) -> u128 {
        let mode = match fixed.requested_mode {
            RequestedMode::Sample(Some(draws)) if u128::from(draws) < interval::count(&fixed.plan) => {
                Mode::Sample
            }
            _ => Mode::Exhaustive,
        };
        let schedule = Schedule::of(&*fixed.space, mode, &fixed.plan, fixed.draws(), Shard::WHOLE);
        schedule.count().unwrap_or(u128::MAX)
    }

    /// Returns how long all codecs take for this number of consecutive values each.
    pub(super) fn seconds(&self, values: u128) -> f64 {
        let plan = &self.settings.plan;
        values as f64 * self.sum(|codec, thread| consecutive_rate(plan, codec, TRIAL, thread))
    }

    /// Returns the seconds per value, added up over the codecs. `rate` measures one thread.
    ///
    /// A codec that reaches the limit of failures soon does not count. Its rate is low, because
    /// failures are examined value by value, and little time would be left for the others.
    fn sum(&self, rate: impl Fn(&dyn Subject, usize) -> f64 + Sync) -> f64 {
        let seconds = |codec: &dyn Subject| {
            let rates = self.pool.broadcast(|context| rate(codec, context.index()));
            1.0 / rates.iter().sum::<f64>().max(1.0)
        };
        let lasting: Vec<_> = self.subjects.iter().filter(|codec| !self.ends_soon(**codec)).collect();
        let counted = if lasting.is_empty() { self.subjects.iter().collect() } else { lasting };
        counted.into_iter().map(|codec| seconds(*codec)).sum()
    }

    /// Returns whether a codec reaches the limit of failures in a few blocks that are spread over
    /// the plan.
    fn ends_soon(&self, codec: &dyn Subject) -> bool {
        const BLOCKS: u64 = 16;
        let limits = self.settings.limits;
        let blocks = Partition::new(self.settings.plan.clone(), MAX_BLOCK_LEN.ilog2());
        let mut check = codec.check(0, &Unobserved);
        (0..BLOCKS).filter_map(|part| blocks.block(blocks.len() / BLOCKS * part)).any(|block| {
            check.consecutive(block.first, block.count() as usize);
            let found = check.found();
            found.is_over || limits.is_reached_by(found.failures)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::checker::CodecSubject;
    use crate::check::codec::{CodecError, codec_from_fns};
    use crate::run::sweep::Sweep;

    /// Encodes nothing, and so fails at every value.
    fn faulty(_value: i64, _dst: &mut [u8]) -> Result<usize, CodecError> {
        Err("no".into())
    }

    fn decode(_src: &[u8]) -> Result<(i64, usize), CodecError> {
        Ok((0, 1))
    }

    #[test]
    fn a_codec_that_fails_soon_takes_no_time_from_the_others() {
        let faulty = codec_from_fns("faulty", faulty, decode);
        let ends_soon = |max_failures| {
            let sweep = Sweep::<i64>::new().max_failures(max_failures).threads(1);
            let pool = sweep.settings().limits.pool(u64::MAX).unwrap();
            Trial { settings: sweep.settings(), subjects: &[], pool: &pool }.ends_soon(&CodecSubject(&faulty))
        };
        assert!(ends_soon(10) && ends_soon(16_000));
        assert!(!ends_soon(16_385) && !ends_soon(0), "the sweep goes on");
    }

    #[test]
    fn large_plans_are_divided_and_small_ones_repeated() {
        let rounds = |values, seconds| {
            let rounds = Rounds::of(values, 2, Duration::from_secs(10), || seconds);
            (rounds.count, rounds.scope)
        };
        assert_eq!(rounds(1 << 64, 0.0), (10, RoundScope::Shard));
        assert_eq!(rounds(3 << 19, 0.0), (3, RoundScope::Shard));
        assert_eq!(rounds((3 << 19) - 1, 0.1), (10, RoundScope::Plan));
        assert_eq!(rounds(1, 3.0), (3, RoundScope::Plan));
        assert_eq!(rounds(1, 20.0), (1, RoundScope::Plan));
        assert_eq!(rounds(0, 0.0), (10, RoundScope::Plan));
    }

    #[test]
    fn the_rounds_of_a_divided_plan_are_its_shards() {
        let rounds = Rounds { count: 4, scope: RoundScope::Shard };
        assert_eq!(
            (0..4).map(|round| rounds.shard(round).to_string()).collect::<Vec<_>>(),
            ["1/4", "2/4", "3/4", "4/4"]
        );
        assert!(Rounds { count: 4, scope: RoundScope::Plan }.shard(3).is_whole());
    }
}
