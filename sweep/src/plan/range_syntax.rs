//! The syntax of ranges: `A..=B`, `A..B`, `A..`, `..=B` and `..B`.

use crate::plan::interval::Interval;
use crate::plan::number_syntax::parse_integer;

impl Interval {
    /// Parses a range of a type with this name and these limits: `A..=B` or `A..B`, where each bound is
    /// a number as in [`parse_integer`], `MIN` or `MAX`. Without a bound, the range extends to the
    /// limit of the type, as in `A..`, `..=B`, `..B` and `..`.
    ///
    /// # Errors
    ///
    /// Returns a message that quotes the range and includes the remedy, if it is not written like this,
    /// if a bound is outside the limits, or if the range is empty.
    pub fn parse(text: &str, type_name: &str, limits: Self) -> Result<Self, String> {
        let (start, end, is_inclusive) = match (text.split_once("..="), text.split_once("..")) {
            (Some((start, end)), _) => (start.trim(), end.trim(), true),
            (None, Some((start, end))) => (start.trim(), end.trim(), false),
            (None, None) => {
                return Err(format!("'{text}' is not a range; write A..=B or A..B, such as -5..=5"));
            }
        };
        let bound = |name: &str, written: &str, max: i128| {
            let number = match written {
                "MIN" => limits.first,
                "MAX" => limits.last,
                _ => parse_integer(written).ok_or_else(|| {
                    format!(
                        "range '{text}': '{written}' is not an integer; write it as 1000, 1_000, 0x3e8, 1e3, 1k or 2^10, or write MIN or MAX"
                    )
                })?,
            };
            let (relation, limit) = match number {
                _ if number < limits.first => ("less than the minimum", limits.first),
                _ if number > max => ("greater than the maximum", limits.last),
                _ => return Ok(number),
            };
            Err(format!(
                "range '{text}': {name} {written} is {relation} of {type_name}, {limit}; stay within the type, or choose a larger --type"
            ))
        };
        let first = if start.is_empty() { limits.first } else { bound("start", start, limits.last)? };
        let last = match end {
            "" if !is_inclusive => limits.last,
            _ if is_inclusive => bound("end", end, limits.last)?,
            // An exclusive end may be one greater than the maximum.
            _ => bound("end", end, limits.last.saturating_add(1))? - 1,
        };
        Self::new(first, last).ok_or_else(|| {
            if first > last + i128::from(!is_inclusive) {
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
        Interval::parse(text, name, limits).map(|i| (i.first, i.last))
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
