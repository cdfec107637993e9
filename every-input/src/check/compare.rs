//! Comparisons of a function with a reference.

use std::fmt::Debug;

#[cfg(feature = "half")]
use half::{bf16, f16};

use crate::check::codec::Breakdown;
use crate::check::function::{Block, Check, Fault};

/// How the result of a function is compared with that of the reference: [`Equal`], [`SameBits`],
/// [`NanEqual`] or [`Ulps`].
pub trait Compare<O, R: Debug>: Sync {
    /// Whether the deviation is a measure, of which the report has the greatest one.
    const MEASURES: bool = false;

    /// Returns the deviation of a result from the expected one.
    fn deviation(&self, got: &O, expected: &R) -> f64;

    /// Returns the greatest deviation that passes.
    fn limit(&self) -> f64 {
        0.0
    }

    /// Describes the expected result.
    fn describe(&self, expected: &R) -> String {
        format!("{expected:?}")
    }

    /// Describes the result of the function.
    fn describe_result(&self, got: &O) -> String
    where
        O: Debug,
    {
        format!("{got:?}")
    }
}

/// Results that are equal by `==`.
#[derive(Clone, Copy, Debug)]
pub struct Equal;

/// Floats with the same bits. NaNs differ by sign and payload, and 0.0 differs from -0.0.
#[derive(Clone, Copy, Debug)]
pub struct SameBits;

/// Floats that are equal by `==`, or both NaN.
#[derive(Clone, Copy, Debug)]
pub struct NanEqual;

/// Floats that are at most this number of units in the last place apart.
///
/// The reference returns a float of the same type, or an [`Expected`] of higher precision, such as
/// `f64` for an `f32`, which gives fractions of a unit. The unit is the distance of neighbouring floats
/// at the expected result. NaN is compared as equal to NaN, and an infinity is equal to itself only.
/// The report has the worst input, and that of each class of inputs, such as an exponent.
///
/// Other types have no such units, so this does not compile:
///
/// ```compile_fail
/// use every_input::{Ulps, agrees, exhaustive};
///
/// exhaustive(0u16..=9).check_with(agrees(|x: u16| x, |x: u16| x, Ulps(1.0)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ulps(
    /// The limit.
    pub f64,
);

impl<O: PartialEq + Debug> Compare<O, O> for Equal {
    #[inline(always)]
    fn deviation(&self, got: &O, expected: &O) -> f64 {
        if got == expected { 0.0 } else { f64::INFINITY }
    }
}

/// Returns a distance, or infinity if only one of the floats is NaN.
#[inline(always)]
fn or_infinity(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Compare<$float, $float> for SameBits {
            #[inline(always)]
            fn deviation(&self, got: &$float, expected: &$float) -> f64 {
                if got.to_bits() == expected.to_bits() { 0.0 } else { f64::INFINITY }
            }

            fn describe(&self, expected: &$float) -> String {
                format!("{expected:?} ({:#x})", expected.to_bits())
            }

            fn describe_result(&self, got: &$float) -> String {
                Compare::<$float, $float>::describe(self, got)
            }
        }

        impl Compare<$float, $float> for NanEqual {
            #[inline(always)]
            fn deviation(&self, got: &$float, expected: &$float) -> f64 {
                if got == expected || (got.is_nan() && expected.is_nan()) { 0.0 } else { f64::INFINITY }
            }
        }
    )*};
}

floats!(f32 f64);
#[cfg(feature = "half")]
floats!(f16 bf16);

/// A float whose distance from an expected one has units in the last place.
pub trait Float: Expected + Copy + Debug {
    /// Returns the distance from the sum of two `f64`.
    fn ulps(self, expected: (f64, f64)) -> f64;
}

/// The result of a reference for [`Ulps`]: a float, or a result of higher precision as the sum of two
/// `f64`.
///
/// The errors of an `f64` have fractions of a unit if the reference is more precise. Then it returns
/// a pair: the nearest `f64`, and the rest. The result of a library of high precision can be converted
/// to a pair, and a type of your own can implement the trait.
///
/// ```
/// use every_input::{Expected, Ulps, agrees, exhaustive};
///
/// let square = |x: f64| x * x;
/// let exact = |x: f64| (x * x, x.mul_add(x, -(x * x)));
/// exhaustive(2e6..=2e6 + 1e-7).check_with(agrees(square, exact, Ulps(0.5)));
///
/// /// A number with 64 bits after the point.
/// #[derive(Debug)]
/// struct Fixed(u128);
///
/// impl Expected for Fixed {
///     fn parts(&self) -> (f64, f64) {
///         ((self.0 >> 64) as f64, self.0 as u64 as f64 / 2f64.powi(64))
///     }
/// }
///
/// let fixed = |x: f64| Fixed(((x * 2f64.powi(32)) as u128).pow(2));
/// exhaustive(2e6..=2e6 + 1e-7).check_with(agrees(square, fixed, Ulps(0.5)));
/// ```
pub trait Expected {
    /// Returns two numbers whose sum is the result. The second one is small.
    fn parts(&self) -> (f64, f64);
}

impl Expected for (f64, f64) {
    #[inline(always)]
    fn parts(&self) -> (f64, f64) {
        *self
    }
}

impl Expected for f64 {
    #[inline(always)]
    fn parts(&self) -> (f64, f64) {
        (*self, 0.0)
    }
}

impl Expected for f32 {
    #[inline(always)]
    fn parts(&self) -> (f64, f64) {
        ((*self).into(), 0.0)
    }
}

/// The floats of 16 bits, with the number of bits after the point, and the exponents of the least and the
/// greatest normal numbers.
#[cfg(feature = "half")]
macro_rules! halves {
    ($($float:ident $mantissa:literal $least:literal $greatest:literal)*) => {$(
        impl Expected for $float {
            #[inline(always)]
            fn parts(&self) -> (f64, f64) {
                ((*self).into(), 0.0)
            }
        }

        impl Float for $float {
            #[inline(always)]
            fn ulps(self, (expected, rest): (f64, f64)) -> f64 {
                const fn power(exponent: i64) -> f64 {
                    f64::from_bits(((1023 + exponent) as u64) << 52)
                }
                /// From here on numbers are rounded to infinity.
                const INFINITE: f64 = power($greatest + 1) - power($greatest - $mantissa - 1);
                let own = f64::from(self);
                let exponent = (expected.to_bits() >> 52 & 0x7ff) as i64 - 1023;
                let per_unit = power($mantissa - exponent.clamp($least, $greatest));
                let distance = (own - expected - rest).abs() * per_unit;
                let is_infinite = expected.abs() >= INFINITE && own == f64::INFINITY.copysign(expected);
                let is_same = (own.is_nan() && expected.is_nan()) || is_infinite;
                if is_same { 0.0 } else { or_infinity(distance) }
            }
        }
    )*};
}

#[cfg(feature = "half")]
halves!(f16 10 -14 15 bf16 7 -126 127);

impl Float for f32 {
    #[inline(always)]
    fn ulps(self, (expected, rest): (f64, f64)) -> f64 {
        let rounded = expected as f32;
        let exponent = u64::from((rounded.to_bits() >> 23 & 0xff).clamp(1, 254));
        let per_unit = f64::from_bits((1023 + 127 + 23 - exponent) << 52);
        let distance = (f64::from(self) - expected - rest).abs() * per_unit;
        // Both are infinite, or NaN, or the result of rounding is.
        let is_same = (self.is_nan() && expected.is_nan()) || (self.is_infinite() && self == rounded);
        if is_same { 0.0 } else { or_infinity(distance) }
    }
}

impl Float for f64 {
    #[inline(always)]
    fn ulps(self, (expected, rest): (f64, f64)) -> f64 {
        // The unit of the least floats has no reciprocal, so it is multiplied by a power of two.
        let exponent = (expected.to_bits() >> 52 & 0x7ff).max(1);
        let (unit, scale) = (exponent.max(53) - 52, 1023 + 53u64.saturating_sub(exponent));
        let distance =
            (self - expected - rest).abs() / f64::from_bits(unit << 52) * f64::from_bits(scale << 52);
        let is_same = (self.is_nan() && expected.is_nan()) || (self.is_infinite() && self == expected);
        if is_same { 0.0 } else { or_infinity(distance) }
    }
}

impl<O: Float, R: Expected + Debug> Compare<O, R> for Ulps {
    const MEASURES: bool = true;

    #[inline(always)]
    fn deviation(&self, got: &O, expected: &R) -> f64 {
        got.ulps(expected.parts())
    }

    fn limit(&self) -> f64 {
        self.0
    }

    fn describe(&self, expected: &R) -> String {
        format!("{expected:?} within {} ULP", self.0)
    }
}

/// A check that a function agrees with a reference; see [`agrees`].
#[derive(Clone, Copy, Debug)]
pub struct Agreement<F, G, C> {
    function: F,
    reference: G,
    compare: C,
}

/// Returns the check that a function agrees with a reference by a comparison.
///
/// ```
/// use every_input::{Equal, NanEqual, Ulps, agrees, all, exhaustive};
///
/// exhaustive(0.0f32..=1.0e-38).check_with(agrees(|x: f32| x + x, |x| 2.0 * x, NanEqual));
/// // A wider reference gives the error in fractions of a unit in the last place.
/// exhaustive(1.0f32..=1.01).check_with(agrees(|x: f32| x.sqrt(), |x| f64::from(x).sqrt(), Ulps(0.5)));
/// exhaustive(all::<i8>()).check_with(agrees(i8::wrapping_neg, |x| !x.wrapping_sub(1), Equal));
/// ```
pub fn agrees<I, O, R: Debug, F, G, C>(function: F, reference: G, compare: C) -> Agreement<F, G, C>
where
    F: Fn(I) -> O + Sync,
    G: Fn(I) -> R + Sync,
    C: Compare<O, R>,
{
    Agreement { function, reference, compare }
}

impl<I: Clone, O: Debug, R: Debug, F, G, C> Check<I> for Agreement<F, G, C>
where
    F: Fn(I) -> O + Sync,
    G: Fn(I) -> R + Sync,
    C: Compare<O, R>,
{
    /// The greatest deviation in the last block.
    type Memory = f64;

    const IS_PLAIN: bool = true;

    #[inline(always)]
    fn passes(&self, block: &Block<'_, I>, worst: &mut f64) -> Result<bool, Breakdown> {
        let Self { function, reference, compare } = self;
        let limit = compare.limit();
        let deviations =
            block.iter().map(|input| compare.deviation(&function(input.clone()), &reference(input.clone())));
        if !C::MEASURES {
            return Ok(deviations.fold(true, |all, deviation| all & (deviation <= limit)));
        }
        // Deviations are not negative, so their bits have the same order. A loop over integers can be
        // vectorized.
        *worst = f64::from_bits(deviations.fold(0, |worst, deviation| worst.max(deviation.to_bits())));
        Ok(*worst <= limit)
    }

    fn explain(&self, inputs: &[I], _: &mut f64) -> Result<Option<Fault>, Breakdown> {
        let fault = |(at, input): (usize, &I)| {
            let (got, expected) = ((self.function)(input.clone()), (self.reference)(input.clone()));
            let deviation = self.compare.deviation(&got, &expected);
            (deviation > self.compare.limit()).then(|| {
                let is_measure = C::MEASURES && deviation.is_finite();
                let away = if is_measure { format!(", {deviation:.3} away") } else { String::new() };
                let got = self.compare.describe_result(&got) + &away;
                Fault::unequal(self.compare.describe(&expected), got).at(at)
            })
        };
        Ok(inputs.iter().enumerate().find_map(fault))
    }

    fn deviation(&self, worst: &f64) -> Option<f64> {
        C::MEASURES.then_some(*worst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_in_units_of_the_expected_float() {
        let next = |x: f32, n: u32| f32::from_bits(x.to_bits() + n);
        for x in [0.0, f32::MIN_POSITIVE, 1e-40, 1e-30, 1.0, 1.5, 3e38] {
            for n in [0, 1, 2] {
                assert_eq!(Ulps(1.0).deviation(&next(x, n), &x), f64::from(n), "{x:e}");
                assert_eq!(Ulps(1.0).deviation(&next(x, n), &f64::from(x)), f64::from(n), "{x:e}");
            }
        }
        let next = |x: f64, n: u64| f64::from_bits(x.to_bits() + n);
        for x in [0.0, f64::MIN_POSITIVE, 1e-310, 1e-200, 1.0, 1.5, 1e308] {
            assert_eq!([0, 1, 2].map(|n| Ulps(1.0).deviation(&next(x, n), &x)), [0.0, 1.0, 2.0], "{x:e}");
        }
        let half = (f64::from(1.0f32) + f64::from(1.0f32.next_up())) / 2.0;
        assert_eq!(Ulps(0.5).deviation(&1.0f32, &half), 0.5);
        // The second part of a result of higher precision.
        assert_eq!(Ulps(0.5).deviation(&1.0f64, &(1.0, f64::EPSILON / 4.0)), 0.25);
        assert_eq!(Ulps(0.5).deviation(&1.0f32, &(1.0, f64::from(f32::EPSILON) / -4.0)), 0.25);
    }

    #[test]
    fn an_expected_float_is_written_as_the_result_is() {
        assert_eq!(Compare::<f32, f64>::describe(&Ulps(1.0), &0.25), "0.25 within 1 ULP");
    }

    #[test]
    fn both_results_are_shown_with_what_they_differ_in() {
        fn shown<O: Debug + Copy + Sync>(got: O, expected: O, compare: impl Compare<O, O>) -> [String; 2] {
            let check = agrees(|_: u8| got, |_: u8| expected, compare);
            let fault = check.explain(&[0], &mut 0.0).expect("an answer").expect("a fault");
            [fault.expected, fault.got]
        }
        let other_nan = f32::from_bits(0x7fc0_0001);
        assert_eq!(shown(other_nan, f32::NAN, SameBits), ["NaN (0x7fc00000)", "NaN (0x7fc00001)"]);
        assert_eq!(shown(0.0, -0.0f32, SameBits), ["-0.0 (0x80000000)", "0.0 (0x0)"]);
        assert_eq!(shown([f64::NAN], [f64::NAN], Equal), ["[NaN]", "[NaN], which is not equal to it"]);
    }

    #[test]
    fn nan_infinity_and_zeros_are_compared_as_documented() {
        let (nan, infinity) = (f32::NAN, f32::INFINITY);
        assert_eq!(Ulps(1.0).deviation(&nan, &f64::NAN), 0.0);
        assert_eq!(Ulps(1.0).deviation(&nan, &nan), 0.0);
        assert_eq!(Ulps(1.0).deviation(&infinity, &f64::INFINITY), 0.0);
        assert_eq!(Ulps(1.0).deviation(&infinity, &infinity), 0.0);
        assert_eq!(Ulps(1.0).deviation(&infinity, &1e300), 0.0, "rounded to infinity");
        for (got, expected) in
            [(nan, 1.0), (1.0, nan), (infinity, 1.0), (1.0, infinity), (-infinity, infinity)]
        {
            assert!(Ulps(1e9).deviation(&got, &expected) > 1e9, "{got} {expected}");
            assert!(Ulps(1e9).deviation(&got, &f64::from(expected)) > 1e9, "{got} {expected}");
            assert!(NanEqual.deviation(&got, &expected) > 0.0);
        }
        assert_eq!((NanEqual.deviation(&0.0f32, &-0.0), NanEqual.deviation(&nan, &-nan)), (0.0, 0.0));
        assert!(SameBits.deviation(&0.0f32, &-0.0) > 0.0 && SameBits.deviation(&nan, &-nan) > 0.0);
        assert_eq!(SameBits.deviation(&nan, &nan), 0.0);
        assert!(Equal.deviation(&nan, &nan) > 0.0);
    }
}
