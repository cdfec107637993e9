//! The progress of a sweep: the finished positions, their counts, and the first failures; and the totals
//! that the worker threads add to, which can be read at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

use crossbeam_utils::CachePadded;
use serde::{Deserialize, Serialize};

use crate::check::bounds::{self, ListSize};
use crate::check::failure::{Failure, count_ranges};
use crate::check::panics::lock;
use crate::check::subject::Piece;
use crate::check::worst::{WorstByClass, add};
use crate::plan::interval::{Interval, Positions};
use crate::plan::mode::Mode;
use crate::plan::schedule::Schedule;
use crate::report::decimal;
use crate::state::first_failures::{FirstFailures, neighbours_joined};

/// The finished positions of a sweep with their failures, and what was found in blocks that are not
/// finished. A resumed sweep checks the latter again. The numbers of inputs follow from the
/// schedule.
///
/// A checkpoint has the finished positions only.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) finished: Positions,
    /// The number of failing inputs that are no edge cases.
    #[serde(with = "decimal")]
    pub(crate) failures: u64,
    /// The edge cases that failed, alone or among consecutive inputs.
    pub(crate) failed_edges: BTreeSet<i128>,
    /// The number of draws from each stratum that failed, edge cases among them included.
    #[serde(with = "decimal::map")]
    pub(crate) failed_draws: BTreeMap<usize, u64>,
    /// The first failures of edge cases and of consecutive inputs.
    pub(crate) consecutive: FirstFailures,
    /// The first failures of draws. There may be many between two parts of one range.
    pub(crate) drawn: FirstFailures,
    pub(crate) worst: WorstByClass,
    #[serde(skip)]
    pub(crate) unfinished: Vec<Piece>,
}

impl Totals {
    /// Sets how many failures of consecutive inputs and of draws to keep.
    pub(crate) fn keep(&mut self, consecutive: usize, drawn: usize) {
        self.consecutive.most = consecutive;
        self.drawn.most = drawn;
    }

    /// Returns whether a run with this schedule can continue from these totals: it has the finished
    /// positions, and all failures are there.
    pub(crate) fn is_of(&self, schedule: &Schedule) -> bool {
        let mut listed = self.consecutive.listed.keys().chain(self.drawn.listed.keys());
        schedule.positions().is_some_and(|all| self.finished.is_valid(all))
            && listed.all(|&position| self.finished.contains(position))
    }

    pub(crate) fn add(&mut self, mut pieces: Vec<Piece>) {
        // In order, so that ranges join before the list is cut.
        pieces.sort_unstable_by_key(|piece| piece.positions.first);
        for piece in &mut pieces {
            for (class, worst) in std::mem::take(&mut piece.worst) {
                add(&mut self.worst, class, worst);
            }
        }
        let (finished, unfinished): (Vec<_>, Vec<_>) =
            pieces.into_iter().partition(|piece| piece.is_finished);
        self.finished.add(finished.iter().map(|piece| piece.positions));
        let mut has_failed = false;
        for piece in finished {
            // Saturating, since a checkpoint may contain any numbers.
            self.failures = self.failures.saturating_add(piece.failures);
            self.failed_edges.extend(piece.failed_edges);
            for (stratum, failed) in piece.failed_draws {
                let sum = self.failed_draws.entry(stratum).or_default();
                *sum = sum.saturating_add(failed);
            }
            has_failed |= !piece.listed.is_empty();
            let first = if piece.is_drawn { &mut self.drawn } else { &mut self.consecutive };
            first.add(piece.positions.first, piece.ranges, piece.listed);
        }
        if has_failed {
            self.consecutive.tidy();
            self.drawn.tidy();
        }
        self.unfinished.extend(unfinished);
    }

    /// Returns the number of failures, including those in unfinished blocks.
    pub(crate) fn all_failures(&self) -> u64 {
        let failures = self.unfinished.iter().map(|result| result.failures);
        let failures = failures.fold(self.failures, u64::saturating_add);
        let unfinished = self.unfinished.iter().flat_map(|result| &result.failed_edges).copied();
        let more: BTreeSet<i128> = unfinished.filter(|edge| !self.failed_edges.contains(edge)).collect();
        failures.saturating_add((self.failed_edges.len() + more.len()) as u64)
    }

    /// Returns the number of draws from a stratum that failed, including those in unfinished blocks.
    pub(crate) fn failed_draws(&self, stratum: usize) -> u64 {
        let finished = self.failed_draws.get(&stratum);
        let unfinished = self.unfinished.iter().filter_map(|piece| piece.failed_draws.get(&stratum));
        finished.into_iter().chain(unfinished).copied().fold(0, u64::saturating_add)
    }

    /// Returns at most `most` of the first failures, including those in unfinished blocks. They are chosen by
    /// their positions and put into the order of a report, so they are the same for all threads and shards.
    pub(crate) fn first_failures(&self, mode: Mode, most: usize) -> Vec<Failure> {
        let mut failures = self.first_by_position(&self.consecutive, false);
        failures.extend(self.first_by_position(&self.drawn, true));
        // An edge case that failed again among other values is no case of its own.
        let is_repeated = |edge: &Failure| failures.iter().any(|other| other.covers(edge));
        let edges: Vec<_> = self.edges().filter(|edge| !is_repeated(edge)).cloned().collect();
        failures.extend(edges);
        bounds::first_in_report(failures, mode, most)
    }

    /// Returns the first failures of consecutive inputs or of draws, as many as are kept, without those of
    /// edge cases.
    fn first_by_position(&self, kept: &FirstFailures, is_drawn: bool) -> Vec<Failure> {
        let is_own = |piece: &&Piece| piece.is_drawn == is_drawn && piece.positions.first >= 0;
        let unfinished = self.unfinished.iter().filter(is_own);
        let unfinished =
            unfinished.flat_map(|piece| piece.listed.iter().map(|one| (piece.positions.first, one)));
        let mut failures = neighbours_joined(kept.others().chain(unfinished));
        bounds::truncate(&mut failures, kept.most);
        failures
    }

    /// Returns the failures of the edge cases.
    fn edges(&self) -> impl Iterator<Item = &Failure> {
        let unfinished = self.unfinished.iter().filter(|piece| piece.positions.first < 0);
        let listed = self.consecutive.listed.range(..0).map(|(_, listed)| listed);
        listed.chain(unfinished.map(|piece| &piece.listed)).flatten()
    }

    pub(crate) fn edge_ranges(&self) -> u64 {
        count_ranges(self.edges().collect())
    }

    /// Returns the least number of ranges of neighbours that fail, without edge cases.
    pub(crate) fn ranges(&self) -> u64 {
        let unfinished = self.unfinished.iter().map(|piece| piece.ranges);
        // Draws are no parts of ranges that others continue.
        let counts = [self.consecutive.ranges(self.finished.intervals()), self.drawn.ranges(&[])];
        unfinished.chain(counts).fold(0, u64::saturating_add)
    }

    /// Returns the inputs that were checked exhaustively, of a long plan their places, and the number of
    /// draws from each stratum.
    pub(crate) fn covered(&self, schedule: &Schedule) -> (Vec<Interval>, Vec<u64>) {
        (schedule.covered(&self.finished), schedule.drawn(&self.finished))
    }

    /// Returns the number of inputs that were checked, without those of edge cases alone.
    pub(crate) fn inputs(&self, schedule: &Schedule) -> u128 {
        schedule.inputs(&self.finished)
    }

    /// Returns the last position that is finished.
    pub(crate) fn last(&self) -> Option<i128> {
        self.finished.intervals().last().map(|interval| interval.last)
    }
}

/// The number of pieces, and the size of their failures, after which a thread adds them to the shared
/// totals, so that memory stays bounded even if no observer collects them.
const MAX_THREAD_PIECES: usize = 4096;
const MAX_THREAD_SIZE: usize = 1 << 20;

/// The pieces of each thread, in its own cache line, and the totals that they are collected into.
///
/// A thread adds a piece in one step, so the collected totals are always consistent.
pub(crate) struct SharedTotals {
    threads: Vec<CachePadded<Mutex<Pending>>>,
    totals: Mutex<Totals>,
}

/// The pieces of a thread that are not collected yet, and the size of their failures.
#[derive(Default)]
struct Pending {
    pieces: Vec<Piece>,
    size: usize,
}

impl SharedTotals {
    /// Creates totals for `count` threads, which continue from `totals`.
    pub(crate) fn new(count: usize, totals: Totals) -> Self {
        let threads = (0..count).map(|_| CachePadded::default()).collect();
        Self { threads, totals: Mutex::new(totals) }
    }

    pub(crate) fn add(&self, thread: usize, pieces: Vec<Piece>) {
        let mut own = lock(&self.threads[thread]);
        own.size += ListSize::of(pieces.iter().flat_map(|piece| &piece.listed)).size();
        own.pieces.extend(pieces);
        if own.pieces.len() >= MAX_THREAD_PIECES || own.size >= MAX_THREAD_SIZE {
            // Never hold both locks, or this could deadlock.
            drop(own);
            drop(self.collect());
        }
    }

    /// Returns the totals, including everything added so far.
    pub(crate) fn collect(&self) -> MutexGuard<'_, Totals> {
        let mut totals = lock(&self.totals);
        totals.add(self.threads.iter().flat_map(|own| std::mem::take(&mut *lock(own)).pieces).collect());
        totals
    }
}
