//! Totals that the worker threads of a sweep add to, and that can be read at any time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::check::counts::Counts;
use crate::check::failure::Failure;
use crate::state::totals::{Totals, UnitResult, keep_first};

/// The number of units after which a thread adds its own totals to the common ones itself, so that
/// memory stays bounded if nobody reads them.
const MANY: usize = 4096;

/// Totals per thread, each in a cache line of its own, and the common totals that they are collected
/// into. A thread adds a unit and its counts in one step, so what is collected is always consistent.
pub(crate) struct SharedTotals {
    threads: Vec<CachePadded<Mutex<ThreadTotals>>>,
    /// Nanoseconds of CPU time that each thread has used; zero where the system does not tell.
    cpu: Vec<CachePadded<AtomicU64>>,
    totals: Mutex<Totals>,
    strata: usize,
    list: usize,
}

/// What one thread has finished since the last collection.
struct ThreadTotals {
    units: Vec<u64>,
    counts: Counts,
    listed: BTreeMap<u64, Vec<Failure>>,
    unfinished: Vec<UnitResult>,
}

impl SharedTotals {
    /// Totals for that many threads, which continue from `totals`.
    pub(crate) fn new(count: usize, totals: Totals, list: usize) -> Self {
        let strata = totals.finished.counts.drawn.len();
        let threads = (0..count).map(|_| CachePadded::new(Mutex::new(ThreadTotals::new(strata)))).collect();
        let cpu = (0..count).map(|_| CachePadded::default()).collect();
        Self { threads, cpu, totals: Mutex::new(totals), strata, list }
    }

    /// Adds the result of a unit to the totals of that thread.
    pub(crate) fn add(&self, thread: usize, result: UnitResult) {
        let mut own = lock(&self.threads[thread]);
        if result.left.is_some() {
            own.unfinished.push(result);
            return;
        }
        own.units.push(result.unit);
        own.counts.add(&result.counts);
        if !result.listed.is_empty() {
            own.listed.insert(result.unit, result.listed);
            keep_first(&mut own.listed, self.list);
        }
        if own.units.len() >= MANY {
            // Never hold both locks: `collect` holds the common totals while it locks those of a thread.
            let full = std::mem::replace(&mut *own, ThreadTotals::new(self.strata));
            drop(own);
            full.enter(&mut lock(&self.totals));
        }
    }

    /// Records the CPU time that a thread has used in all.
    pub(crate) fn record_cpu(&self, thread: usize, cpu: Duration) {
        self.cpu[thread].store(u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// The CPU time that each thread has used.
    pub(crate) fn cpu(&self) -> impl Iterator<Item = Duration> {
        self.cpu.iter().map(|nanos| Duration::from_nanos(nanos.load(Relaxed)))
    }

    /// The common totals with everything that was added so far.
    pub(crate) fn collect(&self) -> MutexGuard<'_, Totals> {
        let mut totals = lock(&self.totals);
        for own in &self.threads {
            let own = std::mem::replace(&mut *lock(own), ThreadTotals::new(self.strata));
            own.enter(&mut totals);
        }
        totals
    }
}

impl ThreadTotals {
    fn new(strata: usize) -> Self {
        Self {
            units: Vec::new(),
            counts: Counts::new(strata),
            listed: BTreeMap::new(),
            unfinished: Vec::new(),
        }
    }

    fn enter(self, totals: &mut Totals) {
        totals.enter(&self.units, &self.counts, self.listed);
        self.unfinished.into_iter().for_each(|result| totals.enter_unfinished(result));
    }
}

/// Locks a mutex. A thread that panicked left no partial entry, since each is added in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
