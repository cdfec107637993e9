//! The content of the checkpoint of a sweep over values: a report and the finished units.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::totals::Totals;
use crate::check::failure::Failure;
use crate::plan::schedule::Schedule;
use crate::plan::unit_set::UnitSet;
use crate::report::decimal;
use crate::report::sweep_report::Report;

/// A report, and the state from which the sweep resumes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) report: Report,
    pub(crate) state: SavedUnits,
}

/// The finished units, with their failures.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedUnits {
    finished: UnitSet,
    #[serde(with = "decimal")]
    failures: u64,
    failed_edges: BTreeSet<i128>,
    listed: BTreeMap<u64, Vec<Failure>>,
}

impl SavedUnits {
    /// Creates the saved form of the totals. Unfinished units, which failed too often, are left out
    /// and checked again after resuming.
    pub(crate) fn of(totals: &Totals) -> Self {
        Self {
            finished: totals.finished.clone(),
            failures: totals.failures,
            failed_edges: totals.failed_edges.clone(),
            listed: totals.listed.clone(),
        }
    }

    /// Returns the schedule and the totals with which the sweep resumes, or `None` if the schedule
    /// does not have the finished units, or a unit with failures is not finished.
    pub(crate) fn resume(self, schedule: Schedule, list: usize) -> Option<(Schedule, Totals)> {
        let is_known = |unit: &u64| self.finished.contains(*unit);
        if !self.listed.keys().all(is_known) {
            return None;
        }
        let schedule = schedule.resumed(self.finished.clone())?;
        Some((schedule, Totals::new(self.finished, self.failures, self.failed_edges, self.listed, list)))
    }
}
