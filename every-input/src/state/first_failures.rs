//! The first failures in a part of a schedule, of which no more are kept than a list has.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::check::bounds::ListSize;
use crate::check::failure::{Failure, count_ranges};
use crate::plan::interval::Interval;
use crate::report::decimal;

/// The first failures, and the number of the others.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct FirstFailures {
    /// Failures by the first position of their piece, so that the list does not depend on the number of
    /// threads. Those of the edge cases, which are negative, may be listed again at another position.
    pub(crate) listed: BTreeMap<i128, Vec<Failure>>,
    /// The number of failures of later pieces that are not listed, where neighbours are one.
    #[serde(with = "decimal")]
    pub(crate) unlisted: u64,
    /// The number of failures to list, without those of the edge cases.
    #[serde(skip)]
    pub(crate) most: usize,
    /// The position of the last listed failures, if the list is full.
    #[serde(skip)]
    full_at: Option<i128>,
    /// Whether failures were listed since the last time that they were joined.
    #[serde(skip)]
    has_new: bool,
}

impl FirstFailures {
    /// Adds what was found in the piece that begins at this position, of which the first are listed.
    pub(crate) fn add(&mut self, first: i128, ranges: u64, listed: Vec<Failure>) {
        let is_after = self.full_at.is_some_and(|last| first > last);
        let number = if is_after { self.continues(&listed).into() } else { listed.len() as u64 };
        // Those of edge cases are all listed.
        self.unlisted = self.unlisted.saturating_add(ranges.saturating_sub(number));
        if !listed.is_empty() && !is_after {
            self.listed.insert(first, listed);
            self.has_new = true;
        }
    }

    /// Joins ranges that continue in other pieces, and removes what no list has.
    pub(crate) fn tidy(&mut self) {
        // That takes time and memory for all that are listed, and most failures come after those.
        if std::mem::take(&mut self.has_new) {
            self.join();
            self.keep_first();
        }
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
        let mut kept = ListSize::of(self.others().map(|(_, failure)| failure));
        self.full_at = None;
        while let Some(last) = self.listed.last_entry().filter(|last| *last.key() >= 0) {
            let before = kept.without(ListSize::of(last.get()));
            if !before.is_full(self.most) {
                self.full_at = kept.is_full(self.most).then_some(*last.key());
                break;
            }
            kept = before;
            self.unlisted = self.unlisted.saturating_add(last.remove().len() as u64);
        }
    }

    /// Joins ranges that continue in other pieces. Each is listed in the piece of its first input.
    fn join(&mut self) {
        let listed = self.listed.split_off(&0).into_iter();
        let mut all: Vec<_> = listed
            .flat_map(|(position, listed)| listed.into_iter().map(move |failure| (position, failure)))
            .collect();
        all.dedup_by(|(_, next), (_, last)| last.join(next));
        for (position, failure) in all {
            self.listed.entry(position).or_default().push(failure);
        }
    }

    /// Returns the failures that are listed, without those of the edge cases, with their positions.
    pub(crate) fn others(&self) -> impl Iterator<Item = (i128, &Failure)> {
        let listed = self.listed.range(0..);
        listed.flat_map(|(&position, listed)| listed.iter().map(move |failure| (position, failure)))
    }

    /// Returns the least number of ranges of neighbours that fail, without edge cases. Between two finished
    /// parts of the schedule may be another part of one range.
    pub(crate) fn ranges(&self, finished: &[Interval]) -> u64 {
        let is_failed = |part: &&Interval| {
            let own = Interval::new(part.first.max(0), part.last);
            own.is_some_and(|own| self.listed.range(own.first..=own.last).next().is_some())
        };
        let gaps = finished.iter().filter(is_failed).count().saturating_sub(1) as u64;
        self.unlisted
            .saturating_add(count_ranges(self.others().map(|(_, failure)| failure).collect()))
            .saturating_sub(gaps)
    }
}

/// Joins neighbours, wherever they are in the schedule. The failures have the positions of their pieces;
/// the result is in the order of the first part of each.
pub(crate) fn neighbours_joined<'f>(failures: impl Iterator<Item = (i128, &'f Failure)>) -> Vec<Failure> {
    // Those of one piece are in their order in it.
    let numbered =
        |(index, (position, failure)): (usize, (i128, &Failure))| ((position, index), failure.clone());
    let mut failures: Vec<_> = failures.enumerate().map(numbered).collect();
    failures.sort_by(|(_, one), (_, other)| one.cmp_place(other));
    failures.dedup_by(|(next_key, next), (key, last)| {
        let is_joined = last.join(next);
        if is_joined {
            *key = (*key).min(*next_key);
        }
        is_joined
    });
    failures.sort_by_key(|&(key, _)| key);
    failures.into_iter().map(|(_, failure)| failure).collect()
}
