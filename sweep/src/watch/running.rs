//! The state of a running sweep, from which its progress and a report can be calculated at any time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::check::worst::{WorstByClass, greatest, is_by_class};
use crate::plan::sample::Mode;
use crate::plan::schedule::Schedule;
use crate::plan::space::ErasedSpace;
use crate::report::long_plan::LongPlan;
use crate::report::sweep_report::{Ending, Report, StratumReport, repeat_options};
use crate::state::checkpoint::Saved;
use crate::state::totals::SharedTotals;
use crate::watch::threads::CpuTimes;

/// The condition that ends a sweep.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// This number of inputs was checked.
    Values(u128),
    /// This time has passed.
    Time(Duration),
}

/// What a sweep has found so far, and how far it has come.
#[derive(Default)]
pub(crate) struct Progress {
    pub(crate) values: u128,
    pub(crate) failures: u64,
    /// The number of inputs per second in this run.
    pub(crate) rate: f64,
    /// The fraction of the work that is done, from 0 to 1.
    pub(crate) part: f64,
    /// An estimate of the remaining seconds, if there is one.
    pub(crate) remaining: Option<f64>,
}

/// The inputs of a report.
pub(crate) struct Running {
    pub(crate) space: Arc<ErasedSpace>,
    /// The report before this run. It has the times of earlier runs.
    pub(crate) blank: Report,
    pub(crate) schedule: Schedule,
    pub(crate) totals: SharedTotals,
    pub(crate) list: usize,
    pub(crate) goal: Goal,
    /// The time after which this run ends at the latest.
    pub(crate) time_limit: Option<Duration>,
    /// The number of inputs that earlier runs have checked.
    pub(crate) resumed: u128,
    pub(crate) began: Instant,
    pub(crate) cpu: CpuTimes,
}

impl Running {
    pub(crate) fn progress(&self) -> Progress {
        let (values, failures) = {
            let totals = self.totals.collect();
            (totals.inputs(&self.schedule), totals.all_failures())
        };
        let elapsed = self.began.elapsed().as_secs_f64();
        let rate = values.saturating_sub(self.resumed) as f64 / elapsed.max(1e-9);
        let (all, left, remaining) = match self.goal {
            Goal::Values(all) => {
                let left = all.saturating_sub(values) as f64;
                (all as f64, left, if left > 0.0 { left / rate } else { 0.0 })
            }
            Goal::Time(budget) => {
                let all = budget.as_secs_f64();
                let left = (all - self.blank.seconds - elapsed).max(0.0);
                (all, left, left)
            }
        };
        let until_limit = self.time_limit.map(|limit| (limit.as_secs_f64() - elapsed).max(0.0));
        let (all, left, remaining) = match self.time_limit.zip(until_limit) {
            Some((limit, left)) if left < remaining => (limit.as_secs_f64(), left, left),
            _ => (all, left, remaining),
        };
        let part = if all > 0.0 { 1.0 - left / all } else { 1.0 };
        Progress { values, failures, rate, part, remaining: Some(remaining).filter(|left| left.is_finite()) }
    }

    /// Returns the report of a sweep that ends now, and the totals that it is of.
    pub(crate) fn saved(&self, ending: Ending) -> Saved {
        let totals = self.totals.collect().clone();
        let (covered, drawn) = totals.covered(&self.schedule);
        let seconds = self.blank.seconds + self.began.elapsed().as_secs_f64();
        let strata = self.schedule.strata.iter().zip(&drawn);
        let strata = strata.map(|(stratum, &drawn)| StratumReport::new(stratum, drawn)).collect();
        let draws = totals.last().and_then(|last| self.schedule.draws_through(last));
        let options = |(draws, seed)| repeat_options(draws, seed, self.blank.shard.as_deref());
        let mut report = Report {
            complete: ending == Ending::Complete,
            ending,
            repeat: draws.zip(self.blank.seed).map(options),
            failures: totals.all_failures(),
            first_failures: totals.first_failures(self.blank.mode, self.list),
            worst: greatest(&totals.worst),
            worst_by_class: if is_by_class(&self.space) { totals.worst.clone() } else { WorstByClass::new() },
            neighbours: match self.blank.mode {
                Mode::Exhaustive => None,
                Mode::Sample => self.schedule.distance(&totals.finished),
            },
            ..self.blank.clone()
        };
        self.cpu.add_to(&mut report);
        report.covered = self.schedule.first_covered(&covered, LongPlan::LISTED);
        report.set_checked(covered, strata, seconds);
        Saved { report, state: totals }
    }
}
