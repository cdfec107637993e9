//! LEB128, zigzag, multiformats.

use bytes_varint::{VarIntSupport, VarIntSupportMut};
use integer_encoding::VarInt;
use varint_rs::{VarintReader, VarintWriter};
use wasmparser::BinaryReader;

use crate::{Codec, Decoded, advancing, written};

fn pair<T: Into<i128>>((value, len): (T, usize)) -> (i128, usize) {
    (value.into(), len)
}

/// Wasmparser has no encoders.
fn none(_: i128) -> Vec<u8> {
    Vec::new()
}

macro_rules! integer_encoding {
    ($($wire_type:literal $int:ident)*) => { vec![$(
        ($wire_type, |source| $int::decode_var(source).map(pair), |value| (value as $int).encode_var_vec())
    ),*] };
}

macro_rules! leb128 {
    ($($wire_type:literal $function:ident $int:ident)*) => { vec![$((
        $wire_type,
        |source| advancing(source, |rest| leb128::read::$function(rest).ok()),
        |value| written(|out| leb128::write::$function(out, value as $int)),
    )),*] };
}

macro_rules! leb128fmt {
    ($($wire_type:literal $int:ident $decode:ident $encode:ident)*) => { vec![$((
        $wire_type,
        |source| {
            let mut at = 0;
            let value = leb128fmt::$decode::<$int, { $int::BITS }>(source, &mut at).ok()?;
            Some((value.into(), at))
        },
        |value| {
            let (mut bytes, mut at) = (vec![0; 10], 0);
            leb128fmt::$encode::<$int, { $int::BITS }>(value as $int, &mut bytes, &mut at).expect("space");
            bytes.truncate(at);
            bytes
        },
    )),*] };
}

macro_rules! unsigned_varint {
    ($($wire_type:literal $int:ident $buffer:ident)*) => { vec![$((
        $wire_type,
        |source| {
            let (value, rest) = unsigned_varint::decode::$int(source).ok()?;
            Some((value.into(), source.len() - rest.len()))
        },
        |value| unsigned_varint::encode::$int(value as $int, &mut unsigned_varint::encode::$buffer()).to_vec(),
    )),*] };
}

macro_rules! varint_rs {
    ($($wire_type:literal $int:ident $read:ident $write:ident)*) => { vec![$((
        $wire_type,
        |source| advancing(source, |rest| rest.$read().ok()),
        |value| written(|out| out.$write(value as $int)),
    )),*] };
}

macro_rules! varint_simd {
    ($($wire_type:literal $int:ident $decode:ident $encode:ident)*) => { vec![$((
        $wire_type,
        |source| varint_simd::$decode::<$int>(source).ok().map(pair),
        |value| {
            let (bytes, len) = varint_simd::$encode(value as $int);
            bytes[..len.into()].to_vec()
        },
    )),*] };
}

macro_rules! bytes_varint {
    ($($wire_type:literal $int:ident $get:ident $put:ident)*) => { vec![$((
        $wire_type,
        |source| advancing(source, |rest| rest.$get().ok()),
        |value| written(|out| out.$put(value as $int)),
    )),*] };
}

macro_rules! postcard {
    ($($wire_type:literal $int:ident)*) => { vec![$((
        $wire_type,
        |source| {
            let (value, rest) = postcard::take_from_bytes::<$int>(source).ok()?;
            Some((value.into(), source.len() - rest.len()))
        },
        |value| postcard::to_stdvec(&(value as $int)).unwrap_or_default(),
    )),*] };
}

macro_rules! gimli {
    ($($wire_type:literal $function:ident $int:ident)*) => { vec![$((
        $wire_type,
        |source| {
            let mut reader = gimli::EndianSlice::new(source, gimli::LittleEndian);
            let value = gimli::leb128::read::$function(&mut reader).ok()?;
            Some((value.into(), source.len() - reader.len()))
        },
        |value| written(|out| gimli::leb128::write::$function(out, value as $int)),
    )),*] };
}

macro_rules! wasmparser {
    ($($wire_type:literal $function:ident)*) => { vec![$((
        $wire_type,
        |source: &[u8]| -> Decoded {
            let mut reader = BinaryReader::new(source, 0);
            let value = reader.$function().ok()?;
            Some((value.into(), reader.current_position()))
        },
        none,
    )),*] };
}

pub(crate) fn all() -> Vec<(&'static str, Vec<Codec>)> {
    vec![
        (
            "integer-encoding",
            integer_encoding! {
                "unsigned-8" u8 "unsigned-16" u16 "unsigned-32" u32 "unsigned-64" u64
                "zigzag-8" i8 "zigzag-16" i16 "zigzag-32" i32 "zigzag-64" i64
            },
        ),
        ("leb128", leb128! { "unsigned-64" unsigned u64 "signed-64" signed i64 }),
        (
            "leb128fmt",
            leb128fmt! {
                "unsigned-32" u32 decode_uint_slice encode_uint_slice
                "unsigned-64" u64 decode_uint_slice encode_uint_slice
                "signed-32" i32 decode_sint_slice encode_sint_slice
                "signed-64" i64 decode_sint_slice encode_sint_slice
            },
        ),
        (
            "unsigned-varint",
            unsigned_varint! {
                "unsigned-8" u8 u8_buffer "unsigned-16" u16 u16_buffer "unsigned-32" u32 u32_buffer
                "unsigned-64" u64 u64_buffer
            },
        ),
        (
            "varint-rs",
            varint_rs! {
                "unsigned-8" u8 read_u8_varint write_u8_varint
                "unsigned-16" u16 read_u16_varint write_u16_varint
                "unsigned-32" u32 read_u32_varint write_u32_varint
                "unsigned-64" u64 read_u64_varint write_u64_varint
                "zigzag-32" i32 read_i32_varint write_i32_varint
                "zigzag-64" i64 read_i64_varint write_i64_varint
            },
        ),
        (
            "varint-simd",
            varint_simd! {
                "unsigned-8" u8 decode encode "unsigned-16" u16 decode encode
                "unsigned-32" u32 decode encode "unsigned-64" u64 decode encode
                "zigzag-32" i32 decode_zigzag encode_zigzag "zigzag-64" i64 decode_zigzag encode_zigzag
            },
        ),
        (
            "bytes-varint",
            bytes_varint! {
                "unsigned-16" u16 try_get_u16_varint put_u16_varint
                "unsigned-32" u32 try_get_u32_varint put_u32_varint
                "unsigned-64" u64 try_get_u64_varint put_u64_varint
                "zigzag-32" i32 try_get_i32_varint put_i32_varint
                "zigzag-64" i64 try_get_i64_varint put_i64_varint
            },
        ),
        (
            "postcard",
            postcard! {
                "unsigned-16" u16 "unsigned-32" u32 "unsigned-64" u64
                "zigzag-16" i16 "zigzag-32" i32 "zigzag-64" i64
            },
        ),
        ("gimli", gimli! { "unsigned-64" unsigned u64 "signed-64" signed i64 }),
        (
            "wasmparser",
            wasmparser! {
                "unsigned-32" read_var_u32 "unsigned-64" read_var_u64
                "signed-32" read_var_i32 "signed-33" read_var_s33 "signed-64" read_var_i64
            },
        ),
    ]
}
