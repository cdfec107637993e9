//! The types of numbers: integers and floats, with their bits in messages and their notation.

#[cfg(feature = "half")]
use half::{bf16, f16};

use super::number_syntax::parse_integer;
use super::scalar::Scalar;
use super::scalar::sealed::Sealed;

/// A type of numbers of at most 64 bits: an [`Integer`](crate::Integer), `f32` or `f64`; with the feature
/// `half` also `f16` or `bf16` of that crate. This trait is sealed.
pub trait Number: Scalar {
    /// The Rust name of the type.
    const NAME: &'static str;
    /// Whether the type is one of floats.
    #[doc(hidden)]
    const IS_FLOAT: bool;
    /// How a number is written, for messages.
    #[doc(hidden)]
    const NOTATION: &'static str;

    /// Returns the bits of the number, from the lowest on.
    fn bits(self) -> u64;

    /// Returns the number with these bits. Others than those of the type do not matter.
    fn of_bits(bits: u64) -> Self;

    /// Returns the text of a result. That of a float has its bits too.
    #[doc(hidden)]
    fn describe(self) -> String;

    /// Returns the number in the space that is the bound of a range, such as `MAX`.
    #[doc(hidden)]
    fn bound(text: &str) -> Option<i128>;
}

macro_rules! integers {
    ($($int:ident)*) => {$(
        impl Number for $int {
            const NAME: &'static str = stringify!($int);
            const IS_FLOAT: bool = false;
            const NOTATION: &'static str = "an integer; write it as 1000, 1_000, 0x3e8, 1e3, 1k or 2^10";

            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline]
            fn of_bits(bits: u64) -> Self {
                bits as $int
            }

            fn describe(self) -> String {
                self.to_string()
            }

            fn bound(text: &str) -> Option<i128> {
                match text {
                    "MIN" => Some($int::MIN.into()),
                    "MAX" => Some($int::MAX.into()),
                    _ => parse_integer(text),
                }
            }
        }
    )*};
}

integers!(i64 u64 i32 u32 i16 u16 i8 u8);

fn power_of(base: &str, power: &str) -> Option<f64> {
    Some((parse_integer(base)? as f64).powf(f64::from(power.parse::<i16>().ok()?)))
}

/// Returns an integer as people write it, unless it is too large for `i128`.
fn exact(text: &str) -> Option<i128> {
    parse_integer(text).filter(|&integer| integer < i128::MAX)
}

macro_rules! floats {
    ($($float:ident $bits:ident $article:literal $one:literal)*) => {$(
        impl Number for $float {
            const NAME: &'static str = stringify!($float);
            const IS_FLOAT: bool = true;
            const NOTATION: &'static str = concat!(
                $article, " ", stringify!($float), "; write it as 0.5, -1e-3, 2^10, inf or nan, or its bits as ", $one
            );

            #[inline]
            fn bits(self) -> u64 {
                self.to_bits().into()
            }

            #[inline]
            fn of_bits(bits: u64) -> Self {
                $float::from_bits(bits as $bits)
            }

            fn describe(self) -> String {
                format!("{self:?} ({:#x})", self.to_bits())
            }

            fn bound(text: &str) -> Option<i128> {
                if let Some(bits) = text.strip_prefix("0x") {
                    return Some($float::from_bits($bits::from_str_radix(bits, 16).ok()?).number());
                }
                let is_negative = text.starts_with('-');
                let magnitude = if is_negative { &text[1..] } else { text };
                let float = match (magnitude, magnitude.split_once('^')) {
                    ("MIN" | "MAX", _) if is_negative => return None,
                    ("MIN", _) => $float::MIN,
                    ("MAX", _) => $float::MAX,
                    (_, Some((base, power))) => power_of(base, power)?.to_string().parse().ok()?,
                    _ if magnitude.starts_with(['-', '+']) => return None,
                    _ => magnitude.parse().ok().or_else(|| exact(magnitude)?.to_string().parse().ok())?,
                };
                // A number that is too large is not an infinity.
                let is_number = text.contains(|c: char| c.is_ascii_digit());
                let signed = if is_negative { -float } else { float };
                (!is_number || float.is_finite()).then(|| signed.number())
            }
        }
    )*};
}

floats!(f32 u32 "an" "0x3f800000" f64 u64 "an" "0x3ff0000000000000");
#[cfg(feature = "half")]
floats!(f16 u16 "an" "0x3c00" bf16 u16 "a" "0x3f80");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_floats_are_numbers_infinities_nan_and_bits() {
        let float = |text: &str| f32::bound(text).map(|number| f32::of_number(number as u64));
        let cases = [
            ("0.5", 0.5),
            ("-1e-3", -1e-3),
            ("2^127", 2f32.powi(127)),
            ("-2^-149", -f32::from_bits(1)),
            ("1_000", 1000.0),
            ("10M", 1e7),
            ("inf", f32::INFINITY),
            ("-inf", f32::NEG_INFINITY),
            ("0x3f800000", 1.0),
            ("-0.0", -0.0),
            ("MIN", f32::MIN),
        ];
        for (text, expected) in cases {
            assert_eq!(float(text).map(f32::to_bits), Some(expected.to_bits()), "{text}");
        }
        let is_nan =
            |text, negative| float(text).is_some_and(|x| x.is_nan() && x.is_sign_negative() == negative);
        assert!(is_nan("nan", false) && is_nan("-nan", true));
        for text in
            ["", "1e39", "-2^200", "0x1ffffffff", "0x", "x", "1,5", "--1", "-+1", "-MAX", "1e9999k", "2^"]
        {
            assert_eq!(float(text), None, "{text}");
        }
        assert!(f64::bound("1e39").is_some() && f64::bound("1e309").is_none());
    }
}
