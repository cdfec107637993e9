//! The state of a running sweep, from which a report can be made at any time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::plan::schedule::Schedule;
use crate::plan::space::Untyped;
use crate::report::sweep_report::{Ending, Report, StratumReport, repeat_options};
use crate::state::totals::{SharedTotals, Totals};

/// The inputs of a report.
pub(crate) struct Running {
    pub(crate) space: Arc<Untyped>,
    /// The report before this run. It has the times of earlier runs.
    pub(crate) blank: Report,
    pub(crate) schedule: Schedule,
    pub(crate) totals: SharedTotals,
    pub(crate) list: usize,
    pub(crate) began: Instant,
    /// The CPU time at the start.
    pub(crate) cpu: Option<Duration>,
}

/// Returns the CPU time used so far by all threads, if the system reports it.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    return rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok();
    #[cfg(not(unix))]
    return None;
}

impl Running {
    /// Returns the report of a sweep that ends now with these totals.
    pub(crate) fn report(&self, totals: &Totals, ending: Ending) -> Report {
        let (covered, drawn) = totals.covered(&self.schedule);
        let mut listed = totals.first_failures();
        listed.truncate(self.list);
        let seconds = self.blank.seconds + self.began.elapsed().as_secs_f64();
        let cpu = cpu_time().zip(self.cpu).map(|(now, start)| now.saturating_sub(start).as_secs_f64());
        let strata = self.schedule.strata.iter().zip(&drawn);
        let strata = strata.map(|(stratum, &drawn)| StratumReport::new(stratum, drawn)).collect();
        let draws = totals.last_unit().and_then(|unit| self.schedule.draws_through(unit));
        let options = |(draws, seed)| repeat_options(draws, seed, self.blank.shard.as_deref());
        let mut report = Report {
            complete: ending == Ending::Complete,
            ending,
            repeat: draws.zip(self.blank.seed).map(options),
            failures: totals.all_failures(),
            first_failures: listed,
            worst: totals.worst.clone(),
            cpu_seconds: cpu.zip(self.blank.cpu_seconds).map(|(cpu, before)| cpu + before),
            ..self.blank.clone()
        };
        report.set_checked(covered, strata, seconds);
        report
    }
}
