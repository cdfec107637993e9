//! What is enumerated: the numbered inputs of a sweep, their classes and their notation.

use std::fmt::{self, Debug};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::collector::Collector;
use super::interval::{self, Interval};
use super::interval_set::IntervalSet;
use super::validity;
use crate::error::SweepError;
use crate::texts::{bounded, bounded_class};

/// A set of inputs that are numbered from 0 on, such as all values of a type.
///
/// Implement it for inputs of your own. Three methods are enough. The name identifies the space in
/// reports and checkpoints, so it should include the parameters of the space.
///
/// ```
/// use every_input::{Space, exhaustive};
///
/// /// Pairs of dates: a month and a day.
/// #[derive(Clone)]
/// struct Dates;
///
/// impl Space for Dates {
///     type Item = (u32, u32);
///
///     fn name(&self) -> String {
///         "dates".into()
///     }
///
///     fn count(&self) -> u128 {
///         12 * 31
///     }
///
///     fn at(&self, number: u64) -> (u32, u32) {
///         (number as u32 / 31 + 1, number as u32 % 31 + 1)
///     }
/// }
///
/// exhaustive(Dates).check(|(month, day)| month * 100 + day <= 1231);
/// ```
pub trait Space: Clone + Send + Sync + 'static {
    /// An input.
    type Item: Clone + Debug;

    /// Returns the name for reports.
    fn name(&self) -> String;

    /// Returns the number of inputs, which is at most 2^64.
    fn count(&self) -> u128;

    /// Returns the input with this number, which is less than [`count`](Self::count).
    fn at(&self, number: u64) -> Self::Item;

    /// Replaces `items` by consecutive inputs, of which the first has this number. Implement it if
    /// that is faster than a call of [`at`](Self::at) for each input.
    #[inline]
    fn fill(&self, first: u64, count: usize, items: &mut Vec<Self::Item>) {
        items.clear();
        items.extend((0..count as u64).map(|offset| self.at(first + offset)));
    }

    /// Returns the classes from which a sample draws in equal numbers. Every input is in one class: a
    /// sweep refuses a space whose classes leave out a number below the count, or have one twice.
    fn classes(&self) -> Vec<Class> {
        let last = self.count().checked_sub(1).map(|last| last as u64);
        last.into_iter().map(|last| Class { name: "all".into(), numbers: 0..=last }).collect()
    }

    /// Returns the numbers of inputs to check first, besides the ends of the classes. They are less than
    /// the count.
    fn edges(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Returns the text of an input for reports. By default it ends with the number, as in
    /// `(2, 29) #59`.
    fn show(&self, number: u64) -> String {
        format!("{:?} #{number}", self.at(number))
    }

    /// Returns the number of the input with this text, if there is one. Implement it together with
    /// [`show`](Self::show).
    ///
    /// By default the number alone is a text of the input too, as in `#59`.
    fn parse(&self, text: &str) -> Option<u64> {
        let (input, number) = text.rsplit_once('#')?;
        let number = number.parse().ok().filter(|&number| u128::from(number) < self.count())?;
        (input.is_empty() || self.show(number) == text).then_some(number)
    }

    #[doc(hidden)]
    fn erased(&self) -> ErasedPart {
        let inputs = ErasedPart::new(counted(self.clone()), self.count());
        let problem = inputs.problem.or_else(|| inputs.space.problem());
        ErasedPart { problem, ..inputs }
    }
}

/// Inputs that have something in common, such as an exponent.
///
/// See [`Space::classes`] and [`StratumReport`](crate::StratumReport).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The name for reports.
    pub name: String,
    /// The numbers of the inputs.
    pub numbers: RangeInclusive<u64>,
}

/// The inputs of an [`ErasedSpace`], or a part of them.
#[derive(Clone, Debug)]
pub struct ErasedPart {
    pub(crate) space: Arc<ErasedSpace>,
    /// The numbers of the inputs in the space, unless there are none.
    pub(crate) numbers: Option<Interval>,
    /// Why they cannot be swept, if so.
    pub(crate) problem: Option<String>,
}

impl ErasedPart {
    /// Creates the inputs of a space that has this number of them.
    pub(crate) fn new(space: ErasedSpace, count: u128) -> Self {
        let numbers = (count > 0).then_some(space.limits);
        let problem = validity::of_count(&space.name, count);
        Self { space: Arc::new(space), numbers, problem }
    }

    /// Returns the number of the first input in the space. Here it is number 0.
    pub(crate) fn first(&self) -> i128 {
        self.numbers.map_or(0, |numbers| numbers.first)
    }

    /// Returns the numbers to check: these, or all inputs.
    ///
    /// # Errors
    ///
    /// Returns a message if the sweep would leave inputs out.
    pub(crate) fn plan(
        &self,
        ranges: Option<&Result<IntervalSet, SweepError>>,
    ) -> Result<IntervalSet, SweepError> {
        match (&self.problem, ranges) {
            (Some(problem), _) => Err(SweepError::Usage(problem.clone())),
            (None, Some(ranges)) => ranges.clone(),
            (None, None) => Ok(IntervalSet::of(self.numbers.into_iter().collect())),
        }
    }

    /// Returns the set of these ranges.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is not a part of the inputs, if there is none, or if there are
    /// many and no temporary file can be written.
    pub(crate) fn ranges(
        &self,
        ranges: impl IntoIterator<Item = Interval>,
    ) -> Result<IntervalSet, SweepError> {
        let mut collector = Collector::new();
        for range in ranges {
            self.problem_of(range).map_or(Ok(()), Err)?;
            collector.add(range)?;
        }
        self.part(collector.finish()?)
    }

    /// Returns a set if it is a part of the inputs.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not, if it is empty, or if its temporary file cannot be read.
    pub(crate) fn part(&self, set: IntervalSet) -> Result<IntervalSet, SweepError> {
        let Some(ends) = set.ends() else {
            let none = || SweepError::Usage(validity::of_none(&self.name()));
            return Err(set.error().map_or_else(none, Into::into));
        };
        self.problem_of(ends).map_or(Ok(set), Err)
    }

    fn problem_of(&self, range: Interval) -> Option<SweepError> {
        validity::of_range(range, self.numbers?, || self.name()).map(SweepError::Usage)
    }

    pub(crate) fn count(&self) -> u128 {
        self.numbers.map_or(0, Interval::count)
    }

    /// Returns the name, such as `u8`, or `u8 1..=9` for a part of the space.
    pub(crate) fn name(&self) -> String {
        match self.numbers {
            Some(numbers) if numbers == self.space.limits => self.space.name.clone(),
            Some(Interval { first, last }) => {
                format!("{} {}..={}", self.space.name, self.space.text(first), self.space.text(last))
            }
            None => format!("no {}", self.space.name),
        }
    }

    pub(crate) fn classes(&self) -> Vec<Class> {
        let classes =
            self.space.classes.iter().map(|class| {
                (class.title(), interval::intersection(&class.intervals, self.numbers.as_slice()))
            });
        let classes = classes.flat_map(|(name, intervals)| {
            intervals.into_iter().map(move |interval| (name.clone(), interval))
        });
        let number = |number: i128| (number - self.first()) as u64;
        classes.map(|(name, i)| Class { name, numbers: number(i.first)..=number(i.last) }).collect()
    }

    pub(crate) fn edges(&self) -> Vec<u64> {
        let edges = self.space.edges.iter();
        let own = edges.filter(|&&edge| self.numbers.is_some_and(|numbers| numbers.contains(edge)));
        own.map(|edge| (edge - self.first()) as u64).collect()
    }

    pub(crate) fn show(&self, number: u64) -> String {
        self.space.text(self.first() + i128::from(number))
    }

    pub(crate) fn parse(&self, text: &str) -> Option<u64> {
        let number = self.space.number(text)?;
        self.numbers?.contains(number).then(|| (number - self.first()) as u64)
    }
}

/// The methods of a [`Space`] that need no type of the inputs.
macro_rules! by_erased {
    () => {
        fn name(&self) -> String {
            self.erased().name()
        }

        fn classes(&self) -> Vec<$crate::plan::space::Class> {
            self.erased().classes()
        }

        fn edges(&self) -> Vec<u64> {
            self.erased().edges()
        }

        fn show(&self, number: u64) -> String {
            self.erased().show(number)
        }

        fn parse(&self, text: &str) -> Option<u64> {
            self.erased().parse(text)
        }
    };
}
pub(crate) use by_erased;

/// A [`Class`] of an [`ErasedSpace`], or the part of it that is in a plan, which is a stratum if a sample
/// draws from it. In a space of integers it has those with one encoded length and one sign, in one of byte
/// strings those with one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErasedClass {
    /// The length of the encodings, or of the strings, in bytes; in other spaces the index of the
    /// class.
    pub(crate) length: usize,
    /// Whether the inputs are negative.
    pub(crate) negative: bool,
    /// The name, if length and sign are none.
    pub(crate) name: Option<String>,
    /// The numbers of the inputs.
    pub(crate) intervals: Vec<Interval>,
}

impl ErasedClass {
    pub(crate) fn named(index: usize, name: impl Into<String>, numbers: Option<Interval>) -> Self {
        let intervals = numbers.into_iter().collect();
        Self { length: index, negative: false, name: Some(bounded_class(name)), intervals }
    }

    pub(crate) fn count(&self) -> u128 {
        interval::count(&self.intervals)
    }

    /// Returns the name, or the length and the sign.
    pub(crate) fn title(&self) -> String {
        let sign = if self.negative { "-" } else { "+" };
        self.name.clone().unwrap_or_else(|| format!("{} bytes, {sign}", self.length))
    }
}

/// A [`Space`] without the type of its inputs, as far as plan, schedule, totals, checkpoints and reports
/// need to know them. Each input has a number; that of an integer is its value.
pub struct ErasedSpace {
    /// The name in reports, from which [`by_name`](super::space_names::by_name) finds the space
    /// again.
    pub(crate) name: String,
    pub(crate) limits: Interval,
    /// The classes from which a sample draws in equal numbers. Every input is in one of them.
    pub(crate) classes: Vec<ErasedClass>,
    /// The numbers of further inputs to check first, besides the ends of the classes.
    pub(crate) edges: Vec<i128>,
    pub(crate) text: Box<Text>,
    pub(crate) number: Box<Number>,
    /// What an input is called, in the singular.
    pub(crate) noun: &'static str,
    /// What is checked on the inputs.
    pub(crate) subject_noun: &'static str,
    /// The binary logarithm of the number of inputs in a unit, which is in one shard as a whole.
    pub(crate) unit_shift: u32,
}

type Text = dyn Fn(i128) -> String + Send + Sync;
type Number = dyn Fn(&str) -> Option<i128> + Send + Sync;

impl ErasedSpace {
    /// Creates a space without classes and edges, with functions that return the text of a number and
    /// the number of a text.
    pub(crate) fn new(
        name: impl Into<String>,
        limits: Interval,
        text: impl Fn(i128) -> String + Send + Sync + 'static,
        number: impl Fn(&str) -> Option<i128> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: bounded(name),
            limits,
            classes: Vec::new(),
            edges: Vec::new(),
            text: Box::new(text),
            number: Box::new(number),
            noun: "input",
            subject_noun: "codec",
            unit_shift: 18,
        }
    }

    /// Returns why a sweep would leave inputs out, if it would.
    fn problem(&self) -> Option<String> {
        let classes = self.classes.iter().flat_map(|class| {
            let name = class.name.as_deref().unwrap_or_default();
            class.intervals.iter().map(move |numbers| (name, *numbers))
        });
        validity::of_space(&self.name, self.limits, classes.collect(), &self.edges)
    }

    pub(crate) fn text(&self, number: i128) -> String {
        bounded((self.text)(number))
    }

    pub(crate) fn number(&self, text: &str) -> Option<i128> {
        (self.number)(text)
    }
}

impl Debug for ErasedSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Returns a space whose inputs have the numbers of the trait [`Space`].
fn counted<S: Space>(space: S) -> ErasedSpace {
    let class = |(index, Class { name, numbers }): (usize, Class)| {
        let [first, last] = [*numbers.start(), *numbers.end()].map(i128::from);
        ErasedClass::named(index, name, Some(Interval { first, last })) // reversed ones are refused
    };
    let classes = space.classes().into_iter().enumerate().map(class).collect();
    let edges = space.edges().into_iter().map(i128::from).collect();
    let (name, limits, texts) = (space.name(), Interval::of_count(space.count()), space.clone());
    let text = move |number| texts.show(number as u64);
    ErasedSpace {
        classes,
        edges,
        ..ErasedSpace::new(name, limits, text, move |text| space.parse(text).map(i128::from))
    }
}
