//! The syntax of ranges: `A..=B`, `A..B`, `A..`, `..=B` and `..B`.

use std::str::FromStr;

use crate::plan::interval::Interval;
use crate::plan::number_syntax::parse_integer;

/// A parsed range, which [`resolve`](Self::resolve) turns into an [`Interval`] of a type.
///
/// `FromStr` parses `A..=B` and `A..B`, where each bound is a number as in
/// [`parse_integer`](crate::parse_integer), `MIN` or `MAX`. Without a bound, the range extends to
/// the limit of the type, as in `A..`, `..=B`, `..B` and `..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeSpec {
    text: String,
    start: Bound,
    end: Bound,
    inclusive: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Bound {
    Min,
    Max,
    /// A number, and its text for messages.
    Number(i128, String),
}

impl FromStr for RangeSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (start, end, inclusive) = match (text.split_once("..="), text.split_once("..")) {
            (Some((start, end)), _) => (start, end, true),
            (None, Some((start, end))) => (start, end, false),
            (None, None) => {
                return Err(format!("'{text}' is not a range; write A..=B or A..B, such as -5..=5"));
            }
        };
        let bound = |written: &str| {
            Bound::parse(written.trim()).ok_or_else(|| {
                format!(
                    "range '{text}': '{written}' is not an integer; write it as 1000, 1_000, 0x3e8, 1e3, 1k or 2^10, or write MIN or MAX"
                )
            })
        };
        let start = if start.trim().is_empty() { Bound::Min } else { bound(start)? };
        let end = if end.trim().is_empty() && !inclusive { None } else { Some(bound(end)?) };
        // Without an end, the range includes the maximum.
        let inclusive = inclusive || end.is_none();
        Ok(Self { start, end: end.unwrap_or(Bound::Max), inclusive, text: text.to_owned() })
    }
}

impl Bound {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "MIN" => Some(Self::Min),
            "MAX" => Some(Self::Max),
            _ => parse_integer(text).map(|number| Self::Number(number, text.to_owned())),
        }
    }

    /// Returns the integer, which must not be outside `limits`. `name` is that of the bound.
    fn within(&self, limits: Interval, name: &str, type_name: &str) -> Result<i128, String> {
        let (number, text) = match self {
            Self::Min => return Ok(limits.first),
            Self::Max => return Ok(limits.last),
            Self::Number(number, text) => (*number, text),
        };
        if number < limits.first {
            let first = limits.first;
            Err(format!("{name} {text} is less than the minimum of {type_name}, {first}"))
        } else if number > limits.last {
            let last = limits.last;
            Err(format!("{name} {text} is greater than the maximum of {type_name}, {last}"))
        } else {
            Ok(number)
        }
    }
}

impl RangeSpec {
    /// Returns the integers of the range in a type with this name and these limits.
    ///
    /// # Errors
    ///
    /// Returns a message that quotes the range and includes the remedy, if a bound is outside the
    /// limits, or if the range is empty.
    pub fn resolve(&self, type_name: &str, limits: Interval) -> Result<Interval, String> {
        let text = &self.text;
        let outside = |problem: String| {
            format!("range '{text}': {problem}; stay within the type, or choose a larger --type")
        };
        let first = self.start.within(limits, "start", type_name).map_err(outside)?;
        let last = match (&self.end, self.inclusive) {
            (end, true) => end.within(limits, "end", type_name).map_err(outside)?,
            // An exclusive end may be one greater than the maximum.
            (&Bound::Number(end, _), false) if end == limits.last + 1 => limits.last,
            (end, false) => end.within(limits, "end", type_name).map_err(outside)? - 1,
        };
        Interval::new(first, last).ok_or_else(|| {
            if first > last + i128::from(!self.inclusive) {
                format!("range '{text}' is reversed; write the smaller bound first")
            } else {
                format!("range '{text}' is empty; use ..= to include the end")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const U8: Interval = Interval { first: 0, last: 255 };
    const I8: Interval = Interval { first: -128, last: 127 };

    fn resolve(text: &str, name: &str, limits: Interval) -> Result<(i128, i128), String> {
        text.parse::<RangeSpec>()?.resolve(name, limits).map(|i| (i.first, i.last))
    }

    #[test]
    fn bounds_can_be_left_out() {
        let cases = [
            ("5..", (5, 127)),
            ("..=5", (-128, 5)),
            ("..5", (-128, 4)),
            ("..", (-128, 127)),
            ("-0x10..=2^4", (-16, 16)),
            ("MIN..MAX", (-128, 126)),
            ("0..1e2", (0, 99)),
            ("-128..128", (-128, 127)),
        ];
        for (text, bounds) in cases {
            assert_eq!(resolve(text, "i8", I8), Ok(bounds), "{text}");
        }
        assert!(resolve("5..=", "i8", I8).unwrap_err().contains("'' is not an integer"), "..= needs an end");
    }

    #[test]
    fn values_outside_the_type_are_named_with_its_limit() {
        let cases = [
            ("0..300", "end 300 is greater than the maximum of u8, 255"),
            ("0..=256", "end 256 is greater than the maximum of u8, 255"),
            ("0..257", "end 257 is greater than the maximum of u8, 255"),
            ("1e50..", "start 1e50 is greater than the maximum of u8, 255"),
            ("-1..5", "start -1 is less than the minimum of u8, 0"),
            ("0..-1", "end -1 is less than the minimum of u8, 0"),
        ];
        for (text, problem) in cases {
            let message = resolve(text, "u8", U8).unwrap_err();
            assert!(message.contains(problem), "{message}");
        }
        assert_eq!(resolve("0..256", "u8", U8), Ok((0, 255)));
    }

    #[test]
    fn reversed_and_empty_ranges_are_told_apart() {
        for (text, problem) in [
            ("5..5", "empty"),
            ("5..4", "reversed"),
            ("5..=4", "reversed"),
            ("0..0", "empty"),
            ("MIN..MIN", "empty"),
        ] {
            assert!(resolve(text, "u8", U8).unwrap_err().contains(problem), "{text}");
        }
    }
}
