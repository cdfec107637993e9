//! The types all of whose values are a space: integers and floats.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use super::float::{double, single};
use super::integer::{Integer, Kind};
use super::interval::Interval;
use super::space::{Class, Erased, Space, Stratum};

/// A primitive type of at most 64 bits: an [`Integer`], `f32` or `f64`. This trait is sealed.
pub trait Scalar: sealed::Sealed + Copy + Debug + Send + Sync + 'static {}

mod sealed {
    use super::Erased;

    pub trait Sealed: Sized {
        /// The number of the first value in the space of all values.
        const FIRST: i128;
        /// Returns the space of all values.
        fn space() -> Erased;
        /// Returns the number of the value in that space.
        fn number(self) -> i128;
        /// Returns the value with this number. Only the low bits of the number matter.
        fn of_number(number: u64) -> Self;
    }
}

impl<T: Integer> sealed::Sealed for T {
    const FIRST: i128 = T::MIN;

    fn space() -> Erased {
        Erased(Arc::new(Kind::of::<T>()))
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
            const FIRST: i128 = $signed::MIN as i128;

            fn space() -> Erased {
                Erased(Arc::new($module::FORMAT))
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

/// All values of a primitive type; see [`all`].
#[derive(Debug)]
pub struct Scalars<T>(PhantomData<fn() -> T>);

impl<T> Clone for Scalars<T> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

/// Returns the space of all values of a type, in their order.
///
/// Floats have every bit pattern: NaN with each sign and payload, infinities, both zeros and
/// subnormal numbers, in the order of [`f32::total_cmp`].
///
/// ```
/// use every_input::{all, exhaustive};
///
/// exhaustive(all::<u16>()).check(|x| x.swap_bytes().swap_bytes() == x);
/// ```
pub fn all<T: Scalar>() -> Scalars<T> {
    Scalars(PhantomData)
}

impl<T: Scalar> Scalars<T> {
    /// Returns the numbers of a range, or `None` if it is empty.
    pub(crate) fn interval(start: T, end: T) -> Option<Interval> {
        Interval::new(start.number(), end.number())
    }
}

impl<T: Scalar> Space for Scalars<T> {
    type Item = T;

    fn name(&self) -> String {
        T::space().0.name()
    }

    fn count(&self) -> u128 {
        T::space().0.limits().count()
    }

    fn at(&self, number: u64) -> T {
        T::of_number((T::FIRST as u64).wrapping_add(number))
    }

    #[inline]
    fn fill(&self, first: u64, count: usize, items: &mut Vec<T>) {
        let first = (T::FIRST as u64).wrapping_add(first);
        items.clear();
        items.extend((0..count).map(|offset| T::of_number(first.wrapping_add(offset as u64))));
    }

    fn classes(&self) -> Vec<Class> {
        let class = |stratum: Stratum| {
            let numbers = stratum.intervals.first()?;
            let sign = if stratum.negative { "-" } else { "+" };
            let name = stratum.name.unwrap_or_else(|| format!("{} bytes, {sign}", stratum.length));
            Some(Class {
                name,
                numbers: (numbers.first - T::FIRST) as u64..=(numbers.last - T::FIRST) as u64,
            })
        };
        T::space().0.classes().into_iter().filter_map(class).collect()
    }

    fn show(&self, number: u64) -> String {
        T::space().0.text(T::FIRST + i128::from(number))
    }

    fn parse(&self, text: &str) -> Option<u64> {
        Some((T::space().0.number(text)? - T::FIRST) as u64)
    }

    fn erased(&self) -> Erased {
        T::space()
    }
}
