//! Protocol Buffers.

use buffa::types;
use prost::encoding::{self, DecodeContext, WireType};
use quick_protobuf::{BytesReader, Writer};

use crate::{Codec, advancing, written};

/// The functions that prost's generated code calls; the encoder writes a tag of one byte first.
macro_rules! prost {
    ($($wire_type:literal $field:ident $cast:expr;)*) => { vec![$((
        $wire_type,
        |source| advancing(source, |rest| {
            let mut value = Default::default();
            encoding::$field::merge(WireType::Varint, &mut value, rest, DecodeContext::default()).ok()?;
            Some(value)
        }),
        |value| written(|out| encoding::$field::encode(1, &$cast(value), out))[1..].to_vec(),
    )),*] };
}

macro_rules! buffa {
    ($($wire_type:literal $decode:ident $encode:ident $cast:expr;)*) => { vec![$((
        $wire_type,
        |source| advancing(source, |rest| types::$decode(rest).ok()),
        |value| written(|out| types::$encode($cast(value), out)),
    )),*] };
}

macro_rules! quick_protobuf {
    ($($wire_type:literal $read:ident $write:ident $cast:expr;)*) => { vec![$((
        $wire_type,
        |source| {
            let mut reader = BytesReader::from_bytes(source);
            let value = reader.$read(source).ok()?;
            Some((value.into(), source.len() - reader.len()))
        },
        |value| written(|out| Writer::new(out).$write($cast(value))),
    )),*] };
}

pub(crate) fn all() -> Vec<(&'static str, Vec<Codec>)> {
    vec![
        (
            "prost",
            prost! {
                "protobuf-int32" int32 |value| value as i32;
                "protobuf-int64" int64 |value| value as i64;
                "protobuf-uint32" uint32 |value| value as u32;
                "protobuf-uint64" uint64 |value| value as u64;
                "protobuf-sint32" sint32 |value| value as i32;
                "protobuf-sint64" sint64 |value| value as i64;
                "protobuf-bool" bool |value| value != 0;
            },
        ),
        (
            "buffa",
            buffa! {
                "protobuf-int32" decode_int32 encode_int32 |value| value as i32;
                "protobuf-int64" decode_int64 encode_int64 |value| value as i64;
                "protobuf-uint32" decode_uint32 encode_uint32 |value| value as u32;
                "protobuf-uint64" decode_uint64 encode_uint64 |value| value as u64;
                "protobuf-sint32" decode_sint32 encode_sint32 |value| value as i32;
                "protobuf-sint64" decode_sint64 encode_sint64 |value| value as i64;
                "protobuf-bool" decode_bool encode_bool |value| value != 0;
            },
        ),
        (
            "quick-protobuf",
            quick_protobuf! {
                "protobuf-int32" read_int32 write_int32 |value| value as i32;
                "protobuf-int64" read_int64 write_int64 |value| value as i64;
                "protobuf-uint32" read_uint32 write_uint32 |value| value as u32;
                "protobuf-uint64" read_uint64 write_uint64 |value| value as u64;
                "protobuf-sint32" read_sint32 write_sint32 |value| value as i32;
                "protobuf-sint64" read_sint64 write_sint64 |value| value as i64;
                "protobuf-bool" read_bool write_bool |value| value != 0;
            },
        ),
    ]
}
