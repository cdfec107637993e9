//! The trait of checks: the property that each input of a space must have.

use std::fmt::Display;
use std::ops::Deref;

use crate::check::codec::Breakdown;
use crate::check::failure::FailureKind;
use crate::check::losses::Losses;

/// The maximum number of inputs in a block. The values, bytes and results of such a block of a codec
/// fit into the first-level cache.
pub(crate) const MAX_BLOCK_LEN: usize = 1024;

/// A property that each input of a [`Space`](crate::Space) must have.
///
/// A closure that returns `bool` or `Result<(), E>` is a check, and so are
/// [`agrees`](crate::agrees) and [`RoundTrip`](crate::RoundTrip). Implement the trait for a check of
/// whole blocks, such as one of a vector kernel. If a call panics, its inputs fail.
///
/// ```
/// use every_input::{Block, Breakdown, Check, Fault, all, exhaustive};
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
///     fn passes(&self, block: &Block<'_, u16>, sums: &mut Vec<u16>) -> Result<bool, Breakdown> {
///         sums.clear();
///         add_seven(block, sums);
///         Ok(block.iter().zip(&*sums).fold(true, |all, (value, sum)| all & (sum.wrapping_sub(*value) == 7)))
///     }
///
///     fn explain(&self, values: &[u16], sums: &mut Vec<u16>) -> Result<Option<Fault>, Breakdown> {
///         sums.clear();
///         add_seven(values, sums);
///         let wrong = values.iter().zip(&*sums).position(|(value, sum)| *sum != value.wrapping_add(7));
///         Ok(wrong.map(|at| Fault::new(values[at].wrapping_add(7).to_string(), sums[at].to_string()).at(at)))
///     }
/// }
///
/// exhaustive(all::<u16>()).check_with(AddsSeven);
/// ```
pub trait Check<I>: Sync {
    /// What each thread keeps from block to block, such as buffers.
    type Memory: Default;

    /// Whether an input fails exactly if [`passes`](Self::passes) is false for it alone, always as a
    /// wrong value or by a panic. Then ranges of failing neighbours are found faster.
    #[doc(hidden)]
    const IS_PLAIN: bool = false;

    /// Returns whether all inputs of a block pass. A loop without an early exit can be vectorized.
    ///
    /// By default it explains the block.
    ///
    /// # Errors
    ///
    /// Returns a breakdown if what is checked does not answer at all.
    fn passes(&self, block: &Block<'_, I>, memory: &mut Self::Memory) -> Result<bool, Breakdown> {
        Ok(self.explain(block, memory)?.is_none())
    }

    /// Returns the first fault of these inputs in one call, or `None` if they pass.
    ///
    /// It is called for each input alone of a block that does not pass; then for the whole block if
    /// each of them passes.
    ///
    /// # Errors
    ///
    /// Returns a breakdown as [`passes`](Self::passes) does.
    fn explain(&self, inputs: &[I], memory: &mut Self::Memory) -> Result<Option<Fault>, Breakdown>;

    /// Returns the greatest deviation from a reference in the block that was last given to
    /// [`passes`](Self::passes). The report has the worst one with its input. By default there is
    /// none.
    fn deviation(&self, memory: &Self::Memory) -> Option<f64> {
        let _ = memory;
        None
    }

    /// Returns the deviation of each input of that block, if they are known. Otherwise each input is
    /// checked alone to find the worst one.
    #[doc(hidden)]
    fn deviations<'m>(&self, memory: &'m Self::Memory) -> Option<&'m [f64]> {
        let _ = memory;
        None
    }

    /// Returns the name of the kernel for the report, if what is checked has several.
    fn kernel(&self) -> Option<&str> {
        None
    }

    /// Returns the name of the wire format for the report, if a codec is checked.
    fn wire(&self) -> Option<&str> {
        None
    }

    /// Returns what is checked, for the report.
    fn noun(&self) -> &'static str {
        "function"
    }

    /// Returns whether each call is a message to another process or machine. Then a sweep with a
    /// limit of failures ends after 4,096 failing inputs, not after 2^20.
    fn is_remote(&self) -> bool {
        false
    }

    /// Returns the lost children of each command, if there are any. They end a sweep with a limit of
    /// failures.
    #[doc(hidden)]
    fn losses(&self) -> Vec<&Losses> {
        Vec::new()
    }
}

/// Inputs to check in one call, at most 1,024, and what is known about them.
#[derive(Clone, Copy, Debug)]
pub struct Block<'b, I> {
    inputs: &'b [I],
    pub(crate) origin: Origin,
}

/// Where the inputs of a [`Block`] are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Consecutive inputs of the space, of which the first has this number.
    Consecutive(u64),
    /// Draws from one class of the space.
    Drawn,
    /// Any inputs.
    Other,
}

impl<'b, I> Block<'b, I> {
    pub(crate) fn new(inputs: &'b [I], origin: Origin) -> Self {
        Self { inputs, origin }
    }

    /// Returns the number of the first input if they are consecutive inputs of the space. Then a check
    /// may be faster.
    pub fn consecutive_from(&self) -> Option<u64> {
        if let Origin::Consecutive(first) = self.origin { Some(first) } else { None }
    }
}

impl<I> Deref for Block<'_, I> {
    type Target = [I];

    #[inline(always)]
    fn deref(&self) -> &[I] {
        self.inputs
    }
}

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(crate) kind: FailureKind,
    /// The index of the input in its call.
    pub(crate) at: usize,
    /// The expected result.
    pub expected: String,
    /// The actual result.
    pub got: String,
}

impl Fault {
    /// Creates the fault of a wrong result, for the first input of the call.
    pub fn new(expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self { kind: FailureKind::WrongValue, at: 0, expected: expected.into(), got: got.into() }
    }

    /// Creates the fault of a result that differs from the expected one, even if both have the same text,
    /// as NaN has.
    pub(crate) fn unequal(expected: String, mut got: String) -> Self {
        if got == expected {
            got += ", which is not equal to it";
        }
        Self::new(expected, got)
    }

    /// Sets the index of the input among those of the call.
    pub fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// Sets the kind of failure. Neighbours that fail alike are one range.
    pub fn kind(self, kind: FailureKind) -> Self {
        Self { kind, ..self }
    }
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
        Fault::new("true", self.to_string())
    }
}

impl<E: Display> CheckResult for Result<(), E> {
    #[inline(always)]
    fn passes(&self) -> bool {
        self.is_ok()
    }

    fn fault(self) -> Fault {
        Fault::new("Ok", self.map_or_else(|error| error.to_string(), |()| "Ok".into()))
    }
}

impl<I: Clone, V: CheckResult, F: Fn(I) -> V + Sync> Check<I> for F {
    type Memory = ();

    const IS_PLAIN: bool = true;

    #[inline(always)]
    fn passes(&self, block: &Block<'_, I>, (): &mut ()) -> Result<bool, Breakdown> {
        Ok(block.iter().fold(true, |all, input| all & self(input.clone()).passes()))
    }

    fn explain(&self, inputs: &[I], (): &mut ()) -> Result<Option<Fault>, Breakdown> {
        let fault = |(at, input): (usize, &I)| {
            let result = self(input.clone());
            (!result.passes()).then(|| result.fault().at(at))
        };
        Ok(inputs.iter().enumerate().find_map(fault))
    }
}
