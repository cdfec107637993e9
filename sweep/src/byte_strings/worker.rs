//! The work of each thread: it claims units of strings and gives them to every decoder, until no
//! unit is left.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::batch::{BATCH, Batch, MAX_VALUES};
use super::check::Check;
use super::decoder::ByteDecoder;
use super::disagreement::Disagreement;
use super::placement::Placement;
use super::report::TypeReport;
use super::strings::Group;
use crate::environment::cpu_time::thread_time;
use crate::environment::short_backtrace::__rust_begin_short_backtrace;
use crate::plan::integer::Integer;
use crate::run::limits::Limits;
use crate::watch::handle::Watch;

/// The number of batches in a unit: enough to make the cost of a claim negligible, and few enough
/// to finish in much less than a second.
const UNIT: u64 = 16;

/// The work that the threads share.
pub(super) struct Work<'w, T> {
    groups: &'w [Group],
    decoders: &'w [Box<dyn ByteDecoder<T>>],
    watch: &'w Watch,
    limits: Limits,
    /// The number of the next unit.
    next: AtomicU64,
}

/// The results of one thread, or of all threads.
pub(super) struct Done {
    pub(super) report: TypeReport,
    pub(super) disagreements: u64,
    /// The first disagreements, each with its unit.
    pub(super) listed: Vec<(u64, Disagreement)>,
}

impl<'w, T: Integer> Work<'w, T> {
    pub(super) fn new(
        groups: &'w [Group],
        decoders: &'w [Box<dyn ByteDecoder<T>>],
        watch: &'w Watch,
        limits: Limits,
    ) -> Self {
        Self { groups, decoders, watch, limits, next: AtomicU64::new(0) }
    }

    /// Does all work on the threads of `pool`.
    pub(super) fn run(&self, pool: &rayon::ThreadPool) -> Done {
        let mut all = self.nothing_done();
        for done in pool.broadcast(|_| __rust_begin_short_backtrace(|| self.work())) {
            all.report.add(&done.report);
            all.disagreements += done.disagreements;
            all.listed.extend(done.listed);
        }
        // Units are claimed in order, so the first disagreements do not depend on the number of
        // threads.
        all.listed.sort_by_key(|&(unit, _)| unit);
        all
    }

    fn nothing_done(&self) -> Done {
        Done { report: TypeReport::new(self.groups, self.decoders), disagreements: 0, listed: vec![] }
    }

    fn work(&self) -> Done {
        let mut done = self.nothing_done();
        let mut dst = vec![T::from_i128(0); MAX_VALUES];
        while !self.watch.is_stopped() {
            let unit = self.next.fetch_add(1, Relaxed);
            let Some((group, first)) = self.locate(unit) else { break };
            let batches = self.groups[group].count().div_ceil(BATCH);
            // A claimed unit is finished even after a stop, unless the limit of disagreements is
            // reached.
            for batch in first..(first + UNIT).min(batches) {
                if self.limit_is_reached() {
                    return done;
                }
                self.batch(unit, group, batch, &mut dst, &mut done);
            }
        }
        done
    }

    /// Returns the group of a unit and the unit's first batch in it.
    fn locate(&self, mut unit: u64) -> Option<(usize, u64)> {
        for (index, group) in self.groups.iter().enumerate() {
            let units = group.count().div_ceil(BATCH * UNIT);
            if unit < units {
                return Some((index, unit * UNIT));
            }
            unit -= units;
        }
        None
    }

    /// Gives the strings of a batch to each decoder in each placement. They count as checked once
    /// every decoder got them.
    fn batch(&self, unit: u64, group: usize, batch: u64, dst: &mut [T], done: &mut Done) {
        let any_bulk = self.decoders.iter().any(|decoder| decoder.is_bulk());
        let batch = Batch::new(self.groups[group], batch, any_bulk);
        for index in 0..self.decoders.len() {
            let start = thread_time();
            self.decode(unit, &batch, index, dst, done);
            done.report.decoders[index].cpu_seconds += thread_time().saturating_sub(start).as_secs_f64();
            if self.limit_is_reached() {
                return;
            }
        }
        done.report.lengths[group].count(&batch.alone);
        self.watch.add(batch.alone.count() as u64, 0);
    }

    /// Gives the strings of a batch to one decoder in each placement, until the limit of
    /// disagreements is reached.
    fn decode(&self, unit: u64, batch: &Batch<T>, index: usize, dst: &mut [T], done: &mut Done) {
        let decoder = &*self.decoders[index];
        for placement in Placement::ALL {
            let Some(inputs) = batch.inputs(placement, decoder.is_bulk()) else { continue };
            for canonical in [false, true] {
                let mut check = Check { decoder, inputs, placement, canonical, dst: &mut *dst };
                let mut rest = 0..inputs.count();
                while let Some(wrong) = check.first_wrong(rest.clone()) {
                    if done.listed.len() < self.limits.listed() {
                        done.listed.push((unit, check.describe(rest.clone(), wrong)));
                    }
                    done.disagreements += 1;
                    self.watch.add(0, 1);
                    if self.limit_is_reached() {
                        break;
                    }
                    rest.start = wrong + 1;
                }
            }
            done.report.decoders[index].strings[placement as usize] += batch.alone.count() as u64;
            if self.limit_is_reached() {
                return;
            }
        }
    }

    /// Returns whether the limit of disagreements is reached.
    fn limit_is_reached(&self) -> bool {
        self.limits.is_reached_by(self.watch.failures())
    }
}
