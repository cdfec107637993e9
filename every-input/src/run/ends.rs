//! What ends a run before its last position, besides its observer.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long the first positions are checked after the limit of failures is reached.
const MOMENT: Duration = Duration::from_secs(1);

/// The limits of time of a run, and which limits have ended it. The worker threads share it.
pub(super) struct Ends {
    /// The end of a run that has a budget.
    deadline: Option<Instant>,
    /// The end of any run.
    time_limit: Option<Instant>,
    is_over_budget: AtomicBool,
    is_out_of_time: AtomicBool,
    is_with_calls: AtomicBool,
    has_broken_down: AtomicBool,
    /// When the limit of failures was reached.
    limited: OnceLock<Instant>,
}

impl Ends {
    pub(super) fn new(deadline: Option<Instant>, time_limit: Option<Instant>) -> Self {
        Self {
            deadline,
            time_limit,
            is_over_budget: AtomicBool::new(false),
            is_out_of_time: AtomicBool::new(false),
            is_with_calls: AtomicBool::new(false),
            has_broken_down: AtomicBool::new(false),
            limited: OnceLock::new(),
        }
    }

    /// Returns whether no thread shall claim any more.
    pub(super) fn is_over(&self) -> bool {
        self.has_broken_down() || self.is_with_calls() || self.is_moment_over()
    }

    /// Returns whether the deadline of the budget has passed.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Ends the run by its budget. Returns whether it was not ended so before.
    pub(super) fn end_by_budget(&self) -> bool {
        !self.is_over_budget.swap(true, Relaxed)
    }

    pub(super) fn is_over_budget(&self) -> bool {
        self.is_over_budget.load(Relaxed)
    }

    /// Returns whether the time limit has passed, and remembers it.
    pub(super) fn heed_time_limit(&self) -> bool {
        let is_out_of_time = self.time_limit.is_some_and(|end| Instant::now() >= end);
        if is_out_of_time {
            self.is_out_of_time.store(true, Relaxed);
        }
        is_out_of_time
    }

    /// Returns whether the time limit had passed when it was last heeded.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.is_out_of_time.load(Relaxed)
    }

    /// Ends the run with the calls under way.
    pub(super) fn end_with_calls(&self) {
        self.is_with_calls.store(true, Relaxed);
    }

    pub(super) fn is_with_calls(&self) -> bool {
        self.is_with_calls.load(Relaxed)
    }

    /// Ends the run because what is checked broke down permanently, or a thread panicked.
    pub(super) fn break_down(&self) {
        self.has_broken_down.store(true, Relaxed);
    }

    pub(super) fn has_broken_down(&self) -> bool {
        self.has_broken_down.load(Relaxed)
    }

    /// Ends the run in a moment, because the limit of failures is reached.
    pub(super) fn limit_failures(&self) {
        let _ = self.limited.set(Instant::now()); // the first time counts
    }

    pub(super) fn is_moment_over(&self) -> bool {
        self.limited.get().is_some_and(|limited| limited.elapsed() >= MOMENT)
    }
}
