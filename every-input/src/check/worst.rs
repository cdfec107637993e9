//! The greatest deviation from a reference, and the first input with it; of all inputs and of each class.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::plan::interval::Interval;
use crate::plan::space::{ErasedClass, ErasedSpace};
use crate::report::decimal;

/// The greatest deviation from a reference among the checked inputs, and the first input with it: that
/// with the lowest number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Worst {
    /// The deviation, in units in the last place for [`Ulps`](crate::Ulps). In JSON it is a text if it is
    /// infinite or NaN.
    #[serde(serialize_with = "write_deviation", deserialize_with = "read_deviation")]
    pub deviation: f64,
    /// The input.
    pub value: String,
    /// The number of the input in its space.
    #[serde(with = "decimal")]
    pub(crate) number: i128,
}

impl Worst {
    /// Returns the greater of two deviations; of equal ones that of the first input, so that it does not
    /// depend on threads, shards and interruptions.
    pub(crate) fn greater(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let key = |worst: &Self| (worst.deviation, worst.number);
        a.into_iter().chain(b).max_by(|a, b| compare(key(a), key(b)))
    }
}

/// The greatest number of classes whose deviations are apart, so that reports and checkpoints stay small
/// and few blocks have inputs of several classes.
const MAX_CLASSES: usize = 4096;

/// The greatest length in bytes of the text of a worst input.
pub(crate) const MAX_VALUE: usize = 1024;

/// The greatest deviation of each class, by its name; in a space with one class, or with too many, that of
/// all inputs without a name.
pub(crate) type WorstByClass = BTreeMap<String, Worst>;

/// Returns whether the classes of a space are few enough to have a deviation each.
pub(crate) fn is_by_class(space: &ErasedSpace) -> bool {
    (2..=MAX_CLASSES).contains(&space.classes.len())
}

pub(crate) fn greatest(by_class: &WorstByClass) -> Option<Worst> {
    by_class.values().cloned().fold(None, |greatest, worst| Worst::greater(greatest, Some(worst)))
}

/// Adds a deviation of an input of this class, of which the greatest remains.
pub(crate) fn add(by_class: &mut WorstByClass, class: String, worst: Worst) {
    let own = by_class.remove(&class);
    by_class.extend(Worst::greater(own, Some(worst)).map(|greater| (class, greater)));
}

/// The greatest deviations that a thread has found so far.
pub(crate) struct Records {
    /// The numbers of the inputs of each class in ascending order, and the index of the class.
    classes: Vec<(Interval, usize)>,
    /// The place of the class that was found last.
    last: usize,
    by_class: Vec<Record>,
}

struct Record {
    /// The name of the class.
    class: String,
    /// The greatest deviation, and the lowest number of an input with it.
    greatest: (f64, i128),
}

impl Records {
    pub(crate) fn of(space: &ErasedSpace) -> Self {
        let record = |class| Record { class, greatest: (f64::NEG_INFINITY, i128::MAX) };
        if !is_by_class(space) {
            return Self { classes: vec![(space.limits, 0)], last: 0, by_class: vec![record(String::new())] };
        }
        let classes = space.classes.iter().enumerate();
        let classes = classes.flat_map(|(index, class)| class.intervals.iter().map(move |&i| (i, index)));
        let mut classes = Vec::from_iter(classes);
        classes.sort_unstable();
        Self {
            classes,
            last: 0,
            by_class: space.classes.iter().map(ErasedClass::title).map(record).collect(),
        }
    }

    /// Returns the index of the class of all inputs from one to another, if they are in the same.
    #[inline]
    pub(crate) fn class(&mut self, first: i128, last: i128) -> Option<usize> {
        if !self.classes.get(self.last).is_some_and(|(numbers, _)| numbers.contains(first)) {
            self.last = self.classes.partition_point(|(numbers, _)| numbers.last < first);
        }
        let (numbers, class) = self.classes.get(self.last)?;
        (numbers.contains(first) && numbers.contains(last)).then_some(*class)
    }

    /// Returns whether a deviation of an input of this class, of which the number is known or is at least
    /// this, is greater than those found before.
    #[inline]
    pub(crate) fn is_greater(&self, class: usize, deviation: f64, number: i128) -> bool {
        compare((deviation, number), self.by_class[class].greatest).is_gt()
    }

    pub(crate) fn set(&mut self, class: usize, deviation: f64, number: i128) {
        self.by_class[class].greatest = (deviation, number);
    }

    /// Returns the name of the class, and the greatest deviation with its number.
    pub(crate) fn get(&self, class: usize) -> (&str, (f64, i128)) {
        let Record { class, greatest } = &self.by_class[class];
        (class, *greatest)
    }
}

/// Compares deviations with the numbers of their inputs. Of equal deviations, that of the lower number is
/// greater.
fn compare(a: (f64, i128), b: (f64, i128)) -> Ordering {
    a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))
}

/// A number, or the text of one that JSON does not have.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Deviation {
    Number(f64),
    Text(String),
}

fn write_deviation<S: Serializer>(deviation: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match deviation.is_finite() {
        true => Deviation::Number(*deviation),
        false => Deviation::Text(deviation.to_string()),
    }
    .serialize(serializer)
}

fn read_deviation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Deviation::deserialize(deserializer)? {
        Deviation::Number(deviation) => Ok(deviation),
        Deviation::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deviation_is_read_as_it_was_written() {
        for deviation in [0.0, 1.5, f64::MAX, f64::INFINITY, f64::NAN] {
            let worst = Worst { deviation, value: "7".into(), number: 7 };
            let json = serde_json::to_string(&worst).unwrap();
            let read: Worst = serde_json::from_str(&json).unwrap();
            assert_eq!((read.deviation.to_bits(), read.number), (deviation.to_bits(), 7), "{json}");
        }
    }

    #[test]
    fn of_equal_deviations_that_with_the_lowest_number_is_greater() {
        let worst = |number| Some(Worst { deviation: 2.0, value: String::new(), number });
        for (a, b) in [(1, 5), (-5, 1)] {
            for (one, other) in [(a, b), (b, a)] {
                assert_eq!(Worst::greater(worst(one), worst(other)).unwrap().number, a);
            }
        }
    }
}
