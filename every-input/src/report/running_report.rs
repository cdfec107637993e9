//! The report of a running sweep, which can be made from the state of the sweep at any time, and the
//! report from which it starts.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::check::subject::Subject;
use crate::check::worst::{WorstByClass, greatest, is_by_class};
use crate::plan::mode::Mode;
use crate::plan::schedule::Schedule;
use crate::plan::space::ErasedSpace;
use crate::plan::space_names::table_of_unknown;
use crate::report::long_plan::LongPlan;
use crate::report::stratum::StratumReport;
use crate::report::sweep_report::{Ending, FORMAT, Report, repeat_options};
use crate::run::settings::Settings;
use crate::state::checkpoint::Saved;
use crate::state::totals::SharedTotals;
use crate::texts::bounded;
use crate::watch::threads::{CpuTimes, cpu_time};

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
        let strata = self.schedule.strata.iter().zip(&drawn).enumerate();
        let strata = strata
            .map(|(index, (stratum, &drawn))| StratumReport::new(stratum, drawn, totals.failed_draws(index)));
        let strata = strata.collect();
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

/// Returns the report of a sweep that has not begun: what is known of it from its settings.
pub(crate) fn blank_report(
    settings: &Settings,
    mode: Mode,
    seed: Option<u64>,
    subject: &Subject<'_>,
    program: &str,
) -> Report {
    // A sample is of its ranges, which are needed to merge it.
    let long_plan =
        if mode == Mode::Exhaustive { LongPlan::of(&settings.plan, &settings.space) } else { None };
    let most = if long_plan.is_some() { LongPlan::FIRST_RANGES } else { usize::MAX };
    let mut blank = Report {
        format: FORMAT,
        program: bounded(program),
        value_type: settings.space.name.clone(),
        space: table_of_unknown(&settings.space),
        mode,
        seed,
        draws: settings.draws().filter(|_| mode == Mode::Sample),
        codec: bounded(&subject.name),
        subject: subject.noun.map(str::to_owned),
        kernel: subject.kernel.as_ref().map(bounded),
        wire: subject.wire.as_ref().map(bounded),
        shard: (!settings.shard.is_whole()).then(|| settings.shard.to_string()),
        threads: settings.threads,
        max_failures: settings.max_failures,
        plan: settings.plan.first(most),
        long_plan,
        cpu_seconds: cpu_time().map(|_| 0.0),
        cpus: thread::available_parallelism().ok().map(usize::from),
        ..Report::default()
    };
    blank.fingerprint = blank.identity();
    blank
}
