//! The grammar of signed LEB128, for values of the signed types.

use zigzag_varint::SignedInteger;
use zigzag_varint_oracle::signed;

use super::oracle::{Int, Outcome};

/// Decodes `src` by the grammar.
pub fn decode<T: Sleb>(src: &[u8], canonical: bool) -> Outcome<T> {
    signed::decode(T::BITS, src, canonical).map(|(integer, len)| (T::from_integer(integer), len))
}

/// A signed type.
pub trait Sleb: Int + SignedInteger {
    fn from_integer(integer: i128) -> Self;
}

macro_rules! sleb {
    ($($int:ident)*) => {$(
        impl Sleb for $int {
            fn from_integer(integer: i128) -> Self {
                integer.try_into().expect("within the type")
            }
        }
    )*};
}

sleb!(i8 i16 i32 i64 i128 isize);
