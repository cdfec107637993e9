//! Ranges as people write them: `A..=B`, `A..B`, with `_`, MIN and MAX.

use std::fmt;
use std::str::FromStr;

use crate::plan::interval::Interval;

/// A range as written, before a type gives MIN and MAX their meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
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

/// A range that cannot be used: what was written, what is wrong with it, and the remedy.
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

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let (first, last, inclusive) = match (text.split_once("..="), text.split_once("..")) {
            (Some((first, last)), _) => (first, last, true),
            (None, Some((first, last))) => (first, last, false),
            (None, None) => {
                return Err(RangeError {
                    message: format!("'{text}' is not a range: write A..=B or A..B, such as -5..=5"),
                });
            }
        };
        let bound = |written: &str| {
            Bound::parse(written.trim()).ok_or_else(|| RangeError {
                message: format!(
                    "'{written}' in the range '{text}' is not a number: write decimal digits (with _ if you like), MIN or MAX"
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
                "{number} in the range '{text}' is outside {type_name}: stay within {least}..={greatest}, or choose a wider --type"
            ),
        })
    }
}

impl Range {
    /// The integers of that range in a type with these limits.
    ///
    /// # Errors
    ///
    /// A bound outside the type, or a range that holds nothing.
    pub fn within(&self, type_name: &str, limits: Interval) -> Result<Interval, RangeError> {
        let first = self.first.number(type_name, limits, &self.text)?;
        // An exclusive end may be one past the greatest value.
        let mut end_limits = limits;
        end_limits.last += i128::from(!self.inclusive);
        let end = match self.last {
            Bound::Max => limits.last,
            last => last.number(type_name, end_limits, &self.text)?,
        };
        let last = if self.inclusive { end } else { end - 1 };
        Interval::new(first, last).ok_or_else(|| RangeError {
            message: if first > end {
                format!("the range '{}' is reversed: write the smaller bound first", self.text)
            } else {
                format!("the range '{}' is empty: ..= includes its end", self.text)
            },
        })
    }
}
