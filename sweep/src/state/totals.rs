//! The progress of a sweep: the finished positions, their counts, and the first failures; and the totals
//! that the worker threads add to, which can be read at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

use crossbeam_utils::CachePadded;
use serde::{Deserialize, Serialize};

use crate::check::bounds::{self, Listed};
use crate::check::failure::{Failure, joined};
use crate::check::panics::lock;
use crate::check::subject::Piece;
use crate::check::worst::{WorstByClass, add};
use crate::plan::interval::{Interval, Positions};
use crate::plan::schedule::Schedule;
use crate::report::decimal;

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
    /// Failures by the first position of their piece, so that the list does not depend on the number of
    /// threads. Those of the edge cases, which are negative, may be listed again at another position.
    pub(crate) listed: BTreeMap<i128, Vec<Failure>>,
    /// The number of failures of later pieces that are not listed, where neighbours are one.
    #[serde(with = "decimal")]
    pub(crate) unlisted: u64,
    pub(crate) worst: WorstByClass,
    #[serde(skip)]
    pub(crate) unfinished: Vec<Piece>,
    #[serde(skip)]
    pub(crate) list: usize,
    /// The position of the last listed failures, if the list is full.
    #[serde(skip)]
    full_at: Option<i128>,
}

impl Totals {
    /// Returns whether a run with this schedule can continue from these totals: it has the finished
    /// positions, and all failures are there.
    pub(crate) fn is_of(&self, schedule: &Schedule) -> bool {
        schedule.positions().is_some_and(|all| self.finished.is_valid(all))
            && self.listed.keys().all(|&position| self.finished.contains(position))
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
            let first = piece.positions.first;
            let is_after = self.full_at.is_some_and(|last| first > last);
            let listed =
                if is_after { self.continues(&piece.listed).into() } else { piece.listed.len() as u64 };
            // Those of edge cases are all listed.
            self.unlisted = self.unlisted.saturating_add(piece.ranges.saturating_sub(listed));
            if !piece.listed.is_empty() && !is_after {
                self.listed.insert(first, piece.listed);
                has_failed = true;
            }
        }
        if has_failed {
            self.join_listed();
            self.keep_first();
        }
        self.unfinished.extend(unfinished);
    }

    /// Returns whether the failures of a piece after those that are listed begin with a part of the last
    /// range, which is added to it.
    fn continues(&mut self, listed: &[Failure]) -> bool {
        let last = self.listed.values_mut().next_back().and_then(|listed| listed.last_mut());
        last.zip(listed.first()).is_some_and(|(last, next)| last.join(next))
    }

    /// Removes the failures of all pieces after those that contain as many as are listed, without those
    /// of the edge cases.
    fn keep_first(&mut self) {
        let mut kept = Listed::of(self.listed.range(0..).flat_map(|(_, listed)| listed));
        self.full_at = None;
        while let Some(last) = self.listed.last_entry().filter(|last| *last.key() >= 0) {
            let before = kept.without(Listed::of(last.get()));
            if !before.is_full(self.list) {
                self.full_at = kept.is_full(self.list).then_some(*last.key());
                break;
            }
            kept = before;
            self.unlisted = self.unlisted.saturating_add(last.remove().len() as u64);
        }
    }

    /// Joins ranges that continue in other pieces. Each is listed in the piece of its first input.
    fn join_listed(&mut self) {
        let listed = self.listed.split_off(&0).into_iter();
        let mut all: Vec<_> = listed
            .flat_map(|(position, listed)| listed.into_iter().map(move |failure| (position, failure)))
            .collect();
        all.dedup_by(|(_, next), (_, last)| last.join(next));
        for (position, failure) in all {
            self.listed.entry(position).or_default().push(failure);
        }
    }

    /// Returns the number of failures, including those in unfinished blocks.
    pub(crate) fn all_failures(&self) -> u64 {
        let failures = self.unfinished.iter().map(|result| result.failures);
        let failures = failures.fold(self.failures, u64::saturating_add);
        let unfinished = self.unfinished.iter().flat_map(|result| &result.failed_edges).copied();
        let more: BTreeSet<i128> = unfinished.filter(|edge| !self.failed_edges.contains(edge)).collect();
        failures.saturating_add((self.failed_edges.len() + more.len()) as u64)
    }

    /// Returns the first failures, including those in unfinished blocks: ranges, which say most, then
    /// edge cases, then others, each in the order of the schedule.
    pub(crate) fn first_failures(&self) -> Vec<Failure> {
        let mut listed = self.listed.clone().split_off(&0);
        let unfinished = self.unfinished.iter().filter(|piece| piece.positions.first >= 0);
        listed.extend(unfinished.map(|piece| (piece.positions.first, piece.listed.clone())));
        let mut others = joined(listed.into_values().flatten());
        // An edge case in a range of failures is no case of its own.
        let mut edges = self.edges();
        let is_in_range =
            |edge: &Failure| others.iter().any(|other| other.last.is_some() && other.covers(edge));
        edges.retain(|edge| !is_in_range(edge));
        others.retain(|other| !edges.iter().any(|edge| edge.covers(other)));
        let (ranges, single): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|failure| failure.last.is_some());
        let mut first = [ranges, edges, single].concat();
        bounds::truncate(&mut first, self.list);
        first
    }

    /// Returns the failures of the edge cases, with neighbours joined.
    fn edges(&self) -> Vec<Failure> {
        let unfinished = self.unfinished.iter().filter(|piece| piece.positions.first < 0);
        let listed = self.listed.range(..0).map(|(_, listed)| listed);
        let listed = listed.chain(unfinished.map(|piece| &piece.listed));
        let mut failures: Vec<Failure> = listed.flatten().cloned().collect();
        failures.sort_by_key(|failure| failure.numbers.map(|numbers| numbers.first));
        joined(failures)
    }

    pub(crate) fn edge_ranges(&self) -> u64 {
        self.edges().len() as u64
    }

    /// Returns the least number of ranges of neighbours that fail, without edge cases. Between two finished
    /// parts of the schedule may be another part of one range.
    pub(crate) fn ranges(&self) -> u64 {
        let unfinished = self.unfinished.iter().map(|piece| piece.ranges);
        let of = |part: &Interval| {
            let own = Interval::new(part.first.max(0), part.last)?;
            let listed = self.listed.range(own.first..=own.last).map(|(_, listed)| listed.len() as u64);
            Some(listed.sum())
        };
        let counts = self.finished.intervals().iter().filter_map(of).chain(unfinished);
        let counts = counts.filter(|&count| count > 0);
        let (all, parts) = counts.fold((0, 0u64), |(all, parts), count| (all + count, parts + 1));
        (self.unlisted.saturating_add(all)).saturating_sub(parts.saturating_sub(1))
    }

    /// Returns the inputs that were checked exhaustively, and the number of draws from each
    /// stratum.
    pub(crate) fn covered(&self, schedule: &Schedule) -> (Vec<Interval>, Vec<u64>) {
        (schedule.values(&self.finished), schedule.drawn(&self.finished))
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
        own.size += Listed::of(pieces.iter().flat_map(|piece| &piece.listed)).size();
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
