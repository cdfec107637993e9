//! The syntax of integers on the command line: decimal, hexadecimal, powers, exponents and suffixes.

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
}
