//! The types all of whose values are a space: integers, floats, `bool` and `char`.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::character::{BOOL, CHAR, character, number};
use super::float::{double, single};
use super::integer::Integer;
use super::interval::Interval;
use super::space::{Erased, Primitive, Space, by_erased};

/// A primitive type of at most 64 bits: an [`Integer`], `f32`, `f64`, `bool` or `char`. This trait is
/// sealed.
pub trait Scalar: sealed::Sealed + Copy + Debug + Send + Sync + 'static {}

mod sealed {
    use super::Primitive;

    pub trait Sealed: Sized {
        /// The space of all values.
        const SPACE: Primitive;
        /// Returns the number of the value in that space.
        fn number(self) -> i128;
        /// Returns the value with this number. Only the low bits of the number matter.
        fn of_number(number: u64) -> Self;
    }
}

impl<T: Integer> sealed::Sealed for T {
    const SPACE: Primitive = Primitive::integer::<T>();

    fn number(self) -> i128 {
        self.to_i128()
    }

    #[inline(always)]
    fn of_number(number: u64) -> Self {
        T::from_i128(number.into())
    }
}

impl<T: Integer> Scalar for T {}

macro_rules! scalars {
    ($($type:ident $space:path: $number:expr, $of_number:expr;)*) => {$(
        impl sealed::Sealed for $type {
            const SPACE: Primitive = $space;

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

scalars! {
    f32 single::SPACE: |float| single::number(float).into(), |number: u64| single::float(number as i32);
    f64 double::SPACE: |float| double::number(float).into(), |number: u64| double::float(number as i64);
    bool BOOL: i128::from, |number| number & 1 == 1;
    char CHAR: number, character;
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
pub fn all<T: Scalar>() -> Scalars<T> {
    Scalars(PhantomData)
}

impl<T: Scalar> Space for Scalars<T> {
    type Item = T;

    by_erased!();

    fn count(&self) -> u128 {
        T::SPACE.limits.count()
    }

    #[inline]
    fn at(&self, number: u64) -> T {
        T::of_number((T::SPACE.limits.first as u64).wrapping_add(number))
    }

    #[inline]
    fn fill(&self, first: u64, count: usize, items: &mut Vec<T>) {
        fill((T::SPACE.limits.first as u64).wrapping_add(first), count, items);
    }

    fn erased(&self) -> Erased {
        Erased::new(T::SPACE, self.count())
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
        let numbers = Interval::new(self.start().number(), self.end().number());
        Erased { numbers, ..all::<T>().erased() }
    }
}
