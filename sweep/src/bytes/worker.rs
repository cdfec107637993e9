//! What the threads do: claim a unit of strings, lay them out, give them to every door, until none is left.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::environment::cpu_time::thread_time;
use crate::{Integer, Watch};

use super::disagreement::Placement;
use super::door::Door;
use super::examine::Meeting;
use super::scripts::{BATCH, Scripts};
use super::strings::Group;
use super::tally::Tally;

/// Batches in a unit: long against the cost of a claim, short against a second.
const UNIT: u64 = 16;

/// A sweep under way.
pub(super) struct Work<'w, T> {
    pub(super) groups: &'w [Group],
    pub(super) doors: &'w [Box<dyn Door<T>>],
    pub(super) watch: &'w Watch,
    /// The next unit.
    pub(super) next: AtomicU64,
    /// Disagreements to list.
    pub(super) list: usize,
    /// Disagreements that end the sweep; 0: none do.
    pub(super) max_failures: u64,
}

impl<T: Integer> Work<'_, T> {
    /// Does all of it on the threads of `pool`.
    pub(super) fn on(&self, pool: &rayon::ThreadPool) -> Tally {
        let mut all = Tally::new(self.groups.len(), self.doors.len());
        for tally in pool.broadcast(|_| self.work()) {
            all.add(tally);
        }
        // Units are claimed in order, so these are the first whatever the threads.
        all.listed.sort_by_key(|&(unit, _)| unit);
        all
    }

    fn work(&self) -> Tally {
        let mut tally = Tally::new(self.groups.len(), self.doors.len());
        let mut scripts = Scripts::new();
        loop {
            let unit = self.next.fetch_add(1, Relaxed);
            let Some((index, first)) = self.locate(unit) else { return tally };
            let batches = self.groups[index].count().div_ceil(BATCH);
            for batch in first..(first + UNIT).min(batches) {
                // A unit that was begun is finished, unless there are disagreements enough.
                if self.is_enough(0) || (batch == first && self.watch.is_stopped()) {
                    tally.complete = false;
                    return tally;
                }
                self.batch(unit, index, batch, &mut scripts, &mut tally);
            }
        }
    }

    /// The group in which a unit lies, and its first batch there.
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

    fn batch(&self, unit: u64, index: usize, batch: u64, scripts: &mut Scripts<T>, tally: &mut Tally) {
        let group = self.groups[index];
        let strings = (group.count() - batch * BATCH).min(BATCH);
        scripts.lay_out(group, batch, self.doors.iter().any(|door| door.is_bulk()));
        let mut listed = Vec::new();
        let listed_before: usize = tally.listed.iter().map(|(_, listed)| listed.len()).sum();
        let list = self.list - listed_before.min(self.list);
        let mut found = 0;
        for (door, done) in self.doors.iter().zip(&mut tally.doors) {
            let start = thread_time();
            for placement in Placement::ALL {
                let Some((script, room)) = scripts.of(placement, door.is_bulk()) else { continue };
                for canonical in [false, true] {
                    let meeting = Meeting { door: &**door, script, placement, canonical };
                    found += meeting.hold(room, (&mut listed, list), |more| self.is_enough(found + more));
                }
                done.strings[placement as usize] += strings;
                if self.is_enough(found) {
                    break;
                }
            }
            done.time += thread_time().saturating_sub(start);
            if self.is_enough(found) {
                break;
            }
        }
        tally.disagreements += found;
        if !listed.is_empty() {
            tally.listed.push((unit, listed));
        }
        if self.is_enough(found) {
            tally.complete = false; // other doors may not have had their turn
            self.watch.add(0, found);
        } else {
            tally.groups[index].count(&scripts.raw);
            self.watch.add(strings, found);
        }
    }

    fn is_enough(&self, found: u64) -> bool {
        self.max_failures > 0 && self.watch.failures() + found >= self.max_failures
    }
}
