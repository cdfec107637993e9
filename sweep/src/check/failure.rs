//! A value that a codec gets wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// `encode` panicked.
    EncodePanic,
    /// `encode` returned an error.
    EncodeError,
    /// `encode` gave no answer: a [`Breakdown`](crate::Breakdown).
    EncodeBreakdown,
    /// `encode` wrote other bytes than the oracle.
    WrongBytes,
    /// `decode` panicked.
    DecodePanic,
    /// `decode` returned an error.
    DecodeError,
    /// `decode` gave no answer: a [`Breakdown`](crate::Breakdown).
    DecodeBreakdown,
    /// `decode` used another number of bytes than `encode`.
    WrongLength,
    /// `decode` returned another value.
    WrongValue,
    /// A block failed once; neither its values nor the block did so again.
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
            Self::EncodeError => "encode refused",
            Self::EncodeBreakdown => "encode broke down",
            Self::WrongBytes => "wrong bytes",
            Self::DecodePanic => "decode panicked",
            Self::DecodeError => "decode refused",
            Self::DecodeBreakdown => "decode broke down",
            Self::WrongLength => "wrong length",
            Self::WrongValue => "wrong value",
            Self::Unstable => "failed once only",
        })
    }
}

/// A value that failed, with what was expected and what came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The value, in decimal.
    pub value: String,
    /// What went wrong.
    pub kind: FailureKind,
    /// The bytes in hex, the value or the length that should have come.
    pub expected: String,
    /// What came instead: likewise, or an error's or panic's message.
    pub got: String,
    /// Values in the call that showed it: 1 where the value fails alone, more where it fails only among others.
    pub block: usize,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, kind, expected, got, block } = self;
        write!(f, "{value}: {kind}: expected {expected}, got {got}")?;
        if *block > 1 && !kind.is_breakdown() {
            write!(f, " (alone it passes; in a block of {block} values it does not)")?;
        }
        Ok(())
    }
}
