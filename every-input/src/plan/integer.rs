//! The integer types that can be swept.

use std::fmt::Display;
use std::hash::Hash;

use super::interval::Interval;
use super::number::Number;
use super::scalar::Scalar;
use super::scalar::sealed::Sealed;
use super::space::{ErasedClass, ErasedSpace};

/// The length in bytes of the longest encoding of any integer type: 64 bits have ten digits in
/// base 128.
pub(crate) const MAX_LEN: usize = 10;

/// A primitive integer type of at most 64 bits.
///
/// Signed types are encoded by zigzag. This trait is sealed.
pub trait Integer: Number + Default + Display + Eq + Hash + Ord {
    /// Whether the type is signed, and so encoded by zigzag.
    const SIGNED: bool = Self::MIN < 0;
    /// The smallest value of the type.
    const MIN: i128 = Self::LIMITS.first;
    /// The largest value of the type.
    const MAX: i128 = Self::LIMITS.last;
    /// The length of the longest encoding in bytes, at seven bits per byte.
    const MAX_LEN: usize = (8 * size_of::<Self>()).div_ceil(7);

    /// Converts a number to this type. A number out of range is truncated to its low bits.
    #[inline]
    fn from_i128(number: i128) -> Self {
        Self::of_number(number as u64)
    }
    /// Converts the value to `i128`.
    #[inline]
    fn to_i128(self) -> i128 {
        self.number()
    }
    /// Returns the bitwise complement, which differs from the value in every bit.
    #[inline]
    fn complement(self) -> Self {
        Self::of_number(!self.number() as u64)
    }
}

fn space<T: Integer>() -> ErasedSpace {
    let number = |text: &str| text.parse().ok().filter(|&number| T::LIMITS.contains(number));
    ErasedSpace {
        classes: classes::<T>(),
        edges: edges(),
        noun: "value",
        ..ErasedSpace::new(T::NAME, T::LIMITS, |number| number.to_string(), number)
    }
}

fn classes<T: Integer>() -> Vec<ErasedClass> {
    let mut classes = Vec::new();
    for length in 1..=T::MAX_LEN {
        // The range of numbers on the wire with this encoded length.
        let first = if length == 1 { 0 } else { 1i128 << (7 * (length - 1)) };
        let last = (1i128 << (7 * length)) - 1;
        let values = if T::SIGNED {
            vec![
                (false, Interval { first: first / 2, last: last / 2 }),
                (true, Interval { first: -last / 2 - 1, last: -(first / 2) - 1 }),
            ]
        } else {
            vec![(false, Interval { first, last })]
        };
        for (negative, values) in values {
            let intervals = values.intersect(T::LIMITS).into_iter().collect();
            classes.push(ErasedClass { length, negative, name: None, intervals });
        }
    }
    classes
}

/// Returns zero and the powers of two.
fn edges() -> Vec<i128> {
    [0].into_iter().chain((0..64).flat_map(|bit| [1i128 << bit, -(1i128 << bit)])).collect()
}

macro_rules! integer {
    ($($int:ident)*) => {$(
        impl Sealed for $int {
            const LIMITS: Interval = Interval { first: $int::MIN as i128, last: $int::MAX as i128 };

            fn space() -> ErasedSpace {
                space::<$int>()
            }

            #[inline]
            fn number(self) -> i128 {
                self.into()
            }

            #[inline(always)]
            fn of_number(number: u64) -> Self {
                number as $int
            }
        }

        impl Scalar for $int {}

        impl Integer for $int {}
    )*};
}

integer!(i64 u64 i32 u32 i16 u16 i8 u8);
