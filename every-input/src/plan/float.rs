//! The spaces of `f32` and `f64`, and of `f16` and `bf16` of the crate `half`, in the order of `total_cmp`.
//!
//! The number of a float is 0 for `0.0`, -1 for `-0.0`, and grows by one to the next greater float.

#[cfg(feature = "half")]
use half::{bf16, f16};

use super::interval::Interval;
use super::scalar::Scalar;
use super::scalar::sealed::Sealed;
use super::space::{ErasedClass, ErasedSpace};

#[derive(Clone, Copy)]
struct Format {
    bits: u32,
    mantissa: u32,
    /// The binary logarithm of the number of exponents in a class.
    exponents_shift: u32,
}

impl Format {
    /// Returns the name of the class with these exponent fields: 0 has zero and the subnormal
    /// numbers, the greatest one has infinity and NaN.
    fn class_name(self, sign: char, first: i128) -> String {
        let exponents = 1i128 << (self.bits - 1 - self.mantissa);
        let last = first + (1 << self.exponents_shift) - 1;
        let power = |field: i128| match field {
            0 => "0 and subnormal".to_owned(),
            _ if field == exponents - 1 => "infinite and NaN".into(),
            _ => format!("2^{}", field - (exponents / 2 - 1)),
        };
        if first == last {
            format!("{sign} {}", power(first))
        } else {
            format!("{sign} {} to {}", power(first), power(last))
        }
    }

    fn classes(self) -> Vec<ErasedClass> {
        let exponents = 1i128 << (self.bits - 1 - self.mantissa);
        let class = |(length, exponent): (usize, i128)| {
            let (first, last) = (exponent, exponent + (1 << self.exponents_shift));
            let positive = Interval { first: first << self.mantissa, last: (last << self.mantissa) - 1 };
            let negative = Interval { first: -1 - positive.last, last: -1 - positive.first };
            [('+', positive), ('-', negative)].map(|(sign, interval)| ErasedClass {
                negative: sign == '-',
                ..ErasedClass::named(length, self.class_name(sign, exponent), Some(interval))
            })
        };
        (0..exponents).step_by(1 << self.exponents_shift).enumerate().flat_map(class).collect()
    }

    /// Returns both zeros, the least normal numbers, one and infinity.
    fn edges(self) -> Vec<i128> {
        let exponents = 1i128 << (self.bits - 1 - self.mantissa);
        let fields = [0, 1, exponents / 2 - 1, exponents - 1].map(|field| field << self.mantissa);
        fields.into_iter().flat_map(|number| [number, -1 - number]).collect()
    }
}

macro_rules! floats {
    ($($float:ident $signed:ident $unsigned:ident $mantissa:literal $exponents_shift:literal)*) => {$(
        impl Sealed for $float {
            const LIMITS: Interval = Interval { first: $signed::MIN as i128, last: $signed::MAX as i128 };

            fn space() -> ErasedSpace {
                let (mantissa, exponents_shift) = ($mantissa, $exponents_shift);
                let format = Format { bits: $signed::BITS, mantissa, exponents_shift };
                // NaN has its bits, as there are many.
                let text = |number| match $float::of_number(number as u64) {
                    float if float.is_nan() => format!("{:#x}", float.to_bits()),
                    float => format!("{float:?}"),
                };
                let number = |text: &str| match text.strip_prefix("0x") {
                    Some(bits) => {
                        Some($float::from_bits($unsigned::from_str_radix(bits, 16).ok()?).number())
                    }
                    None => text.parse().ok().map($float::number),
                };
                ErasedSpace {
                    classes: format.classes(),
                    edges: format.edges(),
                    noun: "value",
                    ..ErasedSpace::new(stringify!($float), Self::LIMITS, text, number)
                }
            }

            #[inline]
            fn number(self) -> i128 {
                let bits = self.to_bits().cast_signed();
                i128::from(bits ^ ((bits >> ($signed::BITS - 1)) & $signed::MAX))
            }

            #[inline(always)]
            fn of_number(number: u64) -> Self {
                let number = number as $signed;
                // The order of negative floats is that of their magnitudes, reversed.
                let flipped = number ^ ((number >> ($signed::BITS - 1)) & $signed::MAX);
                $float::from_bits(flipped.cast_unsigned())
            }
        }

        impl Scalar for $float {}
    )*};
}

floats!(f32 i32 u32 23 0 f64 i64 u64 52 4);
#[cfg(feature = "half")]
floats!(f16 i16 u16 10 0 bf16 i16 u16 7 0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::interval;

    #[test]
    fn numbers_are_in_the_order_of_floats_and_texts_are_read_back() {
        let space = f32::space();
        for number in [i32::MIN, -3, -2, -1, 0, 1, 2, 0x7f80_0000, i32::MAX] {
            let at = i128::from(number);
            assert_eq!(space.number(&space.text(at)), Some(at), "{number}");
            assert_eq!(f32::of_number(number as u64).number(), at);
        }
        assert_eq!((space.text(-1), space.text(0)), ("-0.0".into(), "0.0".into()));
        assert_eq!(space.text(0x7fc0_0000), "0x7fc00000");
        for number in -1000..1000i64 {
            assert!(f32::of_number(number as u64).total_cmp(&f32::of_number((number + 1) as u64)).is_lt());
        }
        assert_eq!(f64::space().number("1.0"), Some(1023 << 52));
    }

    #[test]
    fn classes_have_every_bit_pattern_once_and_are_named_by_exponent() {
        for (ErasedSpace { classes, limits, .. }, count) in [(f32::space(), 512), (f64::space(), 256)] {
            assert_eq!(classes.len(), count);
            assert_eq!(interval::union(classes.iter().flat_map(|class| class.intervals.clone())), [limits]);
            assert_eq!(classes.iter().map(ErasedClass::count).sum::<u128>(), limits.count());
        }
        let class_of = |text: &str| {
            let number = f32::space().number(text).unwrap();
            let mut classes = f32::space().classes.into_iter();
            classes.find(|class| interval::contains(&class.intervals, number)).unwrap().name.unwrap()
        };
        assert_eq!(class_of("-0.75"), "- 2^-1");
        assert_eq!(class_of("1e-45"), "+ 0 and subnormal");
        assert_eq!(class_of("-inf"), "- infinite and NaN");
        assert_eq!(f64::space().classes[2].name.as_deref(), Some("+ 2^-1007 to 2^-992"));
    }
}
