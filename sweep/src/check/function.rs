//! Checks of functions: the property that each input of a space must have.

use std::fmt::Display;
use std::sync::Arc;

use crate::check::checker::MAX_BLOCK_LEN;
use crate::check::failure::{Failure, FailureKind, Worst};
use crate::check::panics::guarded;
use crate::check::subject::{BlockCheck, Found, Subject};
use crate::plan::interval::Interval;
use crate::plan::sample::Draw;
use crate::plan::space::{DynSpace, Space, Stratum};

/// A property that each input of a [`Space`] must have.
///
/// A closure that returns `bool` or `Result<(), E>` is a check, and so is
/// [`agrees`](crate::agrees). Implement the trait for a check of whole blocks, such as one of a
/// vector kernel.
///
/// ```
/// use every_input::{Check, Fault, all, exhaustive};
///
/// /// Fills a slice with sums. The second half of the slice is computed by another loop.
/// fn add_seven(values: &[u16], sums: &mut Vec<u16>) {
///     let (left, right) = values.split_at(values.len() / 2);
///     sums.extend(left.iter().map(|value| value.wrapping_add(7)));
///     sums.extend(right.iter().map(|value| value.wrapping_add(8).wrapping_sub(1)));
/// }
///
/// struct AddsSeven;
///
/// impl Check<u16> for AddsSeven {
///     type Memory = Vec<u16>;
///
///     fn passes(&self, block: &[u16], sums: &mut Vec<u16>) -> bool {
///         sums.clear();
///         add_seven(block, sums);
///         block.iter().zip(&*sums).fold(true, |all, (value, sum)| all & (sum.wrapping_sub(*value) == 7))
///     }
///
///     fn explain(&self, value: &u16, sums: &mut Vec<u16>) -> Option<Fault> {
///         let passes = self.passes(&[*value], sums);
///         (!passes).then(|| Fault { expected: value.wrapping_add(7).to_string(), got: sums[0].to_string() })
///     }
/// }
///
/// exhaustive(all::<u16>()).check_with(AddsSeven);
/// ```
pub trait Check<I>: Sync {
    /// What each thread keeps from block to block, such as buffers.
    type Memory: Default;

    /// Returns whether all inputs of a block pass. A loop without an early exit can be vectorized.
    ///
    /// A block has up to [`MAX_BLOCK_LEN`](crate::MAX_BLOCK_LEN) inputs.
    fn passes(&self, block: &[I], memory: &mut Self::Memory) -> bool;

    /// Returns what is wrong with an input alone, or `None` if it passes. It is called for each
    /// input of a block that does not pass.
    fn explain(&self, input: &I, memory: &mut Self::Memory) -> Option<Fault>;

    /// Returns the greatest deviation from a reference in the block that was last given to
    /// [`passes`](Self::passes). The report has the worst one with its input. By default there is
    /// none.
    fn deviation(&self, memory: &Self::Memory) -> Option<f64> {
        let _ = memory;
        None
    }
}

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The expected result.
    pub expected: String,
    /// The actual result.
    pub got: String,
}

/// A result of a closure that is a [`Check`]: `bool`, or a `Result` whose error is the reason.
pub trait CheckResult {
    /// Returns whether the input passes.
    fn passes(&self) -> bool;
    /// Returns what is wrong, if the input does not pass.
    fn fault(self) -> Fault;
}

impl CheckResult for bool {
    #[inline(always)]
    fn passes(&self) -> bool {
        *self
    }

    fn fault(self) -> Fault {
        Fault { expected: "true".into(), got: self.to_string() }
    }
}

impl<E: Display> CheckResult for Result<(), E> {
    #[inline(always)]
    fn passes(&self) -> bool {
        self.is_ok()
    }

    fn fault(self) -> Fault {
        Fault { expected: "Ok".into(), got: self.map_or_else(|error| error.to_string(), |()| "Ok".into()) }
    }
}

impl<I: Clone, V: CheckResult, F: Fn(I) -> V + Sync> Check<I> for F {
    type Memory = ();

    #[inline(always)]
    fn passes(&self, block: &[I], (): &mut ()) -> bool {
        block.iter().fold(true, |all, input| all & self(input.clone()).passes())
    }

    fn explain(&self, input: &I, (): &mut ()) -> Option<Fault> {
        let result = self(input.clone());
        (!result.passes()).then(|| result.fault())
    }
}

/// A check with its name, on the inputs of a space.
pub(crate) struct FunctionSubject<'c, S, C> {
    pub(crate) name: &'c str,
    pub(crate) space: &'c S,
    pub(crate) check: &'c C,
}

impl<S: Space, C: Check<S::Item>> Subject for FunctionSubject<'_, S, C> {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn kernel(&self) -> Option<String> {
        None
    }

    fn space(&self) -> Arc<dyn DynSpace> {
        self.space.erased().space
    }

    fn noun(&self) -> Option<&'static str> {
        Some("function")
    }

    fn check(&self) -> Box<dyn BlockCheck + '_> {
        let space = self.space();
        Box::new(FunctionCheck {
            first: self.space.erased().first(),
            names: space,
            space: self.space,
            check: self.check,
            memory: C::Memory::default(),
            items: Vec::with_capacity(MAX_BLOCK_LEN),
            numbers: vec![0; MAX_BLOCK_LEN].into(),
            worst: f64::NEG_INFINITY,
        })
    }
}

/// The check of one thread.
struct FunctionCheck<'s, S: Space, C: Check<S::Item>> {
    space: &'s S,
    names: Arc<dyn DynSpace>,
    /// The number of the first input in reports.
    first: i128,
    check: &'s C,
    memory: C::Memory,
    items: Vec<S::Item>,
    /// The numbers of drawn inputs.
    numbers: Box<[u64]>,
    /// The greatest deviation so far.
    worst: f64,
}

impl<S: Space, C: Check<S::Item>> BlockCheck for FunctionCheck<'_, S, C> {
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>) {
        self.space.fill((first - self.first) as u64, count, &mut self.items);
        self.block(|at| first + at as i128, true, found);
    }

    fn drawn(&mut self, count: usize, _: &Stratum, draw: &mut Draw<'_>, found: &mut Found<'_>) {
        let (first, mut numbers) = (self.first, std::mem::take(&mut self.numbers));
        draw.fill_with(&mut numbers[..count], |number| (number - first) as u64);
        self.items.clear();
        self.items.extend(numbers[..count].iter().map(|&number| self.space.at(number)));
        self.block(|at| first + i128::from(numbers[at]), false, found);
        self.numbers = numbers;
    }
}

impl<S: Space, C: Check<S::Item>> FunctionCheck<'_, S, C> {
    /// Checks the block of items, whose numbers `number` returns.
    #[inline]
    fn block(&mut self, number: impl Fn(usize) -> i128, is_consecutive: bool, found: &mut Found<'_>) {
        let Self { check, items, memory, .. } = self;
        let passes = guarded(|| check.passes(items, memory)) == Ok(true);
        if let Some(deviation) = check.deviation(memory).filter(|&deviation| deviation > self.worst) {
            self.record_worst(deviation, &number, found);
        }
        if !passes {
            self.isolate(number, is_consecutive, found);
        }
    }

    /// Records the greatest deviation so far, and finds its input. This is rare.
    #[cold]
    fn record_worst(&mut self, deviation: f64, number: impl Fn(usize) -> i128, found: &mut Found<'_>) {
        let Self { check, items, memory, .. } = self;
        let mut deviates = |item: &S::Item| {
            let _ = guarded(|| check.passes(std::slice::from_ref(item), memory));
            check.deviation(memory) == Some(deviation)
        };
        let Some(at) = items.iter().position(&mut deviates) else { return };
        self.worst = deviation;
        let number = number(at);
        let worst = Worst { deviation, value: self.names.text(number), number };
        found.worst = Worst::greater(found.worst.take(), Some(worst));
    }

    /// Finds the failing inputs of the block.
    #[cold]
    fn isolate(&mut self, number: impl Fn(usize) -> i128, is_consecutive: bool, found: &mut Found<'_>) {
        let Self { check, items, memory, names, .. } = self;
        let before = found.failures;
        for (at, item) in items.iter().enumerate() {
            let (kind, fault) = match guarded(|| check.explain(item, memory)) {
                Ok(None) => continue,
                Ok(Some(fault)) => (FailureKind::WrongValue, fault),
                Err(got) => (FailureKind::Panic, Fault { expected: "a result".into(), got }),
            };
            let number = number(at);
            // The texts of a range are made once.
            if is_consecutive && found.extend(number, kind) {
                continue;
            }
            found.name_last(|number| names.text(number));
            let mut failure = Failure::new(names.text(number), kind, fault.expected, fault.got, 1);
            failure.numbers = Some(Interval { first: number, last: number });
            found.add(failure);
        }
        found.name_last(|number| names.text(number));
        if found.failures == before {
            let (value, expected) = (names.text(number(0)), "the same result alone and in a block".into());
            let got = "a failure in the block only".into();
            let mut failure = Failure::new(value, FailureKind::Unstable, expected, got, items.len());
            failure.numbers = Some(Interval { first: number(0), last: number(0) });
            found.add(failure);
        }
    }
}
