//! The wire types as a table: a rule, which the oracle knows, and every API as a function on
//! numbers. So a check is compiled once for all of them, and another wire type is another row.

mod checks;
mod decoders;
mod encoders;

use std::any::type_name;

use zigzag_varint::protobuf::{Bool, Int32, Int64, Sint32, Sint64, Uint32, Uint64};
use zigzag_varint::{Canonical, MaxLen, S33, Signed, Varint};
use zigzag_varint_oracle::{Format, Rule};

pub use self::decoders::Decoders;
pub use self::encoders::Encoders;

/// A row of the table.
pub struct WireType {
    pub name: &'static str,
    pub rule: Rule,
    pub max_len: usize,
    pub decoders: Decoders,
    pub encoders: Encoders,
}

/// Returns the row of a wire type.
pub fn wire_type<W: Ruled>() -> WireType {
    WireType {
        name: type_name::<W>(),
        rule: W::RULE,
        max_len: W::MAX_LEN,
        decoders: Decoders::of::<W>(),
        encoders: Encoders::of::<W>(),
    }
}

/// Returns the rows of the wire types other than the integers, which `apis` checks.
pub fn wire_types() -> Vec<WireType> {
    macro_rules! rows {
        ($($Wire:ty),* $(,)?) => { vec![$(wire_type::<$Wire>()),*] };
    }
    rows![
        Signed<i8>,
        Signed<i16>,
        Signed<i32>,
        Signed<i64>,
        Signed<i128>,
        Signed<isize>,
        S33,
        Int32,
        Int64,
        Uint32,
        Uint64,
        Sint32,
        Sint64,
        Bool,
        Canonical<u8>,
        Canonical<i8>,
        Canonical<u16>,
        Canonical<u32>,
        Canonical<i32>,
        Canonical<u64>,
        Canonical<i64>,
        Canonical<u128>,
        Canonical<Signed<i8>>,
        Canonical<Signed<i16>>,
        Canonical<Signed<i32>>,
        Canonical<Signed<i64>>,
        Canonical<Signed<i128>>,
        Canonical<S33>,
        Canonical<Int32>,
        Canonical<Int64>,
        Canonical<Uint32>,
        Canonical<Uint64>,
        Canonical<Sint32>,
        Canonical<Sint64>,
        Canonical<Bool>,
        MaxLen<u64, 9>,
        MaxLen<u64, 1>,
        MaxLen<u64, 10>,
        MaxLen<u8, 2>,
        MaxLen<i32, 4>,
        MaxLen<i128, 18>,
        MaxLen<Signed<i64>, 5>,
        MaxLen<S33, 4>,
        MaxLen<Int32, 7>,
        MaxLen<MaxLen<u32, 4>, 3>,
        MaxLen<Canonical<u64>, 9>,
        Canonical<MaxLen<u64, 9>>,
        Canonical<MaxLen<Int32, 7>>,
        Canonical<MaxLen<Sint32, 5>>,
        Canonical<Canonical<u16>>,
    ]
}

/// A type of values, which the table has as numbers in two's complement.
pub trait Number: Copy {
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

/// A wire type with the rule that its documentation states.
pub trait Ruled: Varint<Value: Number> {
    const RULE: Rule;

    fn wrapping(value: Self::Value) -> Self;
}

macro_rules! integers {
    ($format:ident: $($int:ident)*) => {$(
        impl Ruled for $int {
            const RULE: Rule = Rule::new(Format::$format, $int::BITS);

            fn wrapping(value: Self) -> Self {
                value
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

            fn wrapping(value: Self::Value) -> Self {
                Self(value)
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
    S33: Signed 33;
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

    fn wrapping(value: Self::Value) -> Self {
        Self(W::wrapping(value))
    }
}

impl<W: Ruled, const N: usize> Ruled for MaxLen<W, N> {
    const RULE: Rule = W::RULE.at_most(N);

    fn wrapping(value: Self::Value) -> Self {
        Self(W::wrapping(value))
    }
}
