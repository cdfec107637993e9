//! The settings of a sweep.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::check::bounds::MAX_LIST_LENGTH;
use crate::error::SweepError;
use crate::plan::interval_set::IntervalSet;
use crate::plan::mode::Mode;
use crate::plan::sample;
use crate::plan::shard::Shard;
use crate::plan::space::ErasedSpace;
use crate::report::setting::{setting, setting_to};
use crate::report::sweep_report::{DEFAULT_LIST_LENGTH, list_length};

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
}
