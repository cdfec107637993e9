//! How much a report and a checkpoint keep of the failures of a sweep, however many and long they are,
//! so that they can be read again. A list of failures has all of them.

use crate::check::failure::{Failure, in_order};
use crate::plan::mode::Mode;

/// The greatest number of failures that a report or a checkpoint lists.
pub(crate) const MAX_LIST_LENGTH: usize = 10_000;

/// The size of the listed failures from which on no further one is listed.
const MAX_SIZE: usize = 4 << 20;

/// The number and the size of some failures.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListSize {
    number: usize,
    size: usize,
}

impl ListSize {
    pub(crate) fn of<'f>(failures: impl IntoIterator<Item = &'f Failure>) -> Self {
        failures.into_iter().fold(Self::default(), |size, failure| size.with(Self::one(failure)))
    }

    /// Returns the size in memory of one failure, nearly that of its JSON.
    pub(crate) fn one(failure: &Failure) -> Self {
        let Failure { value, expected, got, context, last, .. } = failure;
        let texts = [Some(value), Some(expected), Some(got), context.as_ref(), last.as_ref()];
        let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
        Self { number: 1, size: size_of::<Failure>() + texts }
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self { number: self.number + other.number, size: self.size + other.size }
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self { number: self.number - other.number, size: self.size - other.size }
    }

    pub(crate) fn size(self) -> usize {
        self.size
    }

    /// Returns whether no further failure is listed after these, of at most `most`.
    pub(crate) fn is_full(self, most: usize) -> bool {
        self.number >= most.min(MAX_LIST_LENGTH) || self.size >= MAX_SIZE
    }
}

/// Returns at most `most` of these failures for a report: ranges, which say most, then the others, both in
/// the order of the numbers of their inputs. Of an exhaustive sweep, whose shards have the failures of their
/// first inputs only, they are those of the first inputs.
pub(crate) fn first_in_report(failures: Vec<Failure>, mode: Mode, most: usize) -> Vec<Failure> {
    let mut failures = in_order(failures);
    if mode == Mode::Exhaustive {
        truncate(&mut failures, most);
    }
    failures.sort_by_key(|failure| failure.last.is_none());
    truncate(&mut failures, most);
    failures
}

/// Removes the failures that are not listed, if at most `most` are.
pub(crate) fn truncate(failures: &mut Vec<Failure>, most: usize) {
    retain_first(failures, |kept| kept.is_full(most));
}

/// Removes the failures of several reports that are not listed when all are there. A few more than a list has
/// are kept, because some of them may be parts of one range.
pub(crate) fn keep_first(failures: &mut Vec<Failure>, mode: Mode) {
    const MOST: usize = MAX_LIST_LENGTH + 1000;
    failures.sort_by(Failure::cmp_place);
    failures.dedup(); // reports may overlap
    if mode == Mode::Sample {
        failures.sort_by_key(|failure| failure.last.is_none());
    }
    retain_first(failures, |kept| kept.number >= MOST || kept.size >= 2 * MAX_SIZE);
}

fn retain_first(failures: &mut Vec<Failure>, is_full: impl Fn(ListSize) -> bool) {
    let mut size = ListSize::default();
    failures.retain(|failure| {
        let is_kept = !is_full(size);
        size = size.with(ListSize::one(failure));
        is_kept
    });
}
