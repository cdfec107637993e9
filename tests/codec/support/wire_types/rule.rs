//! The rule of each wire type, as its documentation states it.

use std::fmt::Debug;
use std::marker::PhantomData;

use zigzag_varint::protobuf::{Bool, Int32, Int64, Sint32, Sint64, Uint32, Uint64};
use zigzag_varint::{Bits, Canonical, Integer, MaxLen, Signed, Varint};
use zigzag_varint_oracle::{Format, Rule};

use super::Row;
use super::encode::Encode;

/// A type of values, which the table has as numbers in two's complement.
pub trait Number: Copy + Default + Debug + PartialEq + Send + 'static {
    fn number(self) -> u128;
    fn of(number: u128) -> Self;
}

macro_rules! numbers {
    ($($int:ident)*) => {$(
        impl Number for $int {
            fn number(self) -> u128 {
                self as u128
            }

            fn of(number: u128) -> Self {
                number as Self
            }
        }
    )*};
}

numbers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

impl Number for bool {
    fn number(self) -> u128 {
        self.into()
    }

    fn of(number: u128) -> Self {
        number != 0
    }
}

// Not inlined: one copy for each type of values.
#[inline(never)]
pub fn numbers<V: Number>(values: &[V]) -> Vec<u128> {
    values.iter().map(|value| value.number()).collect()
}

#[inline(never)]
pub fn values_of<V: Number>(numbers: &[u128]) -> Vec<V> {
    numbers.iter().map(|&number| V::of(number)).collect()
}

/// A wire type with the rule that its documentation states.
pub trait Ruled: Varint<Value: Number> {
    const RULE: Rule;
    /// The functions that encode any value, unless there is a limit.
    const ENCODER: Option<&'static dyn Encode> = None;
    /// The same with the canonical rule.
    const CANONICAL_ENCODER: Option<&'static dyn Encode> = None;

    /// Returns the value that sinks write, or `None` if it is not accepted.
    fn wrapping(value: Self::Value) -> Option<Self>;
}

/// An integer type, which is its own wire type.
pub trait Int: Integer + Ruled + Number {}
impl<T: Integer + Ruled + Number> Int for T {}

/// Returns the values of some numbers on the wire.
pub fn values<W: Ruled>(numbers: &[u128]) -> Vec<W::Value> {
    numbers.iter().map(|&number| W::Value::of(W::RULE.value(number))).collect()
}

macro_rules! integers {
    ($format:ident: $($int:ident)*) => {$(
        impl Ruled for $int {
            const RULE: Rule = Rule::new(Format::$format, $int::BITS);
            const ENCODER: Option<&'static dyn Encode> = Some(&Row::<Self>(PhantomData));
            const CANONICAL_ENCODER: Option<&'static dyn Encode> = Some(&Row::<Canonical<Self>>(PhantomData));

            fn wrapping(value: Self) -> Option<Self> {
                Some(value)
            }
        }
    )*};
}

integers!(Unsigned: u8 u16 u32 u64 u128 usize);
integers!(Zigzag: i8 i16 i32 i64 i128 isize);

macro_rules! wrappers {
    ($($Wire:ty: $format:ident $bits:expr;)*) => {$(
        impl Ruled for $Wire {
            const RULE: Rule = Rule::new(Format::$format, $bits);
            const ENCODER: Option<&'static dyn Encode> = Some(&Row::<Self>(PhantomData));
            const CANONICAL_ENCODER: Option<&'static dyn Encode> = Some(&Row::<Canonical<Self>>(PhantomData));

            fn wrapping(value: Self::Value) -> Option<Self> {
                Some(Self(value))
            }
        }
    )*};
}

wrappers! {
    Signed<i8>: Signed 8;
    Signed<i16>: Signed 16;
    Signed<i32>: Signed 32;
    Signed<i64>: Signed 64;
    Signed<i128>: Signed 128;
    Signed<isize>: Signed isize::BITS;
    Int32: IntField 32;
    Int64: IntField 64;
    Uint32: UintField 32;
    Uint64: UintField 64;
    Sint32: SintField 32;
    Sint64: SintField 64;
    Bool: BoolField 1;
}

impl<W: Ruled> Ruled for Canonical<W> {
    const RULE: Rule = W::RULE.canonical();
    const ENCODER: Option<&'static dyn Encode> = W::CANONICAL_ENCODER;
    const CANONICAL_ENCODER: Option<&'static dyn Encode> = W::CANONICAL_ENCODER;

    fn wrapping(value: Self::Value) -> Option<Self> {
        W::wrapping(value).map(Self)
    }
}

impl<W: Ruled, const N: usize> Ruled for MaxLen<W, N> {
    const RULE: Rule = W::RULE.at_most(N);

    fn wrapping(value: Self::Value) -> Option<Self> {
        Self::new(value)
    }
}

macro_rules! bits {
    ($($format:ident: $($W:ty),*;)*) => {$($(
        impl<const N: u32> Ruled for Bits<$W, N> {
            const RULE: Rule = Rule::new(Format::$format, N);

            fn wrapping(value: Self::Value) -> Option<Self> {
                Self::new(value)
            }
        }
    )*)*};
}

bits! {
    Unsigned: u8, u16, u32, u64, u128;
    Zigzag: i32, i64;
    Signed: Signed<i16>, Signed<i32>, Signed<i64>, Signed<i128>;
}
