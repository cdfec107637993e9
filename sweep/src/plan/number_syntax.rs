//! The syntax of the command line: integers as decimal, hexadecimal, powers, exponents and with
//! suffixes, and ranges as `A..=B`, `A..B`, `A..`, `..=B` and `..B`.

use crate::plan::interval::Interval;

/// Parses an integer as people write it, or returns `None` if the text is not an integer.
///
/// The forms are decimal (`1_000_000`), hexadecimal (`0xff`), a power (`2^40`), an exponent
/// (`1e6`, `2.5e9`) and a decimal suffix (`10k`, `1.5M`, `3G`, `1T`). Each can have a minus sign,
/// and digits can be separated by `_`. A number beyond the limits of `i128` becomes the nearest
/// limit, which is outside every type that a sweep has.
///
/// ```
/// use every_input::parse_integer;
///
/// assert_eq!(parse_integer("0xff"), Some(255));
/// assert_eq!(parse_integer("-2^40"), Some(-1_099_511_627_776));
/// assert_eq!(parse_integer("1.5M"), Some(1_500_000));
/// assert_eq!(parse_integer("0.5"), None);
/// ```
pub fn parse_integer(text: &str) -> Option<i128> {
    match text.strip_prefix('-') {
        Some(magnitude) => Some(magnitude_of(magnitude)?.saturating_neg()),
        None => magnitude_of(text),
    }
}

fn magnitude_of(text: &str) -> Option<i128> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return digits_of(digits, 16);
    }
    if let Some((base, power)) = text.split_once('^') {
        let power = u32::try_from(digits_of(power, 10)?).unwrap_or(u32::MAX);
        return Some(digits_of(base, 10)?.saturating_pow(power));
    }
    if let Some((number, power)) = text.split_once(['e', 'E']) {
        return scaled(number, digits_of(power, 10)?);
    }
    let (number, power) = match text.char_indices().next_back()? {
        (at, 'k') => (&text[..at], 3),
        (at, 'M') => (&text[..at], 6),
        (at, 'G') => (&text[..at], 9),
        (at, 'T') => (&text[..at], 12),
        _ => (text, 0),
    };
    scaled(number, power)
}

/// Returns a decimal number times a power of ten, if that is an integer.
fn scaled(number: &str, power: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let whole = digits_of(whole, 10)?;
    let digits = digits_of(fraction, 10)?;
    let places = fraction.bytes().filter(u8::is_ascii_digit).count() as i128;
    let power_of_ten = |power: i128| 10i128.saturating_pow(u32::try_from(power).unwrap_or(u32::MAX));
    // The digits after the point need as many places of the exponent.
    let digits = match power - places {
        more @ 0.. => digits.saturating_mul(power_of_ten(more)),
        less => {
            let unit = power_of_ten(-less);
            (digits % unit == 0).then_some(digits / unit)?
        }
    };
    Some(whole.saturating_mul(power_of_ten(power)).saturating_add(digits))
}

/// Parses digits, which `_` can separate but not begin.
fn digits_of(text: &str, radix: u32) -> Option<i128> {
    if !text.chars().next()?.is_digit(radix) {
        return None;
    }
    text.chars().filter(|&c| c != '_').try_fold(0i128, |number, digit| {
        let digit = digit.to_digit(radix)?;
        Some(number.saturating_mul(radix.into()).saturating_add(digit.into()))
    })
}

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

    #[test]
    fn integers_are_parsed_in_every_form() {
        let cases = "0=0 -0=0 1_000_000=1000000 5_=5 007=7 0x7fff_FFFF=2147483647 -0x10=-16 0x1e6=486 2^0=1 \
            2^63=9223372036854775808 -2^63=-9223372036854775808 10^3=1000 1e0=1 1e6=1000000 -3E2=-300 \
            2.5e9=2500000000 1.50e1=15 10k=10000 10M=10000000 1.5G=1500000000 1T=1000000000000 7.0=7";
        for (text, number) in cases.split_whitespace().filter_map(|case| case.split_once('=')) {
            assert_eq!(parse_integer(text), number.parse().ok(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_integers() {
        let wrong = [
            "", "-", "--1", "+1", "_1", "0x", "0x_1", "0xg", "1.5", "1e", "e6", "1e-3", "1.25e1", "k", "1kk",
            "1K", "1m", "1.", ".5", "2^", "^2", "2^-1", "2^^2", "1,000", "1 000", "½", "١", "NaN", "MAX",
            "1e1.5", "0x1.8", "1.5^2",
        ];
        for text in wrong {
            assert_eq!(parse_integer(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_beyond_every_type_become_the_nearest_limit() {
        for text in
            ["1e50", "1e999999999999999999999", "2^200", "999999999999999999999999999999999999999999999"]
        {
            assert_eq!(parse_integer(text), Some(i128::MAX), "{text}");
            assert_eq!(parse_integer(&format!("-{text}")), Some(-i128::MAX), "{text}");
        }
        assert_eq!(parse_integer("0.1e50"), Some(i128::MAX));
    }

    fn resolve(text: &str, name: &str, limits: [i128; 2]) -> Result<(i128, i128), String> {
        let [first, last] = limits;
        Interval::parse(text, name, Interval { first, last }).map(|i| (i.first, i.last))
    }

    #[test]
    fn bounds_can_be_left_out() {
        let i8 = |text| resolve(text, "i8", [-128, 127]);
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
            assert_eq!(i8(text), Ok(bounds), "{text}");
        }
        assert!(i8("5..=").unwrap_err().contains("'' is not an integer"), "..= needs an end");
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
            let message = resolve(text, "u8", [0, 255]).unwrap_err();
            assert!(message.contains(problem), "{message}");
        }
        assert_eq!(resolve("0..256", "u8", [0, 255]), Ok((0, 255)));
    }
}
