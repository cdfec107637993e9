//! A sweep under way, as a report can be made of it at any time.

use std::time::{Duration, Instant};

use super::board::Board;
use super::cpu::cpu_time;
use super::edges::Edges;
use super::ledger::Ledger;
use super::report::{Ending, Report, StratumReport};
use super::schedule::Schedule;

/// All that a report is made of.
pub(super) struct Summary {
    /// A report of nothing done.
    pub(super) blank: Report,
    pub(super) schedule: Schedule,
    pub(super) board: Board,
    pub(super) edges: Edges,
    /// Failures to list.
    pub(super) list: usize,
    pub(super) start: Instant,
    /// CPU time at the start.
    pub(super) cpu: Option<Duration>,
}

impl Summary {
    /// The report if it ended now.
    pub(super) fn report(&self, ledger: &Ledger, ending: Ending) -> Report {
        let mut counts = ledger.all_counts();
        let mut covered = ledger.covered(&self.schedule);
        let mut listed = ledger.first_failures();
        self.edges.add_to(&mut covered, &mut counts, &mut listed, self.list);
        // What earlier runs of a resumed sweep took is in the blank report.
        let seconds = self.blank.seconds + self.start.elapsed().as_secs_f64();
        let cpu = cpu_time().zip(self.cpu).map(|(now, start)| (now.saturating_sub(start)).as_secs_f64());
        let values: u128 = counts.by_length.iter().map(|&count| u128::from(count)).sum();
        let strata = self.schedule.strata.iter().zip(&counts.drawn);
        Report {
            complete: ending == Ending::Complete,
            ending,
            covered,
            strata: strata.map(|(stratum, &drawn)| StratumReport::new(stratum, drawn)).collect(),
            values,
            by_length: (0..).zip(counts.by_length).filter(|&(_, count)| count > 0).collect(),
            failures: counts.failures,
            first_failures: listed,
            seconds,
            thread_cpu_seconds: self.thread_cpu_seconds(),
            cpu_seconds: cpu.zip(self.blank.cpu_seconds).map(|(cpu, before)| cpu + before),
            values_per_second: values as f64 / seconds.max(1e-9),
            ..self.blank.clone()
        }
    }

    /// What each thread used, earlier runs included; nothing where the system does not tell.
    fn thread_cpu_seconds(&self) -> Vec<f64> {
        if self.cpu.is_none() {
            return Vec::new();
        }
        let mut all = self.blank.thread_cpu_seconds.clone();
        all.resize(all.len().max(self.blank.threads), 0.0);
        for (sum, cpu) in all.iter_mut().zip(self.board.cpu()) {
            *sum += cpu.as_secs_f64();
        }
        all
    }

    /// The report of what is done so far.
    pub(super) fn so_far(&self) -> Report {
        let ledger = self.board.collect().clone();
        self.report(&ledger, Ending::Running)
    }
}
