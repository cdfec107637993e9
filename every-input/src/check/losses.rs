//! How many child processes were lost, after which a check breaks down for good.

use std::sync::Mutex;

use crate::check::panics::lock;
use crate::report::limit::{Limit, Limited};

/// The number of children that crash or violate the protocol after which no more are started.
const MAX_CRASHES: u64 = 100;
/// The same for children that hang. The limit is lower, because each costs the whole timeout.
const MAX_HANGS: u64 = 20;

/// The lost children of a command.
#[derive(Debug, Default)]
pub struct Losses(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    crashes: u64,
    hangs: u64,
    last: String,
    is_unlimited: bool,
}

impl Losses {
    /// Sets whether no more children are started after too many were lost, as by default.
    pub(crate) fn set_limited(&self, is_limited: bool) {
        lock(&self.0).is_unlimited = !is_limited;
    }

    /// Forgets the children that were lost so far, but not the limit.
    pub(crate) fn forget(&self) {
        let mut counts = lock(&self.0);
        *counts = Counts { is_unlimited: counts.is_unlimited, ..Counts::default() };
    }

    #[cfg(unix)]
    pub(crate) fn add(&self, is_hang: bool, message: &str) {
        let mut counts = lock(&self.0);
        let count = if is_hang { &mut counts.hangs } else { &mut counts.crashes };
        *count += 1;
        message.clone_into(&mut counts.last);
    }

    /// Returns the limit if it is reached, and a message.
    pub(crate) fn limit(&self) -> Option<(Limit, String)> {
        let Counts { crashes, hangs, last, is_unlimited } = &*lock(&self.0);
        let limit = match () {
            () if *is_unlimited => return None,
            () if *hangs >= MAX_HANGS => Limit::new(Limited::Timeouts, MAX_HANGS),
            () if *crashes >= MAX_CRASHES => Limit::new(Limited::Crashes, MAX_CRASHES),
            () => return None,
        };
        let message = format!(
            "no child: {crashes} crashed and {hangs} hung, and no more are started (last failure: {last}); correct \
             the program, or raise its time limit"
        );
        Some((limit, message))
    }
}
