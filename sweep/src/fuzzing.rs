//! Access for the fuzz targets and tests to the functions that read files. This module is not part
//! of the API.

use crate::plan::interval::{Interval, difference};
use crate::plan::known_spaces::by_name;
use crate::plan::schedule::Schedule;
use crate::plan::shard::Shard;
use crate::report::printable::Printable;
use crate::state::envelope::{Saved, unseal};

/// The progress of a sweep that resumed from a checkpoint.
#[derive(Debug)]
pub struct Resumed {
    /// The values that were checked exhaustively.
    pub covered: Vec<Interval>,
    /// The number of failures, including the additional one.
    pub failures: u64,
}

/// Resumes the sweep of a checkpoint file with this content, and adds one failure.
///
/// # Errors
///
/// Returns a message if the content is not a valid checkpoint.
pub fn resume(content: &[u8]) -> Result<Resumed, String> {
    const LIST: usize = 20;
    let Saved { report, state: mut totals } = unseal(content).map_err(|why| Printable(why).to_string())?;
    let space = by_name(&report.value_type).ok_or("unknown type")?;
    let shard: Shard =
        report.shard.map_or(Ok(Shard::WHOLE), |shard| shard.parse()).map_err(|_| "invalid shard")?;
    // `Sweep::ranges` normalizes a plan, so that of the report must be normalized.
    let plan = crate::plan::interval::union(report.plan.iter().copied());
    if plan != report.plan || !difference(&plan, &[space.limits()]).is_empty() {
        return Err("invalid plan".into());
    }
    let schedule = Schedule::of(&*space, report.mode, &plan, report.draws, shard);
    let schedule = totals.resume(schedule).ok_or("its counts do not match its finished units")?;
    totals.list = LIST;
    totals.failures = totals.failures.saturating_add(1);
    totals.first_failures();
    Ok(Resumed { covered: totals.covered(&schedule).0, failures: totals.all_failures() })
}
