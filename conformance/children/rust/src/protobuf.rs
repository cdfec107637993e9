//! Protocol Buffers.

use buffa::types;
use prost::encoding::{self, DecodeContext, WireType};
use quick_protobuf::{BytesReader, Writer};

use crate::{Codec, advancing, of, written};

/// The functions that prost's generated code calls; the encoder writes a tag of one byte first.
macro_rules! prost {
    ($($field:ident)*) => { vec![$(of(
        concat!("protobuf-", stringify!($field)),
        |source| advancing(source, |rest| {
            let mut value = Default::default();
            encoding::$field::merge(WireType::Varint, &mut value, rest, DecodeContext::default()).ok()?;
            Some(value)
        }),
        |value| written(|out| encoding::$field::encode(1, &value, out))[1..].to_vec(),
    )),*] };
}

macro_rules! buffa {
    ($($field:ident $decode:ident $encode:ident;)*) => { vec![$(of(
        concat!("protobuf-", stringify!($field)),
        |source| advancing(source, |rest| types::$decode(rest).ok()),
        |value| written(|out| types::$encode(value, out)),
    )),*] };
}

macro_rules! quick_protobuf {
    ($($field:ident $read:ident $write:ident;)*) => { vec![$(of(
        concat!("protobuf-", stringify!($field)),
        |source| {
            let mut reader = BytesReader::from_bytes(source);
            let value = reader.$read(source).ok()?;
            Some((value, source.len() - reader.len()))
        },
        |value| written(|out| Writer::new(out).$write(value)),
    )),*] };
}

#[rustfmt::skip]
pub(crate) fn all() -> Vec<(&'static str, Vec<Codec>)> {
    vec![
        ("prost", prost! { int32 int64 uint32 uint64 sint32 sint64 bool }),
        ("buffa", buffa! {
            int32 decode_int32 encode_int32; int64 decode_int64 encode_int64;
            uint32 decode_uint32 encode_uint32; uint64 decode_uint64 encode_uint64;
            sint32 decode_sint32 encode_sint32; sint64 decode_sint64 encode_sint64;
            bool decode_bool encode_bool;
        }),
        ("quick-protobuf", quick_protobuf! {
            int32 read_int32 write_int32; int64 read_int64 write_int64;
            uint32 read_uint32 write_uint32; uint64 read_uint64 write_uint64;
            sint32 read_sint32 write_sint32; sint64 read_sint64 write_sint64;
            bool read_bool write_bool;
        }),
    ]
}
