//! The positions of a schedule that are still to be checked, of which threads claim a few at a time, in
//! their order.

use std::sync::Mutex;

use crate::check::panics::lock;
use crate::plan::interval::{Interval, Positions};
use crate::plan::schedule::Schedule;

/// The positions that no thread has claimed.
pub(super) struct Claims(Mutex<Open>);

struct Open {
    /// In descending order.
    positions: Vec<Interval>,
    /// The first position to leave out.
    end: i128,
}

impl Claims {
    /// Creates the claims of a schedule, of which some positions are finished.
    pub(super) fn new(schedule: &Schedule, finished: &Positions) -> Self {
        let mut positions = schedule.positions().map(|all| finished.missing(all)).unwrap_or_default();
        positions.reverse();
        Self(Mutex::new(Open { positions, end: i128::MAX }))
    }

    /// Returns the number of inputs that no thread has claimed, without edge cases alone.
    pub(super) fn remaining(&self) -> u128 {
        let inputs = |open: &Interval| Interval::new(open.first.max(0), open.last).map_or(0, Interval::count);
        lock(&self.0).positions.iter().map(inputs).sum()
    }

    /// Returns the first position that no thread has claimed.
    pub(super) fn next(&self) -> Option<i128> {
        lock(&self.0).positions.last().map(|open| open.first)
    }

    /// Claims about `len` of the first positions, as many as are checked in one go; `None` if there are
    /// none.
    pub(super) fn claim(&self, schedule: &Schedule, len: u64) -> Option<Interval> {
        let Open { positions, .. } = &mut *lock(&self.0);
        let open = positions.last_mut()?;
        let claimed = Interval { last: open.last.min(schedule.span(open.first, len).last), ..*open };
        match Interval::new(claimed.last + 1, open.last) {
            Some(rest) => *open = rest,
            None => drop(positions.pop()),
        }
        Some(claimed)
    }

    /// Gives back claimed positions, for any thread, unless they are left out.
    pub(super) fn give_back(&self, claimed: Interval) {
        let Open { positions, end } = &mut *lock(&self.0);
        if let Some(claimed) = Interval::new(claimed.first, claimed.last.min(*end - 1)) {
            let at = positions.partition_point(|open| open.first > claimed.first);
            positions.insert(at, claimed);
        }
    }

    /// Leaves out all positions from this one on, which is not the least number.
    pub(super) fn close(&self, first: i128) {
        let Open { positions, end } = &mut *lock(&self.0);
        *end = first.min(*end);
        positions.retain_mut(|open| {
            open.last = open.last.min(*end - 1);
            open.first <= open.last
        });
    }

    /// Returns whether a position is left out.
    pub(super) fn is_closed(&self, position: i128) -> bool {
        position >= lock(&self.0).end
    }
}
