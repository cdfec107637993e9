//! The types that have a signed LEB128 encoding. The module is private, which seals `Signed`.

use super::types::{encode_i128, parse_i8, parse_i16, parse_i32, parse_i64, parse_i128, parse_isize};
use crate::encoded::Encoded;
use crate::error::DecodeError;
use crate::simd::single;
use crate::varint::VarInt;
use crate::width::Width;

/// An integer with a signed LEB128 encoding: `i8` to `i128` and `isize`. Sealed.
///
/// ```
/// use zigzag_varint::{VarInt, sleb128};
///
/// fn both_ways<T: sleb128::Signed>(value: T) -> bool {
///     let encoded = sleb128::encode(value);
///     encoded.len() <= T::MAX_LEN && sleb128::decode(&encoded) == Ok((value, encoded.len()))
/// }
/// assert!(both_ways(i8::MIN) && both_ways(i128::MIN));
/// ```
pub trait Signed: VarInt + Routines {}

/// The routines of a signed type.
pub trait Routines: Width {
    /// The encoding.
    fn to_sleb128(self) -> Encoded<Self>;
    /// Writes to the front of `dst`; the bytes used, or `None` where it does not fit.
    fn put_sleb128(self, dst: &mut [u8]) -> Option<usize>;
    /// Reads one value from the front of `src`: the value and its length.
    fn from_sleb128<const CANONICAL: bool>(src: &[u8]) -> Result<(Self, usize), DecodeError>;
}

macro_rules! routines {
    ($($int:ident $parse:ident |$value:ident, $dst:ident| $encoded:expr, $put:expr;)*) => {$(
        impl Signed for $int {}

        impl Routines for $int {
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
macro_rules! narrow {
    ($($int:ident $parse:ident)*) => { routines! {$(
        $int $parse |value, dst|
            {
                let (bytes, len) = single::encode_signed(value as i64);
                Encoded::new(bytes, len)
            },
            single::store_signed(value as i64, dst);
    )*} };
}

narrow! { i8 parse_i8 i16 parse_i16 i32 parse_i32 i64 parse_i64 isize parse_isize }

routines! {
    i128 parse_i128 |value, dst|
        encode_i128(value),
        {
            let encoded = encode_i128(value);
            dst.get_mut(..encoded.len())?.copy_from_slice(&encoded);
            Some(encoded.len())
        };
}
