//! What a report has of a plan with too many ranges to list them.

use serde::{Deserialize, Serialize};

use crate::plan::interval::{self, Interval, is_union};
use crate::plan::interval_set::IntervalSet;
use crate::plan::space::{ErasedClass, ErasedSpace};
use crate::report::decimal;

/// A plan of more than 65,536 ranges, of which a report lists only the first ones.
///
/// Its values have *places*, from 0 on in ascending order. The places say exactly which values were
/// checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LongPlan {
    /// The number of ranges.
    #[serde(with = "decimal")]
    pub ranges: u64,
    /// The number of values.
    #[serde(with = "decimal")]
    pub values: u128,
    /// A hash of all ranges.
    pub hash: String,
    /// The places of the values that were checked.
    #[serde(deserialize_with = "decimal::list")]
    pub covered: Vec<Interval>,
    /// The number of values in each part of a class, in the order of the numbers of its inputs.
    #[serde(serialize_with = "decimal::numbers", deserialize_with = "decimal::parsed_numbers")]
    by_part: Vec<u64>,
}

impl LongPlan {
    /// The number of ranges of such a plan that a report lists.
    pub(crate) const FIRST_RANGES: usize = 100;

    /// Returns what a report has of a plan, of which nothing is checked; `None` if it lists all ranges.
    pub(crate) fn of(plan: &IntervalSet, space: &ErasedSpace) -> Option<Self> {
        let (ranges, values, hash) = plan.identity()?;
        let parts = parts(&space.classes);
        let by_part =
            parts.iter().map(|(_, part)| (plan.below(part.last + 1) - plan.below(part.first)) as u64);
        let (by_part, hash) = (by_part.collect(), format!("{hash:016x}"));
        Some(Self { ranges, values, hash, covered: Vec::new(), by_part })
    }

    /// Returns whether `other` is the same plan, whatever was checked of it.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// Returns what identifies the plan.
    pub(crate) fn identity(&self) -> impl Serialize + PartialEq {
        (self.ranges, self.values.to_string(), &self.hash, &self.by_part)
    }

    /// Returns all places.
    pub(crate) fn places(&self) -> Interval {
        Interval::of_count(self.values)
    }

    /// Returns the classes of a space with the places of their values.
    pub(crate) fn places_of(&self, classes: &[ErasedClass]) -> Vec<ErasedClass> {
        let without = |class: &ErasedClass| ErasedClass { intervals: Vec::new(), ..class.clone() };
        let mut placed: Vec<_> = classes.iter().map(without).collect();
        let mut next = 0;
        for ((class, _), &count) in parts(classes).into_iter().zip(&self.by_part) {
            let first = next;
            next += i128::from(count);
            placed[class].intervals.extend(Interval::new(first, next - 1));
        }
        placed
    }

    /// Returns what contradicts itself, if anything does. A report lists these ranges of the plan.
    pub(crate) fn problem(&self, first: &[Interval], classes: &[ErasedClass]) -> Option<&'static str> {
        let sum = self.by_part.iter().map(|&count| u128::from(count)).sum::<u128>();
        if self.ranges < first.len() as u64
            || self.values < u128::from(self.ranges)
            || self.values < interval::count(first)
        {
            return Some("its plan has fewer values than are listed");
        }
        if self.by_part.len() != parts(classes).len() || sum != self.values {
            return Some("the parts of its plan are not all of it");
        }
        let is_within = interval::difference(&self.covered, &[self.places()]).is_empty();
        (!is_union(&self.covered) || !is_within).then_some("it covers places outside its plan")
    }
}

/// Returns the intervals of classes in order, each with the index of its class.
fn parts(classes: &[ErasedClass]) -> Vec<(usize, Interval)> {
    let parts = classes.iter().enumerate();
    let parts = parts.flat_map(|(index, class)| class.intervals.iter().map(move |&part| (index, part)));
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|(_, part)| part.first);
    parts
}
