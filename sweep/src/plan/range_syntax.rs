//! The syntax of ranges: `A..=B` or `A..B`, with `_` in numbers, `MIN` and `MAX`.

use std::fmt;
use std::str::FromStr;

use crate::plan::interval::Interval;

/// A parsed range, which [`resolve`](Self::resolve) turns into an [`Interval`] of a type.
///
/// `FromStr` parses `A..=B` and `A..B`, where each bound is a decimal number, `MIN` or `MAX`.
/// Numbers may contain `_` after the first digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeSpec {
    text: String,
    first: Bound,
    last: Bound,
    inclusive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Min,
    Max,
    Number(i128),
}

/// The error for a range that is malformed, empty or outside its type.
///
/// The message quotes the range and includes the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeError {
    message: String,
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RangeError {}

impl FromStr for RangeSpec {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let (first, last, inclusive) = match (text.split_once("..="), text.split_once("..")) {
            (Some((first, last)), _) => (first, last, true),
            (None, Some((first, last))) => (first, last, false),
            (None, None) => {
                return Err(RangeError {
                    message: format!("'{text}' is not a range; write A..=B or A..B, such as -5..=5"),
                });
            }
        };
        let bound = |written: &str| {
            Bound::parse(written.trim()).ok_or_else(|| RangeError {
                message: format!(
                    "range '{text}': '{written}' is not a number; write decimal digits (with optional _), MIN or MAX"
                ),
            })
        };
        Ok(Self { first: bound(first)?, last: bound(last)?, inclusive, text: text.to_owned() })
    }
}

impl Bound {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "MIN" => Some(Self::Min),
            "MAX" => Some(Self::Max),
            _ if text.starts_with('_') => None,
            _ => text.replace('_', "").parse().ok().map(Self::Number),
        }
    }

    fn number(self, type_name: &str, limits: Interval, text: &str) -> Result<i128, RangeError> {
        let number = match self {
            Self::Min => limits.first,
            Self::Max => limits.last,
            Self::Number(number) => number,
        };
        if (limits.first..=limits.last).contains(&number) {
            return Ok(number);
        }
        let (least, greatest) = (limits.first, limits.last);
        Err(RangeError {
            message: format!(
                "range '{text}': {number} is outside {type_name}; use {least}..={greatest}, or choose a larger --type"
            ),
        })
    }
}

impl RangeSpec {
    /// Returns the integers of the range in a type with this name and these limits.
    ///
    /// # Errors
    ///
    /// Returns an error if a bound is outside the limits, or if the range is empty.
    pub fn resolve(&self, type_name: &str, limits: Interval) -> Result<Interval, RangeError> {
        let first = self.first.number(type_name, limits, &self.text)?;
        // An exclusive end may be one greater than the maximum.
        let mut end_limits = limits;
        end_limits.last += i128::from(!self.inclusive);
        let end = match self.last {
            Bound::Max => limits.last,
            last => last.number(type_name, end_limits, &self.text)?,
        };
        let last = if self.inclusive { end } else { end - 1 };
        Interval::new(first, last).ok_or_else(|| RangeError {
            message: if first > end {
                format!("range '{}' is reversed; write the smaller bound first", self.text)
            } else {
                format!("range '{}' is empty; use ..= to include the end", self.text)
            },
        })
    }
}
