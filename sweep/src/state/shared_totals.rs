//! Totals that the worker threads of a sweep add to, and that can be read at any time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::state::totals::{Totals, UnitResult};

/// The number of units after which a thread adds its results to the shared ones, so that memory
/// stays bounded even if no observer collects them.
const MAX_THREAD_UNITS: usize = 4096;

/// The unit of a thread that is in no call.
pub(crate) const NO_CALL: u64 = u64::MAX;

/// The results of each thread, in its own cache line, and the totals that they are collected into.
///
/// A thread adds the results of a unit in one step, so the collected totals are always consistent.
pub(crate) struct SharedTotals {
    threads: Vec<CachePadded<Mutex<Vec<UnitResult>>>>,
    /// The CPU time that each thread has used, in nanoseconds; zero if the system does not report
    /// it.
    cpu: Vec<CachePadded<AtomicU64>>,
    /// The call that each thread is in: the unit, and the number of its inputs before the call.
    calls: Vec<CachePadded<[AtomicU64; 2]>>,
    totals: Mutex<Totals>,
}

impl SharedTotals {
    /// Creates totals for `count` threads, which continue from `totals`.
    pub(crate) fn new(count: usize, totals: Totals) -> Self {
        let threads = (0..count).map(|_| CachePadded::default()).collect();
        let cpu = (0..count).map(|_| CachePadded::default()).collect();
        let calls = (0..count).map(|_| CachePadded::new([NO_CALL, 0].map(AtomicU64::new))).collect();
        Self { threads, cpu, calls, totals: Mutex::new(totals) }
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

    /// Records the call that a thread begins, or that it begins no more with the unit [`NO_CALL`].
    #[inline]
    pub(crate) fn begin_call(&self, thread: usize, unit: u64, before: u64) {
        let [own_unit, own_before] = &*self.calls[thread];
        own_unit.store(unit, Relaxed);
        own_before.store(before, Relaxed);
    }

    /// Returns the call that each thread is in, or [`NO_CALL`].
    pub(crate) fn calls(&self) -> Vec<[u64; 2]> {
        self.calls.iter().map(|call| call.each_ref().map(|part| part.load(Relaxed))).collect()
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
