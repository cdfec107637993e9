//! The integer types that can be swept.

use super::interval::Interval;
use crate::VarInt;

/// An integer type of at most 64 bits, as the sweep sees it. Sealed, like [`VarInt`].
pub trait Integer: VarInt {
    /// Its name in Rust.
    const NAME: &'static str;
    /// Whether it is signed, and so goes through zigzag.
    const SIGNED: bool;
    /// The least value.
    const LEAST: i128;
    /// The greatest value.
    const GREATEST: i128;

    /// The value of that number, which must lie in the type's range (else its low bits).
    fn from_i128(number: i128) -> Self;
    /// The number.
    fn to_i128(self) -> i128;
    /// Fills `values` with consecutive numbers from `self` on.
    fn consecutive(self, values: &mut [Self]);
    /// A value that differs from this one.
    fn other(self) -> Self;
}

/// What there is to know of an integer type without having it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) signed: bool,
    pub(super) limits: Interval,
    pub(super) max_len: usize,
}

impl Kind {
    /// Of that type.
    pub(super) const fn of<T: Integer>() -> Self {
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
            /// Of the type of that name, if it can be swept.
            pub(super) fn by_name(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($int) => Some(Self::of::<$int>()),)*
                    _ => None,
                }
            }
        }
    $(
        impl Integer for $int {
            const NAME: &'static str = stringify!($int);
            const SIGNED: bool = $int::MIN != 0;
            const LEAST: i128 = $int::MIN as i128;
            const GREATEST: i128 = $int::MAX as i128;

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
