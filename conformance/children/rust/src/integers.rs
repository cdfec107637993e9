//! LEB128, zigzag, multiformats.

use bytes_varint::{VarIntSupport, VarIntSupportMut};
use gimli::{EndianSlice, LittleEndian};
use integer_encoding::VarInt;
use unsigned_varint::encode;
use varint_rs::{VarintReader, VarintWriter};
use wasmparser::BinaryReader;

use crate::{Codec, advancing, of, written};

fn rest<T>(source: &[u8], found: Option<(T, &[u8])>) -> Option<(T, usize)> {
    found.map(|(value, rest)| (value, source.len() - rest.len()))
}

fn used((bytes, len): ([u8; 16], u8)) -> Vec<u8> {
    bytes[..len.into()].to_vec()
}

type Slice<'s> = EndianSlice<'s, LittleEndian>;

fn slice<'s, T>(source: &'s [u8], read: fn(&mut Slice<'s>) -> gimli::Result<T>) -> Option<(T, usize)> {
    let mut reader = EndianSlice::new(source, LittleEndian);
    read(&mut reader).ok().map(|value| (value, source.len() - reader.len()))
}

/// The crate has no encoders.
fn wasm<T: crate::Value>(name: &'static str, read: fn(&mut BinaryReader<'_>) -> wasmparser::Result<T>) -> Codec {
    let decode = move |source: &[u8]| {
        let mut reader = BinaryReader::new(source, 0);
        read(&mut reader).ok().map(|value| (value, reader.current_position()))
    };
    of(name, decode, |_| Vec::new())
}

/// The codecs of four types, by expressions from which the compiler infers the type.
macro_rules! four {
    ($decode:expr, $encode:expr) => {
        vec![
            of::<u32>("unsigned-32", $decode, $encode),
            of::<u64>("unsigned-64", $decode, $encode),
            of::<i32>("zigzag-32", $decode, $encode),
            of::<i64>("zigzag-64", $decode, $encode),
        ]
    };
}

/// Codecs by methods of readers and writers.
macro_rules! methods {
    ($($wire_type:literal $read:ident $write:ident,)*) => { vec![$(
        of($wire_type, |s| advancing(s, |s| s.$read().ok()), |v| written(|out| out.$write(v)))
    ),*] };
}

/// Codecs by functions that take the number of bits as an argument of the type.
macro_rules! leb128fmt {
    ($($wire_type:literal $type:ty, $bits:literal $decode:ident $encode:ident,)*) => { vec![$(of(
        $wire_type,
        |s| {
            let mut at = 0;
            leb128fmt::$decode::<$type, $bits>(s, &mut at).ok().map(|value| (value, at))
        },
        |v| {
            let (mut bytes, mut at) = ([0; 10], 0);
            leb128fmt::$encode::<$type, $bits>(v, &mut bytes, &mut at).expect("space");
            bytes[..at].to_vec()
        },
    )),*] };
}

#[rustfmt::skip]
pub(crate) fn all() -> Vec<(&'static str, Vec<Codec>)> {
    vec![
        ("integer-encoding", four!(VarInt::decode_var, |v| v.encode_var_vec())),
        ("postcard", four!(
            |s| rest(s, postcard::take_from_bytes(s).ok()),
            |v| postcard::to_stdvec(&v).expect("space")
        )),
        ("leb128", vec![
            of("unsigned-64", |s| advancing(s, |s| leb128::read::unsigned(s).ok()),
                |v| written(|out| leb128::write::unsigned(out, v))),
            of("signed-64", |s| advancing(s, |s| leb128::read::signed(s).ok()),
                |v| written(|out| leb128::write::signed(out, v))),
        ]),
        ("leb128fmt", leb128fmt! {
            "unsigned-32" u32, 32 decode_uint_slice encode_uint_slice,
            "unsigned-64" u64, 64 decode_uint_slice encode_uint_slice,
            "signed-32" i32, 32 decode_sint_slice encode_sint_slice,
            "signed-64" i64, 64 decode_sint_slice encode_sint_slice,
        }),
        ("unsigned-varint", vec![
            of("unsigned-32", |s| rest(s, unsigned_varint::decode::u32(s).ok()),
                |v| encode::u32(v, &mut encode::u32_buffer()).to_vec()),
            of("unsigned-64", |s| rest(s, unsigned_varint::decode::u64(s).ok()),
                |v| encode::u64(v, &mut encode::u64_buffer()).to_vec()),
        ]),
        ("varint-rs", methods! {
            "unsigned-32" read_u32_varint write_u32_varint,
            "unsigned-64" read_u64_varint write_u64_varint,
            "zigzag-32" read_i32_varint write_i32_varint,
            "zigzag-64" read_i64_varint write_i64_varint,
        }),
        ("varint-simd", vec![
            of::<u32>("unsigned-32", |s| varint_simd::decode(s).ok(), |v| used(varint_simd::encode(v))),
            of::<u64>("unsigned-64", |s| varint_simd::decode(s).ok(), |v| used(varint_simd::encode(v))),
            of::<i32>("zigzag-32", |s| varint_simd::decode_zigzag(s).ok(), |v| used(varint_simd::encode_zigzag(v))),
            of::<i64>("zigzag-64", |s| varint_simd::decode_zigzag(s).ok(), |v| used(varint_simd::encode_zigzag(v))),
        ]),
        ("bytes-varint", methods! {
            "unsigned-32" try_get_u32_varint put_u32_varint,
            "unsigned-64" try_get_u64_varint put_u64_varint,
            "zigzag-32" try_get_i32_varint put_i32_varint,
            "zigzag-64" try_get_i64_varint put_i64_varint,
        }),
        ("gimli", vec![
            of("unsigned-64", |s| slice(s, gimli::leb128::read::unsigned),
                |v| written(|out| gimli::leb128::write::unsigned(out, v))),
            of("signed-64", |s| slice(s, gimli::leb128::read::signed),
                |v| written(|out| gimli::leb128::write::signed(out, v))),
        ]),
        ("wasmparser", vec![
            wasm("unsigned-32", |r| r.read_var_u32()), wasm("unsigned-64", |r| r.read_var_u64()),
            wasm("signed-32", |r| r.read_var_i32()), wasm("signed-33", |r| r.read_var_s33()),
            wasm("signed-64", |r| r.read_var_i64()),
        ]),
    ]
}
