//! The state of a running sweep, from which a report can be made at any time.

use std::sync::Arc;

use crate::check::function::MAX_BLOCK_LEN;
use crate::environment::Stopwatch;
use crate::plan::interval::Interval;
use crate::plan::schedule::{Schedule, Unit};
use crate::plan::space::Untyped;
use crate::report::sweep_report::{Ending, Report, StratumReport, repeat_options};
use crate::state::totals::SharedTotals;
use crate::state::totals::Totals;

/// The inputs of a report.
pub(crate) struct Running {
    pub(crate) space: Arc<Untyped>,
    /// The report before this run. It has the times of earlier runs.
    pub(crate) blank: Report,
    pub(crate) schedule: Schedule,
    pub(crate) totals: SharedTotals,
    pub(crate) list: usize,
    pub(crate) stopwatch: Stopwatch,
}

impl Running {
    /// Returns the report of a sweep that ends now with these totals.
    pub(crate) fn report(&self, totals: &Totals, ending: Ending) -> Report {
        let (covered, drawn) = totals.covered(&self.schedule);
        let mut listed = totals.first_failures();
        listed.truncate(self.list);
        let seconds = self.blank.seconds + self.stopwatch.seconds();
        let cpu = self.stopwatch.cpu_seconds();
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

    /// Returns the texts of the inputs of calls, as [`SharedTotals::calls`] returns them.
    pub(crate) fn inputs_of_calls(&self, calls: &[[u64; 2]]) -> String {
        const SHOWN: usize = 8;
        let inputs: Vec<Interval> =
            calls.iter().flat_map(|&[unit, before]| self.call(unit, before)).collect();
        let text = |&Interval { first, last }: &Interval| {
            let last = (first != last).then(|| format!("..={}", self.space.text(last)));
            self.space.text(first) + &last.unwrap_or_default()
        };
        let shown: Vec<String> = inputs.iter().take(SHOWN).map(text).collect();
        let more = inputs.len().saturating_sub(SHOWN);
        shown.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
    }

    /// Returns the inputs of a call, which begins after `before` inputs of a unit.
    fn call(&self, unit: u64, before: u64) -> Vec<Interval> {
        let unit = self.schedule.unit(unit);
        let end = self.schedule.len_of(&unit).min(before + MAX_BLOCK_LEN as u64);
        let single = |&number: &i128| Interval { first: number, last: number };
        if let Some(mut draw) = self.schedule.draw(&unit, self.blank.seed.unwrap_or_default()) {
            return draw.numbers(end as usize).iter().skip(before as usize).map(single).collect();
        }
        match unit {
            Unit::Consecutive(Interval { first, .. }) => {
                let [first, last] = [before, end - 1].map(|offset| first + i128::from(offset));
                vec![Interval { first, last }]
            }
            _ => self.schedule.edges.get(before as usize).map(single).into_iter().collect(),
        }
    }
}
