//! What is checked: a space, and a property of its inputs, whatever their type is; and what a check
//! found.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::check::bounds::ListSize;
use crate::check::failure::{Failure, FailureKind};
use crate::check::losses::Losses;
use crate::check::worst::WorstByClass;
use crate::plan::edges;
use crate::plan::interval::Interval;
use crate::plan::sample::Draw;
use crate::plan::space::{ErasedClass, ErasedSpace};

/// The number of failing inputs that ends a sweep with a limit of failures.
pub(crate) const MAX_FAILING_INPUTS: u64 = 1 << 20;

/// A check of the inputs of a space.
pub(crate) struct Subject<'s> {
    /// The name of what is checked.
    pub(crate) name: String,
    /// The name of its kernel, if it has several.
    pub(crate) kernel: Option<String>,
    /// The name of the wire format, if a codec is checked.
    pub(crate) wire: Option<String>,
    /// What kind of a thing it is, if the space does not tell.
    pub(crate) noun: Option<&'static str>,
    pub(crate) space: Arc<ErasedSpace>,
    /// The number of failing inputs that ends a sweep with a limit of failures, even if they are few
    /// ranges.
    pub(crate) max_failing_inputs: u64,
    /// The lost children of each command that it runs.
    pub(crate) losses: Vec<&'s Losses>,
    pub(crate) check: Box<dyn Fn() -> Box<dyn BlockCheck + 's> + Sync + 's>,
}

impl Subject<'_> {
    /// Returns whether each call is a message to another process or machine.
    pub(crate) fn is_remote(&self) -> bool {
        self.max_failing_inputs < MAX_FAILING_INPUTS
    }
}

/// The check of one thread, a block at a time, with its buffers.
pub(crate) trait BlockCheck {
    /// Checks `count` consecutive inputs from number `first` on, at most a block.
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>);
    /// Checks `count` draws from a class, at most a block.
    fn drawn(&mut self, count: usize, class: &ErasedClass, draw: &mut Draw<'_>, found: &mut Found<'_>);
}

/// What a check has found at some consecutive positions of the schedule.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) positions: Interval,
    /// Whether they are draws.
    pub(crate) is_drawn: bool,
    /// The number of failing inputs that are no edge cases.
    pub(crate) failures: u64,
    /// The edge cases that failed.
    pub(crate) failed_edges: Vec<i128>,
    /// The number of draws from each stratum that failed, edge cases among them included.
    pub(crate) failed_draws: BTreeMap<usize, u64>,
    /// The number of failures that are no edge cases, where neighbours that fail alike are one.
    pub(crate) ranges: u64,
    /// The first failures.
    pub(crate) listed: Vec<Failure>,
    pub(crate) worst: WorstByClass,
    /// Whether all inputs are checked. Those of a block that failed are not if the sweep was stopped
    /// before it was known which of them fail.
    pub(crate) is_finished: bool,
}

/// What a check has found.
pub(crate) struct Found<'o> {
    /// `None` in a measurement.
    observer: Option<&'o dyn Observer>,
    /// The position of the first input of the block that is checked. That of an edge case is negative.
    pub(crate) position: i128,
    /// The number of failures to list, each of which may be a range.
    pub(crate) list: usize,
    /// Whether draws are checked, not consecutive inputs.
    pub(crate) is_drawn: bool,
    /// The number of failing inputs since the failures were last taken.
    pub(crate) failures: u64,
    /// The number of failures, where neighbours that fail alike are one.
    pub(crate) ranges: u64,
    listed: Vec<Failure>,
    /// The number and the size of those.
    bound: ListSize,
    pub(crate) space: &'o ErasedSpace,
    /// The edge cases of the sweep in ascending order.
    edges: &'o [i128],
    /// The edge cases that failed since the failures were last taken.
    failed_edges: Vec<i128>,
    /// The stratum of each block that failed, and the number of its draws that did.
    failed_draws: Vec<(usize, u64)>,
    /// The last failure, to which the next input may belong.
    last: Option<Failure>,
    /// The position of the block in which it began, which is finished if any block after it is.
    last_position: i128,
    /// The greatest deviation, and the number of its input.
    pub(crate) worst: WorstByClass,
    /// Whether the subject broke down at least once.
    pub(crate) broke_down: bool,
    /// Whether the subject broke down permanently.
    pub(crate) is_over: bool,
    /// Whether calls are so slow that the sweep may stop between those that find out which inputs of a
    /// block fail.
    pub(crate) is_slow: bool,
    /// What was found before the last block that failed, if the sweep may stop within it.
    before: Option<Before>,
    /// Whether the sweep has stopped there.
    is_cut: bool,
}

/// What was found before a block: the failing inputs, the failures, those listed, the failed edge cases
/// and the blocks of draws that failed.
#[derive(Clone, Copy, Default)]
struct Before {
    failures: u64,
    ranges: u64,
    listed: usize,
    failed_edges: usize,
    failed_draws: usize,
}

impl<'o> Found<'o> {
    /// Creates a list of no failures, which passes all of them to the observer.
    pub(crate) fn new(observer: Option<&'o dyn Observer>, space: &'o ErasedSpace, edges: &'o [i128]) -> Self {
        Self {
            observer,
            position: 0,
            list: 0,
            is_drawn: false,
            failures: 0,
            ranges: 0,
            listed: Vec::new(),
            bound: ListSize::default(),
            space,
            edges,
            failed_edges: Vec::new(),
            failed_draws: Vec::new(),
            last: None,
            last_position: 0,
            worst: WorstByClass::new(),
            broke_down: false,
            is_over: false,
            is_slow: false,
            before: None,
            is_cut: false,
        }
    }

    pub(crate) fn add(&mut self, failure: Failure) {
        self.failures += failure.inputs();
        if !self.last.as_mut().is_some_and(|last| last.join(&failure)) {
            self.end_range();
            self.ranges += 1;
            (self.last, self.last_position) = (Some(failure), self.position);
        }
    }

    /// Adds the next input to the last failure if it fails alike, and returns whether it does. Call
    /// [`name_last`](Self::name_last) afterwards.
    pub(crate) fn extend(&mut self, number: i128, kind: FailureKind) -> bool {
        let is_next = self.last.as_mut().is_some_and(|last| last.extend(number, kind));
        self.failures += u64::from(is_next);
        is_next
    }

    /// Sets the text of the last input of a range, after inputs were added to it.
    pub(crate) fn name_last(&mut self) {
        if let Some(last) = &mut self.last {
            last.name_last(|number| self.space.text(number));
        }
    }

    pub(crate) fn list_one_more(&mut self) {
        self.end_range();
        self.list = self.listed.len() + 1;
    }

    /// Lists the last failure, which no further input joins.
    fn end_range(&mut self) {
        if let Some(mut failure) = self.last.take() {
            failure.number(self.space);
            failure.cut_texts();
            let numbers = failure.numbers.into_iter();
            self.failed_edges.extend(numbers.flat_map(|numbers| edges::among(self.edges, numbers)));
            if let Some(observer) = self.observer {
                observer.failed(self.last_position, &failure);
            }
            if !self.bound.is_full(self.list) {
                self.bound = self.bound.with(ListSize::one(&failure));
                self.listed.push(failure);
            }
        }
    }

    /// Remembers what was found before this block, of which it is still to be found out which inputs fail.
    pub(crate) fn begin_block(&mut self) {
        self.before = None;
        if self.is_slow || self.broke_down {
            self.end_range();
            let (listed, failed_edges) = (self.listed.len(), self.failed_edges.len());
            let (failures, ranges, failed_draws) = (self.failures, self.ranges, self.failed_draws.len());
            self.before = Some(Before { failures, ranges, listed, failed_edges, failed_draws });
        }
    }

    /// Counts the failures of a block of draws, before which there were `before`, for their stratum.
    pub(crate) fn end_draws(&mut self, stratum: usize, before: u64) {
        if self.failures > before {
            self.failed_draws.push((stratum, self.failures - before));
        }
    }

    /// Takes what was found at these positions; and apart from it what was found in a block after them,
    /// if that was cut short.
    pub(crate) fn take(&mut self, positions: Option<Interval>, cut: Option<Interval>) -> Vec<Piece> {
        self.end_range();
        self.bound = ListSize::default();
        let before = self.before.take().filter(|_| cut.is_some());
        let after = cut.zip(before).map(|(positions, before)| self.piece(positions, before, false));
        let piece = positions.map(|positions| self.piece(positions, Before::default(), true));
        piece.into_iter().chain(after).collect()
    }

    /// Takes what was found at these positions, after what was found before them.
    fn piece(&mut self, positions: Interval, before: Before, is_finished: bool) -> Piece {
        let mut failed_edges = self.failed_edges.split_off(before.failed_edges);
        failed_edges.sort_unstable();
        failed_edges.dedup();
        let mut failed_draws = BTreeMap::new();
        for (stratum, failed) in self.failed_draws.drain(before.failed_draws..) {
            *failed_draws.entry(stratum).or_default() += failed;
        }
        let failing = std::mem::replace(&mut self.failures, before.failures) - before.failures;
        let ranges = std::mem::replace(&mut self.ranges, before.ranges) - before.ranges;
        // Each edge case is one input, however much fails on it.
        let is_edge = positions.first < 0;
        let failures = if is_edge { 0 } else { failing - failed_edges.len() as u64 };
        let listed = self.listed.split_off(before.listed);
        let (ranges, worst) = (if is_edge { 0 } else { ranges }, std::mem::take(&mut self.worst));
        Piece {
            positions,
            is_drawn: self.is_drawn,
            failures,
            failed_edges,
            failed_draws,
            ranges,
            listed,
            worst,
            is_finished,
        }
    }

    pub(crate) fn lists(&self) -> bool {
        self.list > 0
    }

    /// Returns whether to leave the remaining inputs of a block unchecked: the check shall end, and
    /// further calls are slow, or may each cost a timeout. A measurement ends at a breakdown.
    pub(crate) fn is_cut_short(&mut self) -> bool {
        self.is_cut |= match self.observer {
            Some(observer) => self.before.is_some() && observer.is_stopped(),
            None => self.broke_down,
        };
        self.is_cut
    }

    /// Returns whether the last block failed, and what was found before it is kept apart.
    pub(crate) fn is_block_apart(&self) -> bool {
        self.before.is_some()
    }

    /// Returns whether the last block is not finished, because the check shall end.
    pub(crate) fn is_block_cut(&self) -> bool {
        self.is_cut || (self.is_over && self.before.is_some())
    }
}

/// Receives the failures of a checker while it runs, and can ask it to stop.
pub(crate) trait Observer: Sync {
    fn is_stopped(&self) -> bool;

    /// Receives a failure in the block at this position, whether or not the report lists it.
    fn failed(&self, position: i128, failure: &Failure);
}
