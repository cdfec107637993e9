//! The syntax of ranges: `A..=B`, `A..B`, `A..`, `..=B` and `..B`.

use super::interval::Interval;
use super::number::Number;

impl Interval {
    /// Parses a range of a type: `A..=B` or `A..B`, where each bound is a number as in [`parse_integer`](crate::parse_integer),
    /// `MIN` or `MAX`. Without a bound, the range extends to the limit of the type, as in `A..`, `..=B`,
    /// `..B` and `..`.
    ///
    /// A bound of a range of floats can also be `0.5`, `-1e-3`, `2^-10`, `inf`, `nan`, or the bits as
    /// `0x3f800000`. `MIN` and `MAX` are finite. The limits of the type are NaN: floats are in the order
    /// of [`f32::total_cmp`].
    ///
    /// ```
    /// use every_input::Interval;
    ///
    /// assert_eq!(Interval::parse::<i8>("-5..").map(|range| (range.first, range.last)), Ok((-5, 127)));
    /// // The number of a float is that of its bits.
    /// assert_eq!(Interval::parse::<f32>("1.0..2.0").map(Interval::count), Ok(1 << 23));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a message that quotes the range and includes the remedy, if it is not written like this,
    /// if a bound is outside the limits, or if the range is empty.
    pub fn parse<T: Number>(text: &str) -> Result<Self, String> {
        let (type_name, limits) = (T::NAME, T::LIMITS);
        let (start, end, is_inclusive) = match (text.split_once("..="), text.split_once("..")) {
            (Some((start, end)), _) => (start.trim(), end.trim(), true),
            (None, Some((start, end))) => (start.trim(), end.trim(), false),
            (None, None) => {
                return Err(format!("'{text}' is not a range; write A..=B or A..B, such as -5..=5"));
            }
        };
        let bound = |name: &str, written: &str, max: i128| {
            let number = T::bound(written).ok_or_else(|| {
                format!("range '{text}': '{written}' is not {}, or write MIN or MAX", T::NOTATION)
            })?;
            let (relation, limit) = match number {
                _ if number < limits.first => ("less than the minimum", limits.first),
                _ if number > max => ("greater than the maximum", limits.last),
                _ => return Ok(number),
            };
            Err(format!(
                "range '{text}': {name} {written} is {relation} of {type_name}, {limit}; stay within the type, or choose a larger type"
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

    fn resolve<T: Number>(text: &str) -> Result<(i128, i128), String> {
        Interval::parse::<T>(text).map(|i| (i.first, i.last))
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
            assert_eq!(resolve::<i8>(text), Ok(bounds), "{text}");
        }
        assert!(resolve::<i8>("5..=").unwrap_err().contains("'' is not an integer"), "..= needs an end");
    }

    #[test]
    fn empty_and_reversed_ranges_and_values_outside_the_type_are_told_apart() {
        let cases = [
            ("0..300", "end 300 is greater than the maximum of u8, 255"),
            ("0..=256", "end 256 is greater than the maximum of u8, 255"),
            ("0..257", "end 257 is greater than the maximum of u8, 255"),
            ("1e50..", "start 1e50 is greater than the maximum of u8, 255"),
            ("-1..5", "start -1 is less than the minimum of u8, 0"),
            ("0..-1", "end -1 is less than the minimum of u8, 0"),
            ("5..5", "empty"),
            ("5..4", "reversed"),
            ("5..=4", "reversed"),
            ("0..0", "empty"),
            ("MIN..MIN", "empty"),
        ];
        for (text, problem) in cases {
            let message = resolve::<u8>(text).unwrap_err();
            assert!(message.contains(problem), "{message}");
        }
        assert_eq!(resolve::<u8>("0..256"), Ok((0, 255)));
    }
}
