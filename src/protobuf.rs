//! The integers of Protocol Buffers: what `int32`, `int64`, `uint32`, `uint64`, `sint32`, `sint64`, `bool` and `enum` fields carry.
//!
//! On the wire all of them are unsigned 64-bit varints ("Encoding", section "More Integer Types"):
//!
//! | field | number on the wire | bytes |
//! |---|---|---|
//! | `uint32`, `uint64` | the value | 1 to 5, 1 to 10 |
//! | `int32`, `int64`, `enum` | the value, sign-extended to 64 bits | 1 to 5, 1 to 9; 10 where negative |
//! | `sint32`, `sint64` | its [`zigzag`] | 1 to 5, 1 to 10 |
//! | `bool` | 0 or 1 | 1 |
//!
//! So `i32::encode` of the crate is a `sint32`, not an `int32`. An `enum` is an `int32` in all.
//!
//! ```
//! use zigzag_varint::protobuf;
//!
//! assert_eq!(*protobuf::encode_sint32(-2), [0x03]);
//! assert_eq!(*protobuf::encode_int32(-2), [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
//! assert_eq!(protobuf::decode_int32(&protobuf::encode_int32(-2)), Ok((-2, 10)));
//! ```
//!
//! # What the decoders make of other numbers
//!
//! Fields may change their type between `int32`, `uint32`, `int64`, `uint64` and `bool`, and parsers must take what no longer fits "as
//! if you had cast the number to that type in C++" (language guides, "Updating A Message Type"). So `decode_int32` and its like read a
//! number of 64 bits and keep the low 32, `decode_sint32` does so before it undoes the zigzag, and any number but 0 is `true`:
//! the cases that protobuf's conformance suite requires of every parser. Overlong forms are accepted too. The
//! `_canonical` twins accept nothing but what the encoders write.
//!
//! A tenth byte above `01` is [`Overflow`](ErrorKind::Overflow) in all of them, as in the parsers of Go and of `prost`: no encoder
//! writes one. The parser of C++ drops the bits above the 64th without a word. There is no mode that does the same: the field would
//! hold a number that nobody wrote, and bytes that were damaged would pass for sound.
//!
//! # Other doors
//!
//! `..._to_wire` and `..._from_wire` lead from a field's value to the `u64` on the wire and back, so that everything else in the crate
//! serves too, a packed field for example:
//!
#![cfg_attr(feature = "alloc", doc = "```")]
#![cfg_attr(not(feature = "alloc"), doc = "```ignore")]
//! use zigzag_varint::{decode_to_vec, protobuf};
//!
//! let packed = [0x03, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
//! let values: Vec<i32> = decode_to_vec(&packed)?.into_iter().map(protobuf::int32_from_wire).collect();
//! assert_eq!(values, [3, -2]);
//! # Ok::<(), zigzag_varint::BulkError>(())
//! ```

use crate::error::{DecodeError, ErrorKind};
use crate::varint::{decode_u64, decode_u64_canonical, encode_u64, encoded_len_u64};
use crate::varint_trait::Encoded;
use crate::zigzag;

/// The first of the `len` bytes of `number` that does not fit a type of which `kept` is all that it keeps, and which has room for
/// `bits` bits before the sign.
const fn misfit(number: u64, kept: u64, bits: u32, len: usize) -> usize {
    // A negative number fits as long as it repeats the sign.
    let signs = if kept >> 63 == 1 { (number >> bits).trailing_ones() } else { 0 };
    let at = (bits + signs) as usize / 7;
    if at < len { at } else { len - 1 }
}

macro_rules! field {
    ($field:literal $int:ident: $example:literal as $wire:literal in $bytes:literal;
     $to_wire:ident |$value:ident| $to:expr; $from_wire:ident |$number:ident| $from:expr;
     $encode:ident $encoded_len:ident $decode:ident $decode_canonical:ident, bits $bits:literal) => {
        #[doc = concat!("The number that stands on the wire for a value of a `", $field, "` field.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($to_wire), "(", $example, "), ", $wire, ");\n```")]
        #[inline]
        pub const fn $to_wire($value: $int) -> u64 {
            $to
        }

        #[doc = concat!("The value of a `", $field, "` field for any number on the wire, as the [module](self) says.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($from_wire), "(", $wire, "), ", $example, ");\n```")]
        #[inline]
        pub const fn $from_wire($number: u64) -> $int {
            $from
        }

        #[doc = concat!("The encoding of a `", $field, "`, in an inline buffer.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(*zigzag_varint::protobuf::", stringify!($encode), "(", $example, "), ", $bytes, ");\n```")]
        #[inline]
        pub const fn $encode(value: $int) -> Encoded<u64> {
            encode_u64($to_wire(value))
        }

        #[doc = concat!("Bytes that the encoding of a `", $field, "` takes.")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::", stringify!($encoded_len), "(", $example, "), ", $bytes, ".len());\n```")]
        #[inline]
        pub const fn $encoded_len(value: $int) -> usize {
            encoded_len_u64($to_wire(value))
        }

        #[doc = concat!("Decodes a `", $field, "` from the front of `src`: the value and its length.")]
        #[doc = ""]
        #[doc = "Numbers beyond the type are taken as the [module](self) says."]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "`Truncated` and `Overflow`, as [`Varint::decode`](crate::Varint::decode) of a `u64`."]
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

        #[doc = concat!("Like [`", stringify!($decode), "`], and rejects all but what [`", stringify!($encode), "`] writes.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "`Truncated`, `Overflow` where the number does not fit the field, and `NonCanonical` where its last byte is needless."]
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
                        Err(DecodeError::new(ErrorKind::Overflow, misfit(number, kept, $bits, len)))
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
