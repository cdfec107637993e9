//! Libraries for Protocol Buffers: the functions for packed fields that their generated code calls,
//! and those of this crate.

use buffa::{encoding::decode_varint, types};
use prost::encoding::{self, DecodeContext, WireType};
use protobuf::{CodedInputStream, CodedOutputStream};
use zigzag_varint::protobuf::{Bool, Int32, Sint64, Uint64};
use zigzag_varint::{Varint, encode_append};

use crate::contender::VALID;

/// The field number in all tags.
const FIELD_NUMBER: u32 = 1;

/// The functions for packed fields of a type.
#[derive(Clone, Copy)]
pub(crate) struct Field<V> {
    /// Appends the values of a field without its tag: the length and the contents.
    pub(crate) decode: fn(&[u8], &mut Vec<V>),
    /// Appends a whole field: the tag, the length and the contents.
    pub(crate) encode: fn(&[V], &mut Vec<u8>),
}

/// The functions of a library.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    pub(crate) uint64: Field<u64>,
    pub(crate) sint64: Field<i64>,
    pub(crate) int32: Field<i32>,
    pub(crate) bool: Field<bool>,
}

macro_rules! ours {
    ($($field:ident $Field:ident;)*) => {
        Library { $($field: Field {
            decode: |field, values| {
                let (len, prefix) = u64::decode(field).expect(VALID);
                $Field::decode_append(&field[prefix..][..len as usize], values).expect(VALID);
            },
            encode: |values, field| {
                field.push((FIELD_NUMBER << 3 | 2) as u8);
                encode_append(&[$Field::encoded_len_slice(values) as u64], field);
                $Field::encode_append(values, field);
            },
        }),* }
    };
}

pub(crate) const OURS: Library = ours! {
    uint64 Uint64;
    sint64 Sint64;
    int32 Int32;
    bool Bool;
};

macro_rules! prost {
    ($($field:ident)*) => {
        Library { $($field: Field {
            decode: |mut field, values| {
                let context = DecodeContext::default();
                encoding::$field::merge_repeated(WireType::LengthDelimited, values, &mut field, context)
                    .expect(VALID);
            },
            encode: |values, field| encoding::$field::encode_packed(FIELD_NUMBER, values, field),
        }),* }
    };
}

pub(crate) const PROST: Library = prost!(uint64 sint64 int32 bool);

// rust-protobuf
macro_rules! protobuf {
    ($($field:ident $read:ident $write:ident;)*) => {
        Library { $($field: Field {
            decode: |field, values| CodedInputStream::from_bytes(field).$read(values).expect(VALID),
            encode: |values, field| {
                let mut output = CodedOutputStream::vec(field);
                output.$write(FIELD_NUMBER, values).expect(VALID);
                output.flush().expect(VALID);
            },
        }),* }
    };
}

pub(crate) const PROTOBUF: Library = protobuf! {
    uint64 read_repeated_packed_uint64_into write_repeated_packed_uint64;
    sint64 read_repeated_packed_sint64_into write_repeated_packed_sint64;
    int32 read_repeated_packed_int32_into write_repeated_packed_int32;
    bool read_repeated_packed_bool_into write_repeated_packed_bool;
};

macro_rules! buffa {
    ($($field:ident $extend:ident $encode:ident $encoded_len:expr;)*) => {
        Library { $($field: Field {
            decode: |mut field, values| {
                let len = decode_varint(&mut field).expect(VALID) as usize;
                types::$extend(&field[..len], values, len).expect(VALID);
            },
            encode: |values, field| {
                let len: usize = values.iter().map($encoded_len).sum();
                types::put_len_delimited_header(FIELD_NUMBER, len as u64, field);
                for &value in values {
                    types::$encode(value, field);
                }
            },
        }),* }
    };
}

pub(crate) const BUFFA: Library = buffa! {
    uint64 extend_packed_uint64 encode_uint64 |value| types::uint64_encoded_len(*value);
    sint64 extend_packed_sint64 encode_sint64 |value| types::sint64_encoded_len(*value);
    int32 extend_packed_int32 encode_int32 |value| types::int32_encoded_len(*value);
    bool extend_packed_bool encode_bool |_| types::BOOL_ENCODED_LEN;
};
