//! The report of a running sweep, which can be made from the state of the sweep at any time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::check::worst::{WorstByClass, greatest, is_by_class};
use crate::plan::mode::Mode;
use crate::plan::schedule::Schedule;
use crate::plan::space::ErasedSpace;
use crate::report::long_plan::LongPlan;
use crate::report::stratum::StratumReport;
use crate::report::sweep_report::{Ending, Report, repeat_options};
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

/// The state of a running sweep, from which its report and its progress follow.
pub(crate) struct RunningReport {
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

impl RunningReport {
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
        report.covered = self.schedule.first_covered(&covered, LongPlan::FIRST_RANGES);
        report.set_checked(covered, strata, seconds);
        Saved { report, state: totals }
    }
}
