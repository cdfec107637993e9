//! A value for which a codec failed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::plan::interval::Interval;

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
    /// A block failed, but passed when it was checked again, as did each of its values alone.
    Unstable,
}

impl FailureKind {
    pub(crate) fn is_breakdown(self) -> bool {
        matches!(self, Self::EncodeBreakdown | Self::DecodeBreakdown)
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
            Self::Unstable => "unstable result",
        })
    }
}

/// A value that failed, with the expected and the actual result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The value in decimal. For a breakdown in a call with several values, this is the first of
    /// them.
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
}

impl Failure {
    /// Returns the values within these limits with which the failure can be reproduced, or `None`
    /// if its value is not an integer within them.
    ///
    /// If a value fails only in a block, they are those of every block with this value, because the
    /// block's first value is unknown.
    pub(crate) fn reproducing_values(&self, limits: Interval) -> Option<Interval> {
        let value: i128 = self.value.parse().ok().filter(|&value| limits.contains(value))?;
        let margin = i128::try_from(self.block).ok()?.saturating_sub(1);
        let first = value.saturating_sub(margin).max(limits.first);
        Interval::new(first, value.saturating_add(margin).min(limits.last))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, kind, expected, got, block } = self;
        match *block {
            // Any of the values may have caused the breakdown, or none of them.
            2.. if kind.is_breakdown() => write!(f, "call with {block} values, the first {value}: ")?,
            _ => write!(f, "{value}: ")?,
        }
        write!(f, "{kind}: expected {expected}, got {got}")?;
        if *block > 1 && !kind.is_breakdown() {
            write!(f, " (only in a block of {block} values; alone it passes)")?;
        }
        Ok(())
    }
}
