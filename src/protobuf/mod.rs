//! The integer fields of Protocol Buffers: `int32`, `int64`, `uint32`, `uint64`, `sint32`, `sint64`, `bool` and `enum`.
//!
//! On the wire all of them are unsigned 64-bit varints ("Encoding", section "More Integer Types"):
//!
//! | field | number on the wire | bytes |
//! |---|---|---|
//! | `uint32`, `uint64` | the value | 1 to 5, 1 to 10 |
//! | `int32`, `int64`, `enum` | the value, sign-extended to 64 bits | 1 to 5, 1 to 9; 10 if negative |
//! | `sint32`, `sint64` | the [`zigzag`] number of the value | 1 to 5, 1 to 10 |
//! | `bool` | 0 or 1 | 1 |
//!
//! Note that `i32::encode` of this crate writes a `sint32`, not an `int32`. For an `enum`, use the
//! functions of `int32`.
//!
//! ```
//! use zigzag_varint::protobuf;
//!
//! assert_eq!(protobuf::encode_sint32(-2), [0x03]);
//! assert_eq!(protobuf::encode_int32(-2), [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
//! assert_eq!(protobuf::decode_int32(&protobuf::encode_int32(-2)), Ok((-2, 10)));
//! ```
//!
//! # Decoding rules
//!
//! The type of a field may change between `int32`, `uint32`, `int64`, `uint64` and `bool`. A parser must
//! then treat a number that does not fit "as if you had cast the number to that type in C++" (language
//! guides, "Updating A Message Type"). Therefore `decode_int32` and `decode_uint32` decode 64 bits and
//! keep the low 32. `decode_sint32` does so before it undoes the zigzag. `decode_bool` returns `true` for
//! every number except 0. Protobuf's conformance suite requires this of every parser. Overlong
//! encodings are accepted.
//!
//! The `_canonical` variants accept only what the encoders write.
//!
//! A tenth byte greater than `01` is [`Overflow`](ErrorKind::Overflow) for all fields, as in the parsers of Go
//! and of `prost`. No encoder writes such a byte. The parser of C++ ignores the bits past the 64th. There is no
//! mode for that: damaged bytes would be accepted as a number that nobody wrote.
//!
//! # Bulk decoding and other APIs
//!
//! The functions `..._to_wire` and `..._from_wire` convert between a field's value and the `u64` on the
//! wire, so that all APIs of the crate can be used. The module `packed` (feature `alloc`) has functions for
//! packed fields, and `fields` has them under names that macros can form.

#[cfg(feature = "alloc")]
pub mod fields;
#[cfg(feature = "alloc")]
pub mod packed;
mod types;

pub use self::types::{Bool, Enum, Int32, Int64, Sint32, Sint64, Uint32, Uint64};
use crate::error::{DecodeError, ErrorKind};
use crate::varint::{decode_u64, decode_u64_canonical, encode_u64, encoded_len_u64};
use crate::varint_trait::Encoded;
use crate::zigzag;

/// Returns the offset of the first byte that does not fit the field. `number` is what the `len` bytes
/// encode, `kept` is what the field keeps of it, and `bits` is the field's width without the sign.
const fn overflow_offset(number: u64, kept: u64, bits: u32, len: usize) -> usize {
    // A negative number fits as far as its high bits repeat the sign.
    let signs = if kept >> 63 == 1 { (number >> bits).trailing_ones() } else { 0 };
    let at = (bits + signs) as usize / 7;
    if at < len { at } else { len - 1 }
}

macro_rules! field {
    ($field:literal $int:ident: $example:literal as $wire:literal in $bytes:literal;
     $to_wire:ident |$value:ident| $to:expr; $from_wire:ident |$number:ident| $from:expr;
     $encode:ident $encoded_len:ident $decode:ident $decode_canonical:ident, bits $bits:literal) => {
        #[doc = concat!("Returns the number on the wire for the value of a `", $field, "` field.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($to_wire), "(", $example, "), ", $wire, ");\n```")]
        #[must_use]
        #[inline]
        pub const fn $to_wire($value: $int) -> u64 {
            $to
        }

        #[doc = concat!("Returns the value of a `", $field, "` field for any number on the wire, by the [rules](self#decoding-rules) of Protocol Buffers.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($from_wire), "(", $wire, "), ", $example, ");\n```")]
        #[must_use]
        #[inline]
        pub const fn $from_wire($number: u64) -> $int {
            $from
        }

        #[doc = concat!("Encodes the value of a `", $field, "` field into an inline buffer.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($encode), "(", $example, "), ", $bytes, ");\n```")]
        #[must_use]
        #[inline]
        pub const fn $encode(value: $int) -> Encoded<u64> {
            encode_u64($to_wire(value))
        }

        #[doc = concat!("Returns the length in bytes of the encoding of a `", $field, "` field.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($encoded_len), "(", $example, "), ", $bytes, ".len());\n```")]
        #[must_use]
        #[inline]
        pub const fn $encoded_len(value: $int) -> usize {
            encoded_len_u64($to_wire(value))
        }

        #[doc = concat!("Decodes the value of a `", $field, "` field at the start of `src`, and returns it with the length of its encoding.")]
        #[doc = ""]
        #[doc = "Numbers that do not fit the type are converted by the [rules](self#decoding-rules) of Protocol Buffers."]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "Those of [`Varint::decode`](crate::Varint::decode) for `u64`: `Truncated` and `Overflow`."]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($decode), "(&", $bytes, "), Ok((", $example, ", ", $bytes, ".len())));\n```")]
        #[inline]
        pub const fn $decode(src: &[u8]) -> Result<($int, usize), DecodeError> {
            match decode_u64(src) {
                Ok((number, len)) => Ok(($from_wire(number), len)),
                Err(error) => Err(error),
            }
        }

        #[doc = concat!("Decodes like [`", stringify!($decode), "`], and rejects everything that [`", stringify!($encode), "`] does not write.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "`Truncated`, `Overflow` if the number does not fit the field, and `NonCanonical` if the encoding is overlong."]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert!(zigzag_varint::protobuf::", stringify!($decode_canonical), "(&", $bytes, ").is_ok());")]
        #[doc = concat!("assert!(zigzag_varint::protobuf::", stringify!($decode_canonical), "(&[0x81, 0x00]).is_err());\n```")]
        #[inline]
        pub const fn $decode_canonical(src: &[u8]) -> Result<($int, usize), DecodeError> {
            match decode_u64_canonical(src) {
                Ok((number, len)) => {
                    let value = $from_wire(number);
                    let kept = $to_wire(value);
                    if number == kept {
                        Ok((value, len))
                    } else {
                        Err(DecodeError::new(ErrorKind::Overflow, overflow_offset(number, kept, $bits, len)))
                    }
                }
                Err(error) => Err(error),
            }
        }
    };
}

field! {
    "int32" i32: "-2" as "u64::MAX - 1" in "[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]";
    int32_to_wire |value| value as i64 as u64; int32_from_wire |number| number as i32;
    encode_int32 encoded_len_int32 decode_int32 decode_int32_canonical, bits 31
}

field! {
    "int64" i64: "-2" as "u64::MAX - 1" in "[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]";
    int64_to_wire |value| value as u64; int64_from_wire |number| number as i64;
    encode_int64 encoded_len_int64 decode_int64 decode_int64_canonical, bits 63
}

field! {
    "uint32" u32: "300" as "300" in "[0xac, 0x02]";
    uint32_to_wire |value| value as u64; uint32_from_wire |number| number as u32;
    encode_uint32 encoded_len_uint32 decode_uint32 decode_uint32_canonical, bits 32
}

field! {
    "uint64" u64: "300" as "300" in "[0xac, 0x02]";
    uint64_to_wire |value| value; uint64_from_wire |number| number;
    encode_uint64 encoded_len_uint64 decode_uint64 decode_uint64_canonical, bits 63
}

field! {
    "sint32" i32: "-2" as "3" in "[0x03]";
    sint32_to_wire |value| zigzag::i32_to_u32(value) as u64; sint32_from_wire |number| zigzag::u32_to_i32(number as u32);
    encode_sint32 encoded_len_sint32 decode_sint32 decode_sint32_canonical, bits 32
}

field! {
    "sint64" i64: "-2" as "3" in "[0x03]";
    sint64_to_wire |value| zigzag::i64_to_u64(value); sint64_from_wire |number| zigzag::u64_to_i64(number);
    encode_sint64 encoded_len_sint64 decode_sint64 decode_sint64_canonical, bits 63
}

field! {
    "bool" bool: "true" as "1" in "[0x01]";
    bool_to_wire |value| value as u64; bool_from_wire |number| number != 0;
    encode_bool encoded_len_bool decode_bool decode_bool_canonical, bits 1
}
