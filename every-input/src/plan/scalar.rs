//! The types all of whose values are a space: integers, floats, `bool` and `char`.
//!
//! The number of a character counts those before it, so that the surrogates have none.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::plan::interval::Interval;
use crate::plan::space::{ErasedClass, ErasedPart, ErasedSpace, Space, by_erased};

/// A primitive type of at most 64 bits: an [`Integer`](crate::Integer), `f32`, `f64`, `bool` or `char`; with the feature
/// `half` also `f16` and `bf16` of that crate. This trait is sealed.
pub trait Scalar: sealed::Sealed + Copy + Debug + Send + Sync + 'static {}

pub(crate) mod sealed {
    use super::{ErasedSpace, Interval};

    pub trait Sealed: Sized {
        /// The numbers of all values.
        const LIMITS: Interval;
        /// Returns the space of all values.
        fn space() -> ErasedSpace;
        /// Returns the number of the value in that space.
        fn number(self) -> i128;
        /// Returns the value with this number. Only the low bits of the number matter.
        fn of_number(number: u64) -> Self;
    }
}

/// All values of a primitive type; see [`all`].
#[derive(Clone, Copy, Debug)]
pub struct Scalars<T>(PhantomData<fn() -> T>);

/// Returns the space of all values of a type, in their order.
///
/// Floats have every bit pattern: NaN with each sign and payload, infinities, both zeros and
/// subnormal numbers, in the order of [`f32::total_cmp`].
///
/// ```
/// use every_input::{all, exhaustive};
///
/// exhaustive(all::<u16>()).check(|x| x.swap_bytes().swap_bytes() == x);
/// exhaustive(all::<char>()).check(|c| c.len_utf8() == c.to_string().len());
/// ```
///
/// With the feature `half`, the 65,536 values of `f16` and of `bf16` are spaces too, and all pairs of them:
///
/// ```
/// # #[cfg(feature = "half")] {
/// use every_input::{Ulps, agrees, all, exhaustive};
/// use half::{bf16, f16};
///
/// let sqrt = |x: bf16| bf16::from_f32(x.to_f32().sqrt());
/// exhaustive(all::<bf16>()).check_with(agrees(sqrt, |x: bf16| f64::from(x).sqrt(), Ulps(0.5)));
///
/// let product = |(a, b): (f16, f16)| a * b;
/// let exact = |(a, b): (f16, f16)| f64::from(a) * f64::from(b);
/// exhaustive((f16::ONE..=f16::PI, f16::ONE..=f16::PI)).check_with(agrees(product, exact, Ulps(0.5)));
/// # }
/// ```
pub fn all<T: Scalar>() -> Scalars<T> {
    Scalars(PhantomData)
}

impl<T: Scalar> Space for Scalars<T> {
    type Item = T;

    by_erased!();

    fn count(&self) -> u128 {
        T::LIMITS.count()
    }

    #[inline]
    fn at(&self, number: u64) -> T {
        T::of_number((T::LIMITS.first as u64).wrapping_add(number))
    }

    #[inline]
    fn fill(&self, first: u64, count: usize, items: &mut Vec<T>) {
        fill((T::LIMITS.first as u64).wrapping_add(first), count, items);
    }

    fn erased(&self) -> ErasedPart {
        ErasedPart::new(T::space(), self.count())
    }
}

#[inline]
fn fill<T: Scalar>(first: u64, count: usize, items: &mut Vec<T>) {
    items.clear();
    // 32 bits, so that the loop over small types has no 64-bit numbers.
    items.extend((0..count as u32).map(|offset| T::of_number(first.wrapping_add(offset.into()))));
}

/// The values of a range, which are a part of the space of [`all`] values. A sweep refuses a range whose
/// last value comes before the first one in the order of that space, such as `0.0..=-0.0`.
impl<T: Scalar> Space for RangeInclusive<T> {
    type Item = T;

    by_erased!();

    fn count(&self) -> u128 {
        Interval::new(self.start().number(), self.end().number()).map_or(0, Interval::count)
    }

    #[inline]
    fn at(&self, number: u64) -> T {
        T::of_number((self.start().number() as u64).wrapping_add(number))
    }

    #[inline]
    fn fill(&self, first: u64, count: usize, items: &mut Vec<T>) {
        fill((self.start().number() as u64).wrapping_add(first), count, items);
    }

    fn erased(&self) -> ErasedPart {
        let numbers = Interval::new(self.start().number(), self.end().number());
        let all = all::<T>().erased();
        let reversed = || {
            let order = format!("all::<{}>()", all.space.name);
            format!("range {self:?}: reversed in the order of {order}; write the smaller bound first")
        };
        let problem = numbers.is_none().then(reversed);
        ErasedPart { numbers, problem, ..all }
    }
}

const SURROGATES: u32 = 0xe000 - 0xd800;
const LAST: i128 = (char::MAX as u32 - SURROGATES) as i128;

impl sealed::Sealed for bool {
    const LIMITS: Interval = Interval { first: 0, last: 1 };

    fn space() -> ErasedSpace {
        let (text, number) =
            (|number| (number == 1).to_string(), |text: &str| text.parse().ok().map(bool::into));
        let classes = by_last(&[("all", 1)]);
        ErasedSpace { classes, noun: "value", ..ErasedSpace::new("bool", Self::LIMITS, text, number) }
    }

    fn number(self) -> i128 {
        self.into()
    }

    #[inline(always)]
    fn of_number(number: u64) -> Self {
        number & 1 == 1
    }
}

impl Scalar for bool {}

impl sealed::Sealed for char {
    const LIMITS: Interval = Interval { first: 0, last: LAST };

    /// The scalar values of Unicode, by their length in UTF-8. The edges are those before and after the
    /// surrogates.
    fn space() -> ErasedSpace {
        let classes = by_last(&[
            ("1 byte of UTF-8", 0x7f),
            ("2 bytes of UTF-8", 0x7ff),
            ("3 bytes of UTF-8", 0xffff - SURROGATES as i128),
            ("4 bytes of UTF-8", LAST),
        ]);
        let text = |number| format!("U+{:04X}", u32::from(Self::of_number(number as u64)));
        let number = |text: &str| {
            let code = u32::from_str_radix(text.strip_prefix("U+")?, 16).ok()?;
            Self::from_u32(code).map(Self::number)
        };
        let edges = vec![0xd7ff, 0xd800];
        ErasedSpace { classes, edges, noun: "value", ..ErasedSpace::new("char", Self::LIMITS, text, number) }
    }

    fn number(self) -> i128 {
        let code = u32::from(self);
        i128::from(if code < 0xd800 { code } else { code - SURROGATES })
    }

    #[inline(always)]
    fn of_number(number: u64) -> Self {
        let number = number as u32;
        let code = if number < 0xd800 { number } else { number.wrapping_add(SURROGATES) };
        Self::from_u32(code).unwrap_or(Self::REPLACEMENT_CHARACTER)
    }
}

impl Scalar for char {}

/// Returns the classes with these names, each with the number of its last value.
fn by_last(classes: &[(&str, i128)]) -> Vec<ErasedClass> {
    let firsts = [0].into_iter().chain(classes.iter().map(|(_, last)| last + 1));
    let classes = firsts.zip(classes).enumerate();
    classes
        .map(|(at, (first, &(name, last)))| ErasedClass::named(at, name, Interval::new(first, last)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::sealed::Sealed;

    #[test]
    fn the_classes_of_characters_are_their_lengths_in_utf_8() {
        let space = char::space();
        for (class, length) in space.classes.iter().zip(1..) {
            for end in [class.intervals[0].first, class.intervals[0].last] {
                assert_eq!(char::of_number(end as u64).len_utf8(), length, "{end}");
            }
        }
        assert_eq!((space.classes.len(), space.limits.count()), (4, 0x11_0000 - 0x800));
        assert_eq!((space.text(0xd7ff), space.text(0xd800)), ("U+D7FF".into(), "U+E000".into()));
        assert_eq!(["U+D800", "U+110000", "é"].map(|text| space.number(text)), [None; 3]);
    }
}
