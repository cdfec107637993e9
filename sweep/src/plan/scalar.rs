//! The types all of whose values are a space: integers, floats, `bool` and `char`.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::character::{BOOL, CHAR, character, number};
use super::float::{double, single};
use super::integer::{Integer, Kind};
use super::interval::Interval;
use super::space::{Erased, Space, by_erased};

/// A primitive type of at most 64 bits: an [`Integer`], `f32`, `f64`, `bool` or `char`. This trait is
/// sealed.
pub trait Scalar: sealed::Sealed + Copy + Debug + Send + Sync + 'static {}

mod sealed {
    use super::{Erased, Interval};

    pub trait Sealed: Sized {
        /// The numbers of all values.
        const LIMITS: Interval;
        /// Returns the space of all values.
        fn space() -> Erased;
        /// Returns the number of the value in that space.
        fn number(self) -> i128;
        /// Returns the value with this number. Only the low bits of the number matter.
        fn of_number(number: u64) -> Self;
    }
}

impl<T: Integer> sealed::Sealed for T {
    const LIMITS: Interval = Kind::of::<T>().limits;

    fn space() -> Erased {
        Erased::new(Kind::of::<T>(), Self::LIMITS.count())
    }

    fn number(self) -> i128 {
        self.to_i128()
    }

    #[inline(always)]
    fn of_number(number: u64) -> Self {
        T::from_i128(number.into())
    }
}

macro_rules! floats {
    ($($float:ident $signed:ident $module:ident)*) => {$(
        impl sealed::Sealed for $float {
            const LIMITS: Interval =
                Interval { first: $signed::MIN as i128, last: $signed::MAX as i128 };

            fn space() -> Erased {
                Erased::new($module::FORMAT, Self::LIMITS.count())
            }

            fn number(self) -> i128 {
                $module::number(self).into()
            }

            #[inline(always)]
            fn of_number(number: u64) -> Self {
                $module::float(number as $signed)
            }
        }

        impl Scalar for $float {}
    )*};
}

floats!(f32 i32 single f64 i64 double);

impl<T: Integer> Scalar for T {}

macro_rules! few {
    ($($type:ident $space:ident: $number:expr, $of_number:expr;)*) => {$(
        impl sealed::Sealed for $type {
            const LIMITS: Interval = $space.limits;

            fn space() -> Erased {
                Erased::new($space, Self::LIMITS.count())
            }

            fn number(self) -> i128 {
                $number(self)
            }

            #[inline(always)]
            fn of_number(number: u64) -> Self {
                $of_number(number)
            }
        }

        impl Scalar for $type {}
    )*};
}

few! {
    bool BOOL: i128::from, |number| number & 1 == 1;
    char CHAR: number, character;
}

/// All values of a primitive type; see [`all`].
#[derive(Debug)]
pub struct Scalars<T>(PhantomData<fn() -> T>);

impl<T> Clone for Scalars<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Scalars<T> {}

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

    fn erased(&self) -> Erased {
        T::space()
    }
}

/// Replaces `items` by consecutive values.
#[inline]
fn fill<T: Scalar>(first: u64, count: usize, items: &mut Vec<T>) {
    items.clear();
    // 32 bits, so that the loop over small types has no 64-bit numbers.
    items.extend((0..count as u32).map(|offset| T::of_number(first.wrapping_add(offset.into()))));
}

/// The values of a range, which are a part of the space of [`all`] values.
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

    fn erased(&self) -> Erased {
        Erased { numbers: Interval::new(self.start().number(), self.end().number()), ..T::space() }
    }
}
