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

use crate::bulk::{count, decode_block, encoded_len_slice, skip};
use crate::error::{BulkError, DecodeError, Progress};
use crate::protobuf;
use crate::simd::destination;
use crate::simd::lane::{i32_as_u32, i64_as_u64};
use crate::varint::decode_u64;
use crate::varint_trait::{Integer, Varint as _};
use crate::vec::{decode_append, encode_append};
use crate::wire_types::Canonical;

/// The number of values that are converted and encoded at a time, on the stack.
pub(super) const BLOCK: usize = 256;
/// The same for short fields, for which filling a longer block with zeros would take most of the time.
const SHORT_BLOCK: usize = 32;

/// The number of bytes that are tested at a time for values of one byte.
const BOOLS: usize = 64;

macro_rules! packed_field {
    ($field:literal $int:ident: $values:literal in $bytes:literal;
     $encode:ident $encode_by:expr; $encoded_len:ident $encoded_len_by:expr;
     $decode:ident $decode_by:expr; $decode_canonical:ident $decode_canonical_by:expr) => {
        #[doc = concat!("Appends the contents of a packed `", $field, "` field to `dst`, and returns their length in bytes. O(n).")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = "let mut bytes = Vec::new();"]
        #[doc = concat!("zigzag_varint::protobuf::packed::", stringify!($encode), "(&", $values, ", &mut bytes);")]
        #[doc = concat!("assert_eq!(bytes, ", $bytes, ");\n```")]
        pub fn $encode(src: &[$int], dst: &mut Vec<u8>) -> usize {
            $encode_by(src, dst)
        }

        #[doc = concat!("Returns the length in bytes of what [`", stringify!($encode), "`] appends: the number to write before it. O(n).")]
        #[doc = ""]
        #[doc = "```"]
        #[doc = concat!("assert_eq!(zigzag_varint::protobuf::packed::", stringify!($encoded_len), "(&", $values, "), ", $bytes, ".len());\n```")]
        #[must_use]
        pub fn $encoded_len(src: &[$int]) -> usize {
            $encoded_len_by(src)
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
            $decode_by(src, dst)
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
            $decode_canonical_by(src, dst)
        }
    };
}

packed_field! {
    "int32" i32: "[3, -2]" in "[0x03, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]";
    encode_int32 encode_int32s; encoded_len_int32 encoded_len_int32s;
    decode_int32 |src, dst| decode(src, dst, protobuf::int32_from_wire);
    decode_int32_canonical |src, dst| decode_canonical(src, dst, protobuf::int32_to_wire, protobuf::int32_from_wire, protobuf::decode_int32_canonical)
}

packed_field! {
    "int64" i64: "[3, -2]" in "[0x03, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]";
    encode_int64 |src, dst| encode_append(i64_as_u64(src), dst); encoded_len_int64 |src| encoded_len_slice(i64_as_u64(src));
    decode_int64 |src, dst| decode(src, dst, protobuf::int64_from_wire);
    decode_int64_canonical |src, dst| decode_canonical(src, dst, protobuf::int64_to_wire, protobuf::int64_from_wire, protobuf::decode_int64_canonical)
}

packed_field! {
    "uint32" u32: "[3, 300]" in "[0x03, 0xac, 0x02]";
    encode_uint32 encode_append; encoded_len_uint32 encoded_len_slice;
    decode_uint32 |src, dst| decode(src, dst, protobuf::uint32_from_wire);
    decode_uint32_canonical |src, dst| decode_as_varints(src, dst, protobuf::decode_uint32_canonical)
}

packed_field! {
    "uint64" u64: "[3, 300]" in "[0x03, 0xac, 0x02]";
    encode_uint64 encode_append; encoded_len_uint64 encoded_len_slice;
    decode_uint64 decode_append; decode_uint64_canonical Canonical::<u64>::decode_append
}

packed_field! {
    "sint32" i32: "[3, -2]" in "[0x06, 0x03]";
    encode_sint32 encode_append; encoded_len_sint32 encoded_len_slice;
    decode_sint32 |src, dst| decode(src, dst, protobuf::sint32_from_wire);
    decode_sint32_canonical |src, dst| decode_as_varints(src, dst, protobuf::decode_sint32_canonical)
}

packed_field! {
    "sint64" i64: "[3, -2]" in "[0x06, 0x03]";
    encode_sint64 encode_append; encoded_len_sint64 encoded_len_slice;
    decode_sint64 decode_append; decode_sint64_canonical Canonical::<i64>::decode_append
}

packed_field! {
    "bool" bool: "[true, false]" in "[0x01, 0x00]";
    encode_bool encode_bools;
    encoded_len_bool <[bool]>::len;
    decode_bool |src, dst| after_bools(src, dst, 0x7f, |src, dst| decode(src, dst, protobuf::bool_from_wire));
    decode_bool_canonical |src, dst| after_bools(src, dst, 1, |src, dst| decode_canonical(src, dst, protobuf::bool_to_wire, protobuf::bool_from_wire, protobuf::decode_bool_canonical))
}

/// A negative value is encoded in 64 bits. Values that are not negative have the same encoding in 32
/// bits, which takes less time.
fn encode_int32s(src: &[i32], dst: &mut Vec<u8>) -> usize {
    let encode_block = |block| match any_negative(block) {
        true => with_numbers(block, |numbers| encode_append(numbers, dst)),
        false => encode_append(i32_as_u32(block), dst),
    };
    src.chunks(BLOCK).map(encode_block).sum()
}

fn encoded_len_int32s(src: &[i32]) -> usize {
    let block_len = |block| match any_negative(block) {
        true => with_numbers(block, encoded_len_slice),
        false => encoded_len_slice(i32_as_u32(block)),
    };
    src.chunks(BLOCK).map(block_len).sum()
}

/// Passes the numbers on the wire of at most [`BLOCK`] values to `take`.
pub(super) fn with_numbers(values: &[i32], take: impl FnOnce(&[u64]) -> usize) -> usize {
    fn in_array<const N: usize>(values: &[i32], take: impl FnOnce(&[u64]) -> usize) -> usize {
        let mut numbers = [0; N];
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = protobuf::int32_to_wire(*value);
        }
        take(&numbers[..values.len()])
    }
    if values.len() <= SHORT_BLOCK {
        in_array::<SHORT_BLOCK>(values, take)
    } else {
        in_array::<BLOCK>(values, take)
    }
}

pub(super) fn any_negative(values: &[i32]) -> bool {
    values.iter().fold(0, |any, value| any | value) < 0
}

/// Appends one byte for each value.
fn encode_bools(src: &[bool], dst: &mut Vec<u8>) -> usize {
    dst.extend(src.iter().map(|&value| u8::from(value)));
    src.len()
}

/// Appends the values of the bytes up to the first one above `greatest`, or to one shortly before it. Then
/// `decode` appends the rest, and reports errors.
fn after_bools(
    src: &[u8],
    dst: &mut Vec<bool>,
    greatest: u8,
    decode: impl FnOnce(&[u8], &mut Vec<bool>) -> Result<usize, BulkError>,
) -> Result<usize, BulkError> {
    // All of them together have no bit that `greatest` lacks.
    let fits = |bytes: &&[u8]| bytes.iter().fold(0, |any, byte| any | byte) <= greatest;
    let len = src.chunks(BOOLS).take_while(fits).map(<[u8]>::len).sum();
    let (short, rest) = src.split_at(len);
    dst.extend(short.iter().map(|&byte| byte != 0));
    if rest.is_empty() {
        return Ok(len);
    }
    let done = Progress { values: len, bytes: len };
    let decoded = decode(rest, dst);
    decoded.map(|values| len + values).map_err(|failed| BulkError {
        progress: done.then(failed.progress),
        error: failed.error.shifted(len),
    })
}

/// Decodes all of `src` as 64-bit numbers, and appends the values that `from_wire` returns.
#[inline(always)]
fn decode<V>(src: &[u8], dst: &mut Vec<V>, from_wire: impl Fn(u64) -> V) -> Result<usize, BulkError> {
    let done = decode_blocks(src, dst, false, |numbers| numbers.len(), from_wire);
    finish(src, done, decode_u64)
}

/// Does the same as `decode`, and stops at the first number that the field does not write. The error
/// is that of `decode_one`.
#[inline(always)]
fn decode_canonical<V: Copy>(
    src: &[u8],
    dst: &mut Vec<V>,
    to_wire: impl Fn(V) -> u64,
    from_wire: impl Fn(u64) -> V,
    decode_one: impl Fn(&[u8]) -> Result<(V, usize), DecodeError>,
) -> Result<usize, BulkError> {
    let misfit = |number: &u64| to_wire(from_wire(*number)) != *number;
    let fitting = |numbers: &[u64]| numbers.iter().position(misfit).unwrap_or(numbers.len());
    let done = decode_blocks(src, dst, true, fitting, &from_wire);
    finish(src, done, decode_one)
}

/// Decodes with the integer type of the field, whose encoder writes the same bytes.
fn decode_as_varints<V: Integer>(
    src: &[u8],
    dst: &mut Vec<V>,
    decode_one: impl Fn(&[u8]) -> Result<(V, usize), DecodeError>,
) -> Result<usize, BulkError> {
    let decoded = Canonical::<V>::decode_append(src, dst);
    decoded.or_else(|failed| finish(src, failed.progress, decode_one))
}

/// Decodes blocks of numbers and appends the values of those that are `fitting`, up to the first number
/// that is invalid or not fitting. Returns the values and bytes before it, or of all of `src`.
#[inline(always)]
fn decode_blocks<V>(
    src: &[u8],
    dst: &mut Vec<V>,
    canonical: bool,
    fitting: impl Fn(&[u64]) -> usize,
    from_wire: impl Fn(u64) -> V,
) -> Progress {
    if src.len() > destination::BLOCK {
        dst.reserve(count(src));
    }
    let mut done = Progress::default();
    while done.bytes < src.len() {
        let rest = &src[done.bytes..];
        let mut values = 0;
        let decoded = decode_block(canonical, rest, |numbers| {
            values = fitting(numbers);
            dst.extend(numbers[..values].iter().map(|number| from_wire(*number)));
        });
        let progress = decoded.unwrap_or_else(|failed| failed.progress);
        done.values += values;
        if values < progress.values {
            done.bytes += skip(rest, values).unwrap_or(0);
            break;
        }
        done.bytes += progress.bytes;
        if decoded.is_err() {
            break;
        }
    }
    done
}

/// Returns the number of values, or the error of the varint that follows them.
fn finish<V>(
    src: &[u8],
    done: Progress,
    decode_one: impl Fn(&[u8]) -> Result<(V, usize), DecodeError>,
) -> Result<usize, BulkError> {
    match decode_one(&src[done.bytes..]) {
        Err(error) if done.bytes < src.len() => {
            Err(BulkError { progress: done, error: error.shifted(done.bytes) })
        }
        _ => Ok(done.values),
    }
}
