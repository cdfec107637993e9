//! What is checked: a space, and what must hold for its inputs, whatever their type is.

use std::sync::Arc;

use crate::check::failure::Failure;
use crate::check::observer::Observer;
use crate::plan::sample::Draw;
use crate::plan::space::{Space, Stratum};

/// A space with a check of its inputs.
pub(crate) trait Subject: Sync {
    /// Returns the name of what is checked.
    fn name(&self) -> String;
    /// Returns the name of its kernel, if it has several.
    fn kernel(&self) -> Option<String>;
    /// Returns the space.
    fn space(&self) -> Arc<dyn Space>;
    /// Creates the check of one thread, which lists its first `list` failures.
    fn check<'s>(&'s self, list: usize, observer: &'s dyn Observer) -> Box<dyn Check + 's>;
}

/// The check of one thread, with its buffers.
pub(crate) trait Check {
    /// Checks `count` consecutive inputs from number `first` on, at most a block.
    fn consecutive(&mut self, first: i128, count: usize);
    /// Checks `count` draws from a class, at most a block.
    fn drawn(&mut self, count: usize, class: &Stratum, draw: &mut Draw<'_>);
    /// Returns what was found since it was last taken.
    fn found(&mut self) -> &mut Found;
}

/// What a check has found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) failures: u64,
    /// The first failures, for the report.
    pub(crate) listed: Vec<Failure>,
    /// Whether the subject broke down at least once.
    pub(crate) broke_down: bool,
    /// Whether the subject broke down permanently.
    pub(crate) is_over: bool,
}

impl Found {
    /// Records a failure, and lists it if fewer than `list` are listed.
    pub(crate) fn add(&mut self, failure: Failure, list: usize, observer: &dyn Observer) {
        self.failures += 1;
        observer.failed(&failure);
        let is_joined = self.listed.last_mut().is_some_and(|last| last.join(&failure));
        if !is_joined && self.listed.len() < list {
            self.listed.push(failure);
        }
    }
}
