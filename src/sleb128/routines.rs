//! The routines of each type for generic callers. The module is private, which seals `Signed`.

use super::types::{encode_i128, parse_i8, parse_i16, parse_i32, parse_i64, parse_i128, parse_isize};
use crate::error::DecodeError;
use crate::simd::single;
use crate::varint_trait::{Encoded, Integer};

/// The supertrait of `Signed` that no other crate can implement: the routines of a type.
pub trait Sealed: Integer {
    /// Returns the encoding.
    fn to_sleb128(self) -> Encoded<Self>;
    /// Encodes at the start of `dst` and returns the length, or `None` if `dst` is too short.
    fn put_sleb128(self, dst: &mut [u8]) -> Option<usize>;
    /// Decodes the value at the start of `src`, and returns it with its length.
    fn from_sleb128<const CANONICAL: bool>(src: &[u8]) -> Result<(Self, usize), DecodeError>;
}

macro_rules! routines {
    ($($int:ident $parse:ident |$value:ident, $dst:ident| $encoded:expr, $put:expr;)*) => {$(
        impl Sealed for $int {
            #[inline]
            fn to_sleb128(self) -> Encoded<Self> {
                let $value = self;
                $encoded
            }

            #[inline]
            fn put_sleb128(self, $dst: &mut [u8]) -> Option<usize> {
                let $value = self;
                $put
            }

            #[inline(always)]
            fn from_sleb128<const CANONICAL: bool>(src: &[u8]) -> Result<(Self, usize), DecodeError> {
                $parse::<CANONICAL>(src)
            }
        }
    )*};
}

/// Types up to 64 bits: the encoding is made in a word.
macro_rules! in_a_word {
    ($($int:ident $parse:ident)*) => { routines! {$(
        $int $parse |value, dst|
            {
                let (bytes, len) = single::encode_signed(value as i64);
                Encoded::new(bytes, len)
            },
            single::store_signed(value as i64, dst);
    )*} };
}

in_a_word! { i8 parse_i8 i16 parse_i16 i32 parse_i32 i64 parse_i64 isize parse_isize }

routines! {
    i128 parse_i128 |value, dst|
        encode_i128(value),
        {
            let encoded = encode_i128(value);
            dst.get_mut(..encoded.len())?.copy_from_slice(&encoded);
            Some(encoded.len())
        };
}
