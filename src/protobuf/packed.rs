//! Packed fields: the values of a `repeated` field, one after another ("Encoding", section "Packed
//! Repeated Fields").
//!
//! The functions read and write the contents of the field, without its tag and its length.
//! [`LengthPrefix`](crate::LengthPrefix) reads the length, with a limit. The values have the
//! [encodings](super#) and the [decoding rules](super#decoding-rules) of single fields. For an `enum`,
//! use the functions of `int32`.
//!
//! ```
//! use zigzag_varint::protobuf::packed;
//!
//! let mut message = vec![0x22, packed::encoded_len_sint32(&[3, -2, 150]) as u8]; // field 4: tag, length
//! packed::encode_sint32(&[3, -2, 150], &mut message);
//! assert_eq!(message, [0x22, 0x04, 0x06, 0x03, 0xac, 0x02]);
//!
//! let mut values = Vec::new();
//! assert_eq!(packed::decode_sint32(&message[2..], &mut values), Ok(3));
//! assert_eq!(values, [3, -2, 150]);
//! ```
//!
//! A parser must accept a packed field in several parts, and append their values. It must also accept
//! a single value where a packed field is expected, and a packed field where single values are expected.

use alloc::vec::Vec;

use crate::error::BulkError;
use crate::protobuf::{Bool, Int32, Int64, Sint32, Sint64, Uint32, Uint64};
use crate::varint_trait::Varint as _;
use crate::wire_types::Canonical;

macro_rules! packed_field {
    ($field:literal $int:ident: $values:literal in $bytes:literal;
     $Field:ident $encode:ident $encoded_len:ident $decode:ident $decode_canonical:ident) => {
        #[doc = concat!("Appends the contents of a packed `", $field, "` field to `dst`, and returns their length in bytes. O(n).")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = "let mut bytes = Vec::new();"]
        #[doc = concat!("zigzag_varint::protobuf::packed::", stringify!($encode), "(&", $values, ", &mut bytes);")]
        #[doc = concat!("assert_eq!(bytes, ", $bytes, ");\n```")]
        pub fn $encode(src: &[$int], dst: &mut Vec<u8>) -> usize {
            $Field::encode_append(src, dst)
        }

        #[doc = concat!("Returns the length in bytes of what [`", stringify!($encode), "`] appends: the number to write before it. O(n).")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::packed::", stringify!($encoded_len), "(&", $values, "), ", $bytes, ".len());\n```")]
        #[must_use]
        pub fn $encoded_len(src: &[$int]) -> usize {
            $Field::encoded_len_slice(src)
        }

        #[doc = concat!("Decodes the contents of a packed `", $field, "` field, appends the values to `dst`, and returns their number. O(n).")]
        #[doc = ""]
        #[doc = "Numbers that do not fit the type are converted by the [rules](super#decoding-rules) of Protocol Buffers."]
        #[doc = "It allocates at most as many values as `src` has bytes."]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = "[`BulkError`] at the first varint that is `Truncated` or has an `Overflow` of 64 bits. The values before it are appended."]
        #[doc = ""]
        #[doc = "```"]
        #[doc = "let mut values = Vec::new();"]
        #[doc = concat!("zigzag_varint::protobuf::packed::", stringify!($decode), "(&", $bytes, ", &mut values)?;")]
        #[doc = concat!("assert_eq!(values, ", $values, ");")]
        #[doc = "# Ok::<(), zigzag_varint::BulkError>(())\n```"]
        pub fn $decode(src: &[u8], dst: &mut Vec<$int>) -> Result<usize, BulkError> {
            $Field::decode_append(src, dst)
        }

        #[doc = concat!("Decodes like [`", stringify!($decode), "`], and rejects everything that [`", stringify!($encode), "`] does not write.")]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = ""]
        #[doc = concat!("[`BulkError`] with the error of [`", stringify!($decode_canonical), "`](super::", stringify!($decode_canonical), ") for the first invalid varint.")]
        #[doc = "The values before it are appended."]
        #[doc = ""]
        #[doc = "```"]
        #[doc = "let mut values = Vec::new();"]
        #[doc = concat!("assert!(zigzag_varint::protobuf::packed::", stringify!($decode_canonical), "(&[0x01, 0x81, 0x00], &mut values).is_err());")]
        #[doc = "assert_eq!(values.len(), 1);\n```"]
        pub fn $decode_canonical(src: &[u8], dst: &mut Vec<$int>) -> Result<usize, BulkError> {
            Canonical::<$Field>::decode_append(src, dst)
        }
    };
}

packed_field! {
    "int32" i32: "[3, -2]" in "[0x03, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]";
    Int32 encode_int32 encoded_len_int32 decode_int32 decode_int32_canonical
}

packed_field! {
    "int64" i64: "[3, -2]" in "[0x03, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]";
    Int64 encode_int64 encoded_len_int64 decode_int64 decode_int64_canonical
}

packed_field! {
    "uint32" u32: "[3, 300]" in "[0x03, 0xac, 0x02]";
    Uint32 encode_uint32 encoded_len_uint32 decode_uint32 decode_uint32_canonical
}

packed_field! {
    "uint64" u64: "[3, 300]" in "[0x03, 0xac, 0x02]";
    Uint64 encode_uint64 encoded_len_uint64 decode_uint64 decode_uint64_canonical
}

packed_field! {
    "sint32" i32: "[3, -2]" in "[0x06, 0x03]";
    Sint32 encode_sint32 encoded_len_sint32 decode_sint32 decode_sint32_canonical
}

packed_field! {
    "sint64" i64: "[3, -2]" in "[0x06, 0x03]";
    Sint64 encode_sint64 encoded_len_sint64 decode_sint64 decode_sint64_canonical
}

packed_field! {
    "bool" bool: "[true, false]" in "[0x01, 0x00]";
    Bool encode_bool encoded_len_bool decode_bool decode_bool_canonical
}
