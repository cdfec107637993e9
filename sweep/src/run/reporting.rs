//! Passes failures to the watch, after neighbours in other units are joined.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use crate::check::failure::Failure;
use crate::plan::schedule::Schedule;
use crate::watch::handle::Watch;

/// The number of ranges that may wait for their neighbours.
const MAX_OPEN: usize = 1 << 12;

/// The failures of a run, on their way to [`Watch::on_failure`].
pub(super) struct Reporting<'r> {
    watch: &'r Watch,
    schedule: &'r Schedule,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Ranges that begin or end with a unit, by their first number.
    open: BTreeMap<i128, Failure>,
    /// The failures of the unit of edge cases.
    of_edges: Vec<Failure>,
    /// The edge cases that failed with other units.
    seen: BTreeSet<i128>,
}

impl<'r> Reporting<'r> {
    pub(super) fn new(watch: &'r Watch, schedule: &'r Schedule) -> Self {
        Self { watch, schedule, state: Mutex::default() }
    }

    /// Reports a failure, at once if no other unit can have its neighbours.
    pub(super) fn add(&self, failure: &Failure) {
        if !self.watch.reports_failures() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(numbers) = failure.numbers else { return self.watch.failed(failure) };
        state.seen.extend(self.schedule.edges_among(numbers));
        let has_own_place = !state.open.contains_key(&numbers.first);
        if has_own_place && failure.can_join() && self.schedule.touches_another_unit(numbers) {
            state.open(failure.clone(), numbers.first);
        } else {
            self.watch.failed(failure);
        }
        // Units are claimed in order, so those that are still checked have greater numbers.
        if state.open.len() > MAX_OPEN {
            for _ in 0..MAX_OPEN / 2 {
                state.open.pop_first().iter().for_each(|(_, failure)| self.watch.failed(failure));
            }
        }
    }

    /// Adds the failures of the unit of edge cases.
    pub(super) fn add_edges(&self, failures: &[Failure]) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).of_edges.extend_from_slice(failures);
    }

    /// Reports what has waited for its neighbours, and the edge cases that failed only alone.
    pub(super) fn finish(self) {
        let State { open, of_edges, seen } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_seen = |failure: &&Failure| {
            let mut edges =
                failure.numbers.into_iter().flat_map(|numbers| self.schedule.edges_among(numbers));
            edges.all(|edge| seen.contains(&edge))
        };
        let alone = of_edges.iter().filter(|failure| !is_seen(failure));
        open.values().chain(alone).for_each(|failure| self.watch.failed(failure));
    }
}

impl State {
    /// Adds a range, joined with its neighbours.
    fn open(&mut self, mut failure: Failure, mut first: i128) {
        if let Some((&before, range)) = self.open.range_mut(..first).next_back()
            && range.join(&failure)
            && let Some(range) = self.open.remove(&before)
        {
            (failure, first) = (range, before);
        }
        if let Some((&after, range)) = self.open.range(first..).next()
            && failure.join(range)
        {
            self.open.remove(&after);
        }
        self.open.insert(first, failure);
    }
}
