//! Formats values with units as pprof does: `1.50s`, `512kB`, `33.33%`.

use crate::names::printable;

/// The units of one quantity.
struct Family {
    /// The names in ascending order, each with other spellings and its factor.
    units: &'static [Unit],
    /// The unit if no other fits, as for zero.
    default: (&'static str, f64),
}

type Unit = (&'static str, &'static [&'static str], f64);

const FAMILIES: [Family; 3] = [
    Family {
        units: &[
            ("B", &["b", "byte"], 1.0),
            ("kB", &["kb", "kbyte", "kilobyte"], (1u64 << 10) as f64),
            ("MB", &["mb", "mbyte", "megabyte"], (1u64 << 20) as f64),
            ("GB", &["gb", "gbyte", "gigabyte"], (1u64 << 30) as f64),
            ("TB", &["tb", "tbyte", "terabyte"], (1u64 << 40) as f64),
            ("PB", &["pb", "pbyte", "petabyte"], (1u64 << 50) as f64),
        ],
        default: ("B", 1.0),
    },
    Family {
        units: &[
            ("ns", &["ns", "nanosecond"], 1.0),
            ("us", &["μs", "us", "microsecond"], 1e3),
            ("ms", &["ms", "millisecond"], 1e6),
            ("s", &["s", "sec", "second"], 1e9),
            ("hrs", &["hour", "hr"], 3600e9),
        ],
        default: ("s", 1e9),
    },
    // Google's units of CPU time
    Family {
        units: &[
            ("n*GCU", &["nanogcu"], 1e-9),
            ("u*GCU", &["microgcu"], 1e-6),
            ("m*GCU", &["milligcu"], 1e-3),
            ("GCU", &["gcu"], 1.0),
            ("k*GCU", &["kilogcu"], 1e3),
            ("M*GCU", &["megagcu"], 1e6),
            ("G*GCU", &["gigagcu"], 1e9),
            ("T*GCU", &["teragcu"], 1e12),
            ("P*GCU", &["petagcu"], 1e15),
        ],
        default: ("GCU", 1.0),
    },
];

/// Requests the largest unit in which the value is at least 1.
pub(super) const AUTO: &str = "auto";

impl Family {
    fn find(&self, name: &str) -> Option<&Unit> {
        let name = name.to_lowercase();
        let singular = if name.len() > 2 { name.strip_suffix('s').unwrap_or(&name) } else { &name };
        self.units.iter().find(|(_, aliases, _)| aliases.contains(&singular))
    }

    fn convert(&self, value: f64, to: &str) -> (f64, &'static str) {
        let found = match to {
            AUTO => self.units.iter().rfind(|(.., factor)| value / factor >= 1.0),
            _ => self.find(to),
        };
        let (name, factor) = found.map_or(self.default, |&(name, _, factor)| (name, factor));
        (value / factor, name)
    }
}

/// Converts `value` from one unit to another, and returns it with the name of its unit. The name is
/// empty for counts.
pub(super) fn scale<'u>(value: i64, from: &str, to: &'u str) -> (f64, &'u str) {
    let (size, sign) = (value.unsigned_abs() as f64, if value < 0 { -1.0 } else { 1.0 });
    for family in &FAMILIES {
        if let Some((.., factor)) = family.find(from) {
            let (size, name) = family.convert(size * factor, to);
            return (sign * size, name);
        }
    }
    match to {
        "count" | "sample" | "unit" | AUTO => (sign * size, ""),
        _ => (sign * size, to),
    }
}

/// Returns whether values of one unit can be converted to the other.
pub(super) fn is_convertible(unit: &str, other: &str) -> bool {
    unit == other || FAMILIES.iter().any(|family| [unit, other].iter().all(|it| family.find(it).is_some()))
}

/// Formats `value` in the unit `to` with at most two decimals.
pub(super) fn label(value: i64, from: &str, to: &str) -> String {
    let (value, unit) = scale(value, from, to);
    let number = format!("{value:.2}");
    match number.strip_suffix(".00").unwrap_or(&number) {
        "0" | "-0" => "0".into(),
        number => format!("{number}{}", printable(unit)),
    }
}

/// Returns the unit of all values in a table: the unit of the smallest value or, if that is less
/// than a hundredth of the largest, of a hundred times the smallest value.
pub(super) fn common_unit(smallest: i64, largest: i64, from: &str) -> &str {
    let (_, low) = scale(smallest, from, AUTO);
    let (_, high) = scale(largest, from, AUTO);
    let hundredfold = smallest.saturating_mul(100);
    let unit = if low != high && hundredfold < largest { scale(hundredfold, from, AUTO).1 } else { low };
    if unit.is_empty() { from } else { unit }
}

/// Formats `value` as a percentage of `total`, at least six characters wide.
pub(super) fn percentage(value: i64, total: i64) -> String {
    let ratio = if total == 0 { 0.0 } else { (value as f64 / total as f64).abs() * 100.0 };
    if (99.95..=100.05).contains(&ratio) {
        "  100%".into()
    } else if ratio >= 1.0 {
        format!("{ratio:5.2}%")
    } else {
        format!("{:>5}%", two_digits(ratio))
    }
}

/// Formats a number below 1 with two significant digits, like `%.2g` in C.
fn two_digits(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    let scientific = format!("{number:.1e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 {
        let digits = digits.strip_suffix(".0").unwrap_or(digits);
        return format!("{digits}e-{:02}", -exponent);
    }
    let decimals = (1 - exponent).max(0) as usize;
    let plain = format!("{number:.decimals$}");
    if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.').into() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_largest_unit_that_fits() {
        let nanoseconds = [0, 1, 999, 1_500, 10_000_000, 1_500_000_000, -2_000_000_000, 7_200_000_000_000];
        let labels = nanoseconds.map(|value| label(value, "nanoseconds", AUTO));
        assert_eq!(labels, ["0", "1ns", "999ns", "1.50us", "10ms", "1.50s", "-2s", "2hrs"]);
        assert_eq!(
            [1023, 1536, 3 << 20].map(|value| label(value, "bytes", AUTO)),
            ["1023B", "1.50kB", "3MB"]
        );
        assert_eq!(label(1234, "count", AUTO), "1234");
        assert_eq!(label(1_500_000, "ns", "s"), "0", "rounds to zero in this unit");
        assert_eq!(label(5, "furlongs", "furlongs"), "5furlongs");
        assert_eq!(label(5, "\x1b[2J", "\x1b[2J"), "5\u{fffd}[2J", "no control characters");
        assert_eq!(label(i64::MIN, "count", AUTO), "-9223372036854775808");
    }

    #[test]
    fn columns_share_a_unit_in_which_small_values_are_visible() {
        assert_eq!(common_unit(10_000_000, 5_000_000_000, "nanoseconds"), "s");
        assert_eq!(common_unit(10_000_000, 900_000_000, "nanoseconds"), "ms");
        assert_eq!(common_unit(9_000_000, 5_000_000_000, "nanoseconds"), "ms");
        assert_eq!(common_unit(1, 5, "count"), "count");
    }

    #[test]
    fn percentages_are_six_characters_wide() {
        let shares = [(0, 0), (0, 7), (1, 3), (1, 1), (9996, 10_000), (-1, 2), (1, 1000), (123, 1_000_000)];
        let labels = shares.map(|(value, total)| percentage(value, total));
        assert_eq!(labels, ["    0%", "    0%", "33.33%", "  100%", "  100%", "50.00%", "  0.1%", "0.012%"]);
        assert_eq!(percentage(1, 10_000_000_000), "1e-08%");
        assert_eq!(percentage(999, 100_000), "    1%");
        assert_eq!(percentage(3, 1), "300.00%");
    }
}
