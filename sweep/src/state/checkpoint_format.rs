//! The content of the checkpoint of a sweep over values: a report and the finished units.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::envelope::{Content, VALUES};
use super::totals::{Totals, UnitTotals};
use crate::check::counts::Counts;
use crate::check::failure::Failure;
use crate::plan::integer::Kind;
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

/// The finished units, with their counts and failures.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedUnits {
    finished: UnitSet,
    #[serde(with = "decimal::list")]
    by_length: Vec<u64>,
    #[serde(with = "decimal::list")]
    drawn: Vec<u64>,
    #[serde(with = "decimal")]
    failures: u64,
    listed: BTreeMap<u64, Vec<Failure>>,
}

impl Content for Saved {
    const SWEPT: &'static str = VALUES;
}

impl SavedUnits {
    /// Creates the saved form of the totals. Unfinished units, which failed too often, are left out
    /// and checked again after resuming.
    pub(crate) fn of(totals: &Totals) -> Self {
        Self {
            finished: totals.finished.units.clone(),
            by_length: totals.finished.counts.by_length.to_vec(),
            drawn: totals.finished.counts.drawn.clone(),
            failures: totals.finished.counts.failures,
            listed: totals.finished.listed.clone(),
        }
    }

    /// Returns the schedule and the totals with which the sweep resumes.
    ///
    /// # Errors
    ///
    /// Returns a message if the counts do not match the finished units.
    pub(crate) fn resume(
        self,
        kind: Kind,
        schedule: Schedule,
        list: usize,
    ) -> Result<(Schedule, Totals), String> {
        const MISMATCH: &str =
            "checkpoint: its counts do not match its finished units; name another file to start over";
        let schedule = schedule.resumed(self.finished.clone()).ok_or(MISMATCH)?;
        let (by_length, drawn) = schedule.expected(kind, &self.finished);
        if by_length[..] != self.by_length || drawn != self.drawn {
            return Err(MISMATCH.into());
        }
        let mut totals = Totals::new(drawn.len(), list);
        totals.finished = UnitTotals {
            units: self.finished,
            counts: Counts { by_length, drawn, failures: self.failures },
            listed: self.listed,
        };
        Ok((schedule, totals))
    }
}
