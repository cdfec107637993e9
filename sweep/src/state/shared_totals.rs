//! Totals that the worker threads of a sweep add to, and that can be read at any time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::check::counts::Counts;
use crate::check::failure::Failure;
use crate::state::totals::{Totals, UnitResult, keep_first};

/// The number of units after which a thread adds its own totals to the shared ones, so that memory
/// stays bounded even if no observer collects them.
const MAX_THREAD_UNITS: usize = 4096;

/// Totals per thread, each in its own cache line, and the shared totals that they are collected
/// into.
///
/// A thread adds a unit and its counts in one step, so the collected totals are always consistent.
pub(crate) struct SharedTotals {
    threads: Vec<CachePadded<Mutex<ThreadTotals>>>,
    /// The CPU time that each thread has used, in nanoseconds; zero if the system does not report
    /// it.
    cpu: Vec<CachePadded<AtomicU64>>,
    totals: Mutex<Totals>,
    strata: usize,
    list: usize,
}

/// The results of one thread since the last collection.
struct ThreadTotals {
    units: Vec<u64>,
    counts: Counts,
    listed: BTreeMap<u64, Vec<Failure>>,
    unfinished: Vec<UnitResult>,
}

impl SharedTotals {
    /// Creates totals for `count` threads, which continue from `totals`.
    pub(crate) fn new(count: usize, totals: Totals, list: usize) -> Self {
        let strata = totals.finished.counts.drawn.len();
        let threads = (0..count).map(|_| CachePadded::new(Mutex::new(ThreadTotals::new(strata)))).collect();
        let cpu = (0..count).map(|_| CachePadded::default()).collect();
        Self { threads, cpu, totals: Mutex::new(totals), strata, list }
    }

    /// Adds the result of a unit to the totals of a thread.
    pub(crate) fn add(&self, thread: usize, result: UnitResult) {
        let mut own = lock(&self.threads[thread]);
        if result.unchecked.is_some() {
            own.unfinished.push(result);
            return;
        }
        own.units.push(result.unit);
        own.counts.add(&result.counts);
        if !result.listed.is_empty() {
            own.listed.insert(result.unit, result.listed);
            keep_first(&mut own.listed, self.list);
        }
        if own.units.len() >= MAX_THREAD_UNITS {
            // Never hold both locks, or this could deadlock with `collect`, which locks the totals
            // of a thread while it holds the shared ones.
            let full = std::mem::replace(&mut *own, ThreadTotals::new(self.strata));
            drop(own);
            full.add_to(&mut lock(&self.totals));
        }
    }

    /// Records the total CPU time that a thread has used.
    pub(crate) fn record_cpu(&self, thread: usize, cpu: Duration) {
        self.cpu[thread].store(u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// Returns the CPU time that each thread has used.
    pub(crate) fn cpu(&self) -> impl Iterator<Item = Duration> {
        self.cpu.iter().map(|nanos| Duration::from_nanos(nanos.load(Relaxed)))
    }

    /// Returns the shared totals, including everything added so far.
    pub(crate) fn collect(&self) -> MutexGuard<'_, Totals> {
        let mut totals = lock(&self.totals);
        for own in &self.threads {
            let own = std::mem::replace(&mut *lock(own), ThreadTotals::new(self.strata));
            own.add_to(&mut totals);
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

    fn add_to(self, totals: &mut Totals) {
        totals.add(&self.units, &self.counts, self.listed);
        self.unfinished.into_iter().for_each(|result| totals.add_unfinished(result));
    }
}

/// Locks a mutex and ignores poisoning: results are added in one step, so a panic leaves no partial
/// results.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
