//! What the threads do: claim a unit of strings and give them to every decoder, until none is left.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::batch::{BATCH, Batch, MAX_VALUES};
use super::check::Check;
use super::decoder::ByteDecoder;
use super::disagreement::Disagreement;
use super::placement::Placement;
use super::report::TypeReport;
use super::strings::Group;
use crate::environment::cpu_time::thread_time;
use crate::plan::integer::Integer;
use crate::watch::handle::Watch;

/// Batches in a unit: long compared with a claim, short compared with a second.
const UNIT: u64 = 16;

/// The work that the threads share.
pub(super) struct Work<'w, T> {
    groups: Vec<Group>,
    decoders: &'w [Box<dyn ByteDecoder<T>>],
    watch: &'w Watch,
    /// The next unit.
    next: AtomicU64,
    /// Disagreements that a thread lists.
    list: usize,
    /// Disagreements that end the work; 0: none do.
    max_failures: u64,
}

/// What one thread has done, or all together.
pub(super) struct Done {
    pub(super) report: TypeReport,
    pub(super) disagreements: u64,
    /// The first disagreements, each with its unit.
    pub(super) listed: Vec<(u64, Disagreement)>,
    /// Whether nothing was left out.
    pub(super) complete: bool,
}

impl<'w, T: Integer> Work<'w, T> {
    pub(super) fn new(
        groups: Vec<Group>,
        decoders: &'w [Box<dyn ByteDecoder<T>>],
        watch: &'w Watch,
        list: usize,
        max_failures: u64,
    ) -> Self {
        Self { groups, decoders, watch, next: AtomicU64::new(0), list, max_failures }
    }

    /// Does all of it on the threads of `pool`.
    pub(super) fn run(&self, pool: &rayon::ThreadPool) -> Done {
        let mut all = self.nothing();
        for done in pool.broadcast(|_| self.work()) {
            all.report.add(&done.report);
            all.disagreements += done.disagreements;
            all.listed.extend(done.listed);
            all.complete &= done.complete;
        }
        // Units are claimed in order, so the first disagreements do not depend on the threads.
        all.listed.sort_by_key(|&(unit, _)| unit);
        all
    }

    fn nothing(&self) -> Done {
        let report = TypeReport::new(&self.groups, self.decoders);
        Done { report, disagreements: 0, listed: vec![], complete: true }
    }

    fn work(&self) -> Done {
        let mut done = self.nothing();
        let mut dst = vec![T::from_i128(0); MAX_VALUES];
        loop {
            let unit = self.next.fetch_add(1, Relaxed);
            let Some((group, first)) = self.locate(unit) else { return done };
            let batches = self.groups[group].count().div_ceil(BATCH);
            for batch in first..(first + UNIT).min(batches) {
                // A unit that was begun is finished, unless there are enough disagreements.
                if self.is_enough(0) || (batch == first && self.watch.is_stopped()) {
                    done.complete = false;
                    return done;
                }
                self.batch(unit, group, batch, &mut dst, &mut done);
            }
        }
    }

    /// Returns the group in which a unit lies, and its first batch there.
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

    /// Gives the strings of a batch to each decoder in each placement.
    fn batch(&self, unit: u64, group: usize, batch: u64, dst: &mut [T], done: &mut Done) {
        let any_bulk = self.decoders.iter().any(|decoder| decoder.is_bulk());
        let batch = Batch::new(self.groups[group], batch, any_bulk);
        let strings = batch.alone.count();
        let mut found = 0;
        for (index, decoder) in self.decoders.iter().enumerate() {
            let start = thread_time();
            for placement in Placement::ALL {
                let Some(inputs) = batch.inputs(placement, decoder.is_bulk()) else { continue };
                for canonical in [false, true] {
                    let decoder = &**decoder;
                    let mut check = Check { decoder, inputs, placement, canonical, dst: &mut *dst };
                    let mut rest = 0..inputs.count();
                    while let Some(wrong) = check.first_wrong(rest.clone()) {
                        found += 1;
                        if done.listed.len() < self.list {
                            done.listed.push((unit, check.describe(rest.clone(), wrong)));
                        }
                        if self.is_enough(found) {
                            break;
                        }
                        rest.start = wrong + 1;
                    }
                }
                done.report.decoders[index].strings[placement as usize] += strings as u64;
                if self.is_enough(found) {
                    break;
                }
            }
            done.report.decoders[index].cpu_seconds += thread_time().saturating_sub(start).as_secs_f64();
            if self.is_enough(found) {
                break;
            }
        }
        done.disagreements += found;
        if self.is_enough(found) {
            done.complete = false; // not every decoder got these strings
            self.watch.add(0, found);
        } else {
            done.report.lengths[group].count(&batch.alone);
            self.watch.add(strings as u64, found);
        }
    }

    /// Returns whether `found` disagreements beside those that are reported end the work.
    pub(super) fn is_enough(&self, found: u64) -> bool {
        self.max_failures > 0 && self.watch.failures() + found >= self.max_failures
    }
}
