//! The integer types that can be swept.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use super::interval::Interval;

/// The length in bytes of the longest encoding of any of these types: ten digits in base 128 hold 64 bits.
pub const MAX_LEN: usize = 10;

/// Numbers of values by encoded length in bytes, from 0 to [`MAX_LEN`].
pub(crate) type ByLength = [u64; MAX_LEN + 1];

/// A primitive integer type of at most 64 bits. Signed types are encoded by zigzag. Sealed.
pub trait Integer:
    sealed::Sealed + Copy + Debug + Default + Display + Eq + Hash + Ord + Send + Sync + 'static
{
    /// The name of the type in Rust.
    const NAME: &'static str;
    /// Whether the type is signed, and so encoded by zigzag.
    const SIGNED: bool;
    /// The least value.
    const LEAST: i128;
    /// The greatest value.
    const GREATEST: i128;
    /// The length of the longest encoding in bytes: seven bits to a byte.
    const MAX_LEN: usize;

    /// Converts the number, which must be in the range of the type: otherwise its low bits are taken.
    fn from_i128(number: i128) -> Self;
    /// Returns the value as a number.
    fn to_i128(self) -> i128;
    /// Fills `values` with consecutive numbers, the first of which is `self`.
    fn consecutive(self, values: &mut [Self]);
    /// Returns a value that differs from this one.
    fn other(self) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

/// The properties of an integer type, for code that is not generic over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) signed: bool,
    pub(crate) limits: Interval,
    pub(crate) max_len: usize,
}

impl Kind {
    /// The properties of the type `T`.
    pub(crate) const fn of<T: Integer>() -> Self {
        Self {
            signed: T::SIGNED,
            limits: Interval { first: T::LEAST, last: T::GREATEST },
            max_len: T::MAX_LEN,
        }
    }
}

macro_rules! integer {
    ($($int:ident)*) => {
        impl Kind {
            /// The properties of the type of that name, if it can be swept.
            pub(crate) fn by_name(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($int) => Some(Self::of::<$int>()),)*
                    _ => None,
                }
            }
        }
    $(
        impl sealed::Sealed for $int {}

        impl Integer for $int {
            const NAME: &'static str = stringify!($int);
            const SIGNED: bool = $int::MIN != 0;
            const LEAST: i128 = $int::MIN as i128;
            const GREATEST: i128 = $int::MAX as i128;
            const MAX_LEN: usize = $int::BITS.div_ceil(7) as usize;

            #[inline]
            fn from_i128(number: i128) -> Self {
                number as $int
            }

            #[inline]
            fn to_i128(self) -> i128 {
                self as i128
            }

            #[inline]
            fn consecutive(self, values: &mut [Self]) {
                let mut next = self;
                for value in values {
                    *value = next;
                    next = next.wrapping_add(1);
                }
            }

            #[inline]
            fn other(self) -> Self {
                !self
            }
        }
    )*};
}

integer!(i64 u64 i32 u32 i16 u16 i8 u8);
