//! A value for which a codec failed.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::check::panics::PANIC;
use crate::plan::byte_strings::text_of;
use crate::plan::interval::Interval;
use crate::plan::space::ErasedSpace;
use crate::texts::{bounded, grouped};

/// The kind of a [`Failure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// `encode` panicked.
    EncodePanic,
    /// `encode` returned an error.
    EncodeError,
    /// `encode` returned a [`Breakdown`](crate::Breakdown).
    EncodeBreakdown,
    /// `encode` wrote bytes that differ from the oracle's.
    WrongBytes,
    /// `decode` panicked.
    DecodePanic,
    /// `decode` returned an error.
    DecodeError,
    /// `decode` returned a [`Breakdown`](crate::Breakdown).
    DecodeBreakdown,
    /// `decode` read a different number of bytes than `encode` wrote.
    WrongLength,
    /// `decode` returned a different value.
    WrongValue,
    /// The check or its function panicked.
    Panic,
    /// The check returned a [`Breakdown`](crate::Breakdown).
    Breakdown,
    /// A decoder and the reference decoder disagree about a byte string.
    Disagreement,
    /// The values of a call failed, but passed when they were checked again.
    NotReproducible,
}

impl FailureKind {
    pub(crate) fn is_breakdown(self) -> bool {
        matches!(self, Self::EncodeBreakdown | Self::DecodeBreakdown | Self::Breakdown)
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EncodePanic => "encode panicked",
            Self::EncodeError => "encode returned an error",
            Self::EncodeBreakdown => "encode broke down",
            Self::WrongBytes => "wrong bytes",
            Self::DecodePanic => "decode panicked",
            Self::DecodeError => "decode returned an error",
            Self::DecodeBreakdown => "decode broke down",
            Self::WrongLength => "wrong length",
            Self::WrongValue => "wrong value",
            Self::Panic => "panicked",
            Self::Breakdown => "broke down",
            Self::Disagreement => "disagreement",
            Self::NotReproducible => "not reproducible",
        })
    }
}

/// A value that failed, with the expected and the actual result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The value in decimal. For a breakdown in a call with several values, or if the failure is not
    /// reproducible, this is the first of them.
    pub value: String,
    /// The kind of failure.
    pub kind: FailureKind,
    /// The expected bytes in hex, value or length.
    pub expected: String,
    /// The actual bytes in hex, value or length, or the message of an error or panic.
    pub got: String,
    /// The number of values in the failing call: 1 if the value fails alone, more if it fails only
    /// in a block.
    pub block: usize,
    /// What failed on the input and how, if the sweep checks several things on each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The last of several neighbours that fail in the same way, of which `value` is the first. A sample
    /// and a sweep that ended early may not have checked those before and after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The numbers of these inputs in their space, if they are known. That of an integer is its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) numbers: Option<Interval>,
}

impl Failure {
    /// Creates a failure of one input, or of a call with `block` inputs, of which it names one.
    pub(crate) fn new(value: String, kind: FailureKind, expected: String, got: String, block: usize) -> Self {
        Self { value, kind, expected, got, block, context: None, last: None, numbers: None }
    }

    /// Returns the inputs with which the failure can be reproduced, or `None` if its value is not
    /// one of the space.
    ///
    /// If a value fails only in a block, they are those of every block with this value, because the
    /// block's first value is unknown.
    pub(crate) fn reproducing_inputs(&self, space: &ErasedSpace) -> Option<Interval> {
        let (Interval { first, last }, limits) = (self.inputs_in(space)?, space.limits);
        let margin = i128::try_from(self.block).ok()?.saturating_sub(1);
        let first = first.saturating_sub(margin).max(limits.first);
        Interval::new(first, last.saturating_add(margin).min(limits.last))
    }

    /// Returns the numbers of the inputs that fail, or `None` if they are not of the space.
    pub(crate) fn inputs_in(&self, space: &ErasedSpace) -> Option<Interval> {
        self.numbers.or_else(|| self.inputs_by_texts(space))
    }

    /// Returns the numbers of the inputs with these texts, or `None` if they are not of the space.
    pub(crate) fn inputs_by_texts(&self, space: &ErasedSpace) -> Option<Interval> {
        let first = space.number(&self.value)?;
        let last = self.last.as_ref().map_or(Some(first), |last| space.number(last))?;
        Interval::new(first, last)
    }

    /// Returns whether this is the failure of inputs alone, which can join its neighbours. A breakdown
    /// cannot: each of them may cost a timeout, so it counts as a failure of its own.
    pub(crate) fn can_join(&self) -> bool {
        self.block == 1 && self.kind != FailureKind::Disagreement && !self.kind.is_breakdown()
    }

    pub(crate) fn number(&mut self, space: &ErasedSpace) {
        self.numbers = self.inputs_in(space);
    }

    /// Cuts texts that are too long. Those of the inputs are cut by their space.
    pub(crate) fn cut_texts(&mut self) {
        for text in [&mut self.expected, &mut self.got].into_iter().chain(&mut self.context) {
            *text = bounded(std::mem::take(text));
        }
    }

    /// Returns the number of inputs that fail.
    pub fn inputs(&self) -> u64 {
        self.numbers.map_or(1, |numbers| u64::try_from(numbers.count()).unwrap_or(u64::MAX))
    }

    /// Adds the next input if it fails alike, without its text. Returns whether it does.
    pub(crate) fn extend(&mut self, number: i128, kind: FailureKind) -> bool {
        let is_alike = self.kind == kind && self.context.is_none() && self.block == 1;
        let next = self.numbers.as_mut().filter(|numbers| is_alike && numbers.last + 1 == number);
        next.map(|numbers| numbers.last = number).is_some()
    }

    pub(crate) fn name_last(&mut self, text: impl FnOnce(i128) -> String) {
        if let Some(numbers) = self.numbers.filter(|numbers| numbers.count() > 1) {
            self.last = Some(text(numbers.last));
        }
    }

    /// Returns whether all inputs of another failure fail here too.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let numbers = self.numbers.zip(other.numbers);
        numbers.is_some_and(|(own, other)| own.contains(other.first) && own.contains(other.last))
            || self.value == other.value
    }

    /// Adds a failure to this one if it is that of the next inputs and of the same kind. Returns
    /// whether it is.
    pub(crate) fn join(&mut self, next: &Self) -> bool {
        let is_next = self.is_before(next);
        if let Some((own, next_numbers)) = self.numbers.as_mut().zip(next.numbers).filter(|_| is_next) {
            own.last = next_numbers.last;
            self.last = Some(next.last.clone().unwrap_or_else(|| next.value.clone()));
        }
        is_next
    }

    /// Returns whether another failure is that of the next inputs and of the same kind.
    pub(crate) fn is_before(&self, next: &Self) -> bool {
        self.can_join()
            && (self.kind, &self.context, self.block) == (next.kind, &next.context, next.block)
            && self.numbers.zip(next.numbers).is_some_and(|(own, next)| own.last + 1 == next.first)
    }

    /// Compares the places in the order of the inputs, where neighbours that can join are one after the
    /// other. Failures without numbers are the last ones, with short texts first.
    pub(crate) fn cmp_place(&self, other: &Self) -> Ordering {
        let place = |of: &Self| (of.numbers.is_none(), of.numbers.map(|own| own.first), !of.can_join());
        place(self).cmp(&place(other)).then_with(|| match self.numbers {
            Some(_) => Ordering::Equal,
            None => {
                let lens = self.value.len().cmp(&other.value.len());
                lens.then_with(|| (&self.value, &self.context).cmp(&(&other.value, &other.context)))
            }
        })
    }
}

/// Sorts failures by the numbers of their inputs, and joins neighbours.
pub(crate) fn in_order(mut failures: Vec<Failure>) -> Vec<Failure> {
    failures.sort_by(Failure::cmp_place);
    failures.dedup_by(|next, last| last.join(next));
    failures
}

/// Returns the number of failures, where neighbours are one.
pub(crate) fn count_ranges(mut failures: Vec<&Failure>) -> u64 {
    failures.sort_by(|one, other| one.cmp_place(other));
    let joints = failures.windows(2).filter(|pair| pair[0].is_before(pair[1])).count();
    (failures.len() - joints) as u64
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |input| input.to_owned())
    }
}

/// A failure of a function of byte strings. Those that are text are shown as text too.
pub(crate) struct OfByteStrings<'f>(pub(crate) &'f Failure);

impl fmt::Display for OfByteStrings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, |hex| match text_of(hex) {
            Some(text) => format!("{hex} {text:?}"),
            None => hex.to_owned(),
        })
    }
}

impl Failure {
    /// Writes the failure, with the inputs as `shown`.
    fn write(&self, f: &mut fmt::Formatter<'_>, shown: impl Fn(&str) -> String) -> fmt::Result {
        let Self { kind, expected, got, block, context, last, .. } = self;
        let (value, last) = (shown(&self.value), last.as_deref().map(shown));
        let is_of_call = kind.is_breakdown() || *kind == FailureKind::NotReproducible;
        match (*block, &last) {
            // Any of the values may have caused it, or none of them.
            (2.., _) if is_of_call => write!(f, "call with {block} values, the first {value}: ")?,
            (_, Some(last)) => write!(f, "{value}..={last} ({} inputs): ", grouped(self.inputs().into()))?,
            _ if value.is_empty() => write!(f, "(no bytes): ")?,
            _ => write!(f, "{value}: ")?,
        }
        if let Some(context) = context {
            write!(f, "{context}: ")?;
        }
        match kind {
            // What was expected says no more than the value.
            FailureKind::EncodePanic | FailureKind::DecodePanic | FailureKind::Panic => {
                write!(f, "{kind}: {}", got.strip_prefix(PANIC).unwrap_or(got))?;
            }
            _ => write!(f, "{kind}: expected {expected}, got {got}")?,
        }
        if last.is_some() {
            write!(f, " for the first")?;
        }
        if *block > 1 && !is_of_call {
            write!(f, " (only in a block of {block} values; alone it passes)")?;
        }
        Ok(())
    }
}
