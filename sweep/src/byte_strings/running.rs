//! The state of a running sweep, from which a report can be made at any time.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::report::{Report, rate};
use super::totals::{Totals, UnitResult};
use crate::environment::stopwatch::Stopwatch;
use crate::report::sweep_report::Ending;
use crate::run::limits::Limits;

/// The inputs of a report.
pub(crate) struct Running {
    /// The report before this run. It has the times of earlier runs.
    pub(super) blank: Report,
    pub(super) limits: Limits,
    /// `None` if there is nothing left to do.
    pub(super) stopwatch: Option<Stopwatch>,
    pub(super) totals: Mutex<Totals>,
    /// The final report.
    pub(super) ended: OnceLock<Report>,
}

impl Running {
    /// Adds the result of a unit. The results of one unit are added in one step, so the totals are
    /// always consistent.
    pub(super) fn add(&self, result: UnitResult) {
        self.totals().add(result, self.limits.kept());
    }

    /// Returns the totals so far.
    pub(super) fn totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the final report, or one of the part that is done so far.
    pub(crate) fn latest(&self) -> Report {
        self.ended.get().cloned().unwrap_or_else(|| self.report(&self.totals().clone(), Ending::Running))
    }

    /// Returns the report of a sweep that ends now with these totals.
    pub(super) fn report(&self, totals: &Totals, ending: Ending) -> Report {
        let (types, disagreements, first_disagreements) = totals.all(self.limits.listed());
        let strings = types.iter().flat_map(|of| &of.lengths).map(|length| length.checked).sum();
        let decoders = types.iter().flat_map(|of| &of.decoders);
        let decoded = decoders.flat_map(|decoder| decoder.strings).sum::<u64>();
        let seconds = self.blank.seconds + self.stopwatch.map_or(0.0, |stopwatch| stopwatch.seconds());
        let cpu = self.stopwatch.map_or(Some(0.0), |stopwatch| stopwatch.cpu_seconds());
        Report {
            complete: ending == Ending::Complete,
            ending,
            types,
            strings,
            decodings: 2 * decoded,
            disagreements,
            first_disagreements,
            seconds,
            cpu_seconds: cpu.zip(self.blank.cpu_seconds).map(|(cpu, before)| cpu + before),
            strings_per_second: rate(strings, seconds),
            ..self.blank.clone()
        }
    }
}
