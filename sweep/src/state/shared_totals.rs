//! Where the threads of a sweep put down what they have done, so that anybody may look at any time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::failure::Failure;
use super::ledger::{Counts, Ledger, Outcome, keep_first};

/// Units that a thread puts down before it enters them into the ledger itself: memory stays bounded where
/// nobody looks.
const MANY: usize = 4096;

/// One place per thread, apart from the others' cache lines, and the ledger that they are collected into. A thread puts
/// a unit and its counts down in one step, so whatever is collected, whenever, is consistent.
pub(super) struct Board {
    places: Vec<CachePadded<Mutex<Place>>>,
    /// Nanoseconds of CPU time that each thread has used; zero where the system does not tell.
    cpu: Vec<CachePadded<AtomicU64>>,
    ledger: Mutex<Ledger>,
    strata: usize,
    list: usize,
}

/// What one thread has finished since the last collection.
struct Place {
    units: Vec<u64>,
    counts: Counts,
    listed: BTreeMap<u64, Vec<Failure>>,
    unfinished: Vec<Outcome>,
}

impl Board {
    /// For so many threads, which go on from `ledger`.
    pub(super) fn new(threads: usize, ledger: Ledger, list: usize) -> Self {
        let strata = ledger.finished.counts.drawn.len();
        let places = (0..threads).map(|_| CachePadded::new(Mutex::new(Place::new(strata)))).collect();
        let cpu = (0..threads).map(|_| CachePadded::default()).collect();
        Self { places, cpu, ledger: Mutex::new(ledger), strata, list }
    }

    /// Puts down what became of a unit, at the place of that thread.
    pub(super) fn put(&self, thread: usize, outcome: Outcome) {
        let mut place = lock(&self.places[thread]);
        if outcome.left.is_some() {
            place.unfinished.push(outcome);
            return;
        }
        place.units.push(outcome.unit);
        place.counts.add(&outcome.counts);
        if !outcome.listed.is_empty() {
            place.listed.insert(outcome.unit, outcome.listed);
            keep_first(&mut place.listed, self.list);
        }
        if place.units.len() >= MANY {
            // Never both locks at once: whoever collects holds the ledger while it asks for places.
            let full = std::mem::replace(&mut *place, Place::new(self.strata));
            drop(place);
            full.enter(&mut lock(&self.ledger));
        }
    }

    /// Puts down the CPU time that a thread has used in all.
    pub(super) fn spent(&self, thread: usize, cpu: Duration) {
        self.cpu[thread].store(u64::try_from(cpu.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// The CPU time that each thread has used.
    pub(super) fn cpu(&self) -> impl Iterator<Item = Duration> {
        self.cpu.iter().map(|nanos| Duration::from_nanos(nanos.load(Relaxed)))
    }

    /// The ledger with everything that is put down so far.
    pub(super) fn collect(&self) -> MutexGuard<'_, Ledger> {
        let mut ledger = lock(&self.ledger);
        for place in &self.places {
            let place = std::mem::replace(&mut *lock(place), Place::new(self.strata));
            place.enter(&mut ledger);
        }
        ledger
    }
}

impl Place {
    fn new(strata: usize) -> Self {
        Self {
            units: Vec::new(),
            counts: Counts::new(strata),
            listed: BTreeMap::new(),
            unfinished: Vec::new(),
        }
    }

    fn enter(self, ledger: &mut Ledger) {
        ledger.enter(&self.units, &self.counts, self.listed);
        self.unfinished.into_iter().for_each(|outcome| ledger.enter_unfinished(outcome));
    }
}

/// A thread that panicked left no half-made entry: each is made in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
