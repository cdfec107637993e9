//! The functions that read files and the output of child processes, for the fuzz targets and the tests. They are no part
//! of the API.

use crate::check::counts::Counts;
use crate::check::oracle::MAX_LEN;
use crate::plan::integer::Kind;
use crate::plan::interval::{Interval, difference};
use crate::plan::schedule::Schedule;
use crate::plan::shard::Shard;
use crate::state::checkpoint_format::Saved;

/// What a sweep that goes on with a checkpoint takes for done.
#[derive(Debug)]
pub struct Resumed {
    /// The values that were all checked.
    pub covered: Vec<Interval>,
    /// Values drawn from each stratum.
    pub drawn: Vec<u64>,
    /// Values checked by encoded length in bytes.
    pub by_length: [u64; MAX_LEN + 1],
    /// Failures found, and one more.
    pub failures: u64,
    /// Those that a report would list.
    pub listed: usize,
}

/// Goes on with the content of a checkpoint file as the sweep would that its report tells of, and finds one more failure.
///
/// # Errors
///
/// Where it is refused.
pub fn resume(content: &[u8]) -> Result<Resumed, String> {
    const LIST: usize = 20;
    let Saved { report, state } = Saved::parse(content)?;
    let kind = Kind::by_name(&report.value_type).ok_or("there is no sweep of such a type")?;
    let shard: Shard =
        report.shard.map_or(Ok(Shard::WHOLE), |shard| shard.parse()).map_err(|_| "there is no such shard")?;
    // As `Sweep::ranges` makes a plan, which the report's must be equal to.
    let plan = crate::plan::interval::union(report.plan.iter().copied());
    if plan != report.plan || !difference(&plan, &[kind.limits]).is_empty() {
        return Err("there is no sweep with such a plan".into());
    }
    let schedule = Schedule::of(kind, report.mode, &plan, report.draws, shard);
    let (schedule, mut totals) = state.resume(kind, schedule, LIST)?;
    let mut one_more = Counts::new(schedule.strata.len());
    one_more.failures = 1;
    totals.enter(&[], &one_more, Default::default());
    let Counts { by_length, drawn, failures } = totals.all_counts();
    Ok(Resumed {
        covered: totals.covered(&schedule),
        drawn,
        by_length,
        failures,
        listed: totals.first_failures().len(),
    })
}

#[cfg(unix)]
pub use crate::exec::fuzzing::*;
