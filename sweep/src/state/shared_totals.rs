//! Totals that the worker threads of a sweep add to, and that can be read at any time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::state::totals::{Totals, UnitResult};

/// The number of units after which a thread adds its results to the shared ones, so that memory
/// stays bounded even if no observer collects them.
const MAX_THREAD_UNITS: usize = 4096;

/// The results of each thread, in its own cache line, and the totals that they are collected into.
///
/// A thread adds the results of a unit in one step, so the collected totals are always consistent.
pub(crate) struct SharedTotals {
    threads: Vec<CachePadded<Mutex<Vec<UnitResult>>>>,
    /// The CPU time that each thread has used, in nanoseconds; zero if the system does not report
    /// it.
    cpu: Vec<CachePadded<AtomicU64>>,
    totals: Mutex<Totals>,
}

impl SharedTotals {
    /// Creates totals for `count` threads, which continue from `totals`.
    pub(crate) fn new(count: usize, totals: Totals) -> Self {
        let threads = (0..count).map(|_| CachePadded::default()).collect();
        let cpu = (0..count).map(|_| CachePadded::default()).collect();
        Self { threads, cpu, totals: Mutex::new(totals) }
    }

    /// Adds the result of a unit to those of a thread.
    pub(crate) fn add(&self, thread: usize, result: UnitResult) {
        let mut own = lock(&self.threads[thread]);
        own.push(result);
        if own.len() >= MAX_THREAD_UNITS {
            // Never hold both locks, or this could deadlock.
            drop(own);
            drop(self.collect());
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

    /// Returns the totals, including everything added so far.
    pub(crate) fn collect(&self) -> MutexGuard<'_, Totals> {
        let mut totals = lock(&self.totals);
        totals.add(self.threads.iter().flat_map(|own| std::mem::take(&mut *lock(own))).collect());
        totals
    }
}

/// Locks a mutex and ignores poisoning: results are added in one step, so a panic leaves no partial
/// results.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
