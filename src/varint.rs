//! Functions for each integer type, usable in `const` context.
//!
//! They do the same as the methods of [`Varint`], which are not `const` because trait methods cannot
//! be. Signed types are zigzag-coded, as everywhere in the crate. They are the readable reference
//! implementation; outside of `const` context the methods of [`Varint`] are faster.
//!
//! ```
//! use zigzag_varint::{Encoded, varint};
//!
//! const TAG: Encoded<u32> = varint::encode_u32(300);
//! assert_eq!(TAG, [0xac, 0x02]);
//!
//! const BYTES: &[u8] = TAG.as_bytes();
//! const DECODED: u32 = match varint::decode_u32(BYTES) {
//!     Ok((value, _)) => value,
//!     Err(_) => panic!("not a varint"),
//! };
//! assert_eq!(DECODED, 300);
//! ```
//!
//! The three groups of functions with a type in their name differ in what they write for, say, -150:
//!
//! | function | result |
//! |---|---|
//! | [`zigzag::i64_to_u64`] | 299, an integer |
//! | [`varint::encode_i64`](encode_i64) | `ab 02`, the zigzag varint |
//! | [`Signed(x).encode()`](crate::Signed) | `ea 7e`, signed LEB128 |

use crate::error::{DecodeError, PaddedWidthError};
use crate::scalar::padding::pad;
use crate::scalar::value;
use crate::varint_trait::{Encoded, Varint};
use crate::zigzag;

macro_rules! functions {
    ($($int:ident: $example:literal in $bytes:literal; |$value:ident| $to_raw:expr; |$raw:ident| $from_raw:expr;
       $encode:ident $encoded_len:ident $encode_padded:ident $decode:ident $decode_canonical:ident
       $encode_raw:ident $encoded_len_raw:ident $parse_raw:ident)*) => {$(
        #[doc = concat!("Encodes a value of type `", stringify!($int), "`.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::varint;\n")]
        #[doc = concat!("assert_eq!(varint::", stringify!($encode), "(", $example, "), ", $bytes, ");\n```")]
        #[must_use]
        #[inline]
        pub const fn $encode($value: $int) -> Encoded<$int> {
            let (bytes, len) = value::$encode_raw($to_raw);
            Encoded::new(bytes, len)
        }

        #[doc = concat!("Returns the length in bytes of the encoding of a value of type `", stringify!($int), "`.")]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::varint;\n")]
        #[doc = concat!("assert_eq!(varint::", stringify!($encoded_len), "(", $example, "), 2);\n```")]
        #[must_use]
        #[inline]
        pub const fn $encoded_len($value: $int) -> usize {
            value::$encoded_len_raw($to_raw)
        }

        #[doc = concat!("Encodes a value of type `", stringify!($int), "` in exactly `WIDTH` bytes, as [`encode_padded`](crate::encode_padded) does.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "[`PaddedWidthError`] if the encoding is longer than `WIDTH`, or if no encoding of the type is that long."]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::varint;\n")]
        #[doc = concat!("assert_eq!(varint::", stringify!($encode_padded), "(0), Ok([0x80, 0x00]));\n```")]
        #[inline]
        pub const fn $encode_padded<const WIDTH: usize>(value: $int) -> Result<[u8; WIDTH], PaddedWidthError> {
            let mut bytes = [0; WIDTH];
            match pad($encode(value).as_bytes(), &mut bytes, <$int as Varint>::MAX_LEN, false) {
                Ok(()) => Ok(bytes),
                Err(error) => Err(error),
            }
        }

        #[doc = concat!("Decodes the value of type `", stringify!($int), "` at the start of `src`, and returns it with the length of its encoding.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "Those of [`Varint::decode`](crate::Varint::decode)."]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::varint;\n")]
        #[doc = concat!("assert_eq!(varint::", stringify!($decode), "(&", $bytes, "), Ok((", $example, ", 2)));\n```")]
        #[inline]
        pub const fn $decode(src: &[u8]) -> Result<($int, usize), DecodeError> {
            match value::$parse_raw(src, false) {
                Ok(($raw, len)) => Ok(($from_raw, len)),
                Err(error) => Err(error),
            }
        }

        #[doc = concat!("Decodes like [`", stringify!($decode), "`], and rejects overlong encodings.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "Those of [`Varint::decode`](crate::Varint::decode) for [`Canonical`](crate::Canonical)."]
        #[doc = ""]
        #[doc = concat!("```\nuse zigzag_varint::varint;\n")]
        #[doc = concat!("assert_eq!(varint::", stringify!($decode_canonical), "(&", $bytes, "), Ok((", $example, ", 2)));")]
        #[doc = concat!("assert!(varint::", stringify!($decode_canonical), "(&[0x87, 0x00]).is_err());\n```")]
        #[inline]
        pub const fn $decode_canonical(src: &[u8]) -> Result<($int, usize), DecodeError> {
            match value::$parse_raw(src, true) {
                Ok(($raw, len)) => Ok(($from_raw, len)),
                Err(error) => Err(error),
            }
        }
    )*};
}

macro_rules! unsigned {
    ($($int:ident $encode:ident $encoded_len:ident $encode_padded:ident $decode:ident $decode_canonical:ident $parse:ident)*) => {
        functions! {$(
            $int: "200" in "[0xc8, 0x01]"; |value| value; |raw| raw;
            $encode $encoded_len $encode_padded $decode $decode_canonical
            $encode $encoded_len $parse
        )*}
    };
}

unsigned! {
    u8 encode_u8 encoded_len_u8 encode_u8_padded decode_u8 decode_u8_canonical parse_u8
    u16 encode_u16 encoded_len_u16 encode_u16_padded decode_u16 decode_u16_canonical parse_u16
    u32 encode_u32 encoded_len_u32 encode_u32_padded decode_u32 decode_u32_canonical parse_u32
    u64 encode_u64 encoded_len_u64 encode_u64_padded decode_u64 decode_u64_canonical parse_u64
    u128 encode_u128 encoded_len_u128 encode_u128_padded decode_u128 decode_u128_canonical parse_u128
    usize encode_usize encoded_len_usize encode_usize_padded decode_usize decode_usize_canonical parse_usize
}

macro_rules! signed {
    ($($int:ident $encode:ident $encoded_len:ident $encode_padded:ident $decode:ident $decode_canonical:ident
       $to_raw:ident $from_raw:ident $encode_raw:ident $encoded_len_raw:ident $parse_raw:ident)*) => {
        functions! {$(
            $int: "-100" in "[0xc7, 0x01]"; |value| zigzag::$to_raw(value); |raw| zigzag::$from_raw(raw);
            $encode $encoded_len $encode_padded $decode $decode_canonical
            $encode_raw $encoded_len_raw $parse_raw
        )*}
    };
}

signed! {
    i8 encode_i8 encoded_len_i8 encode_i8_padded decode_i8 decode_i8_canonical
        i8_to_u8 u8_to_i8 encode_u8 encoded_len_u8 parse_u8
    i16 encode_i16 encoded_len_i16 encode_i16_padded decode_i16 decode_i16_canonical
        i16_to_u16 u16_to_i16 encode_u16 encoded_len_u16 parse_u16
    i32 encode_i32 encoded_len_i32 encode_i32_padded decode_i32 decode_i32_canonical
        i32_to_u32 u32_to_i32 encode_u32 encoded_len_u32 parse_u32
    i64 encode_i64 encoded_len_i64 encode_i64_padded decode_i64 decode_i64_canonical
        i64_to_u64 u64_to_i64 encode_u64 encoded_len_u64 parse_u64
    i128 encode_i128 encoded_len_i128 encode_i128_padded decode_i128 decode_i128_canonical
        i128_to_u128 u128_to_i128 encode_u128 encoded_len_u128 parse_u128
    isize encode_isize encoded_len_isize encode_isize_padded decode_isize decode_isize_canonical
        isize_to_usize usize_to_isize encode_usize encoded_len_usize parse_usize
}
