//! LEB128, zigzag, multiformats.

use bytes_varint::{VarIntSupport, VarIntSupportMut};
use gimli::{EndianSlice, LittleEndian};
use integer_encoding::VarInt;
use unsigned_varint::encode;
use varint_rs::{VarintReader, VarintWriter};
use wasmparser::BinaryReader;

use crate::{Codec, Decoded, advancing, codecs, written};

fn pair<T: Into<i128>>((value, len): (T, usize)) -> (i128, usize) {
    (value.into(), len)
}

fn rest<T: Into<i128>>(source: &[u8], found: Option<(T, &[u8])>) -> Decoded {
    found.map(|(value, rest)| (value.into(), source.len() - rest.len()))
}

fn used((bytes, len): ([u8; 16], u8)) -> Vec<u8> {
    bytes[..len.into()].to_vec()
}

fn at_index<T: Into<i128>, E>(source: &[u8], read: fn(&[u8], &mut usize) -> Result<T, E>) -> Decoded {
    let mut at = 0;
    read(source, &mut at).ok().map(|value| (value.into(), at))
}

fn to_array<T, U>(value: T, write: fn(T, &mut [u8], &mut usize) -> Option<U>) -> Vec<u8> {
    let (mut bytes, mut at) = ([0; 10], 0);
    write(value, &mut bytes, &mut at).expect("space");
    bytes[..at].to_vec()
}

type Slice<'s> = EndianSlice<'s, LittleEndian>;

fn slice<'s, T: Into<i128>>(source: &'s [u8], read: fn(&mut Slice<'s>) -> gimli::Result<T>) -> Decoded {
    let mut reader = EndianSlice::new(source, LittleEndian);
    read(&mut reader).ok().map(|value| (value.into(), source.len() - reader.len()))
}

type Reader<'s> = BinaryReader<'s>;

fn wasm<'s, T: Into<i128>>(source: &'s [u8], read: fn(&mut Reader<'s>) -> wasmparser::Result<T>) -> Decoded {
    let mut reader = Reader::new(source, 0);
    read(&mut reader).ok().map(|value| (value.into(), reader.current_position()))
}

#[rustfmt::skip]
pub(crate) fn all() -> Vec<(&'static str, Vec<Codec>)> {
    vec![
        ("integer-encoding", codecs! {
            "unsigned-32": |s| u32::decode_var(s).map(pair), |v| (v as u32).encode_var_vec();
            "unsigned-64": |s| u64::decode_var(s).map(pair), |v| (v as u64).encode_var_vec();
            "zigzag-32": |s| i32::decode_var(s).map(pair), |v| (v as i32).encode_var_vec();
            "zigzag-64": |s| i64::decode_var(s).map(pair), |v| (v as i64).encode_var_vec();
        }),
        ("leb128", codecs! {
            "unsigned-64": |s| advancing(s, |s| leb128::read::unsigned(s).ok()),
                |v| written(|out| leb128::write::unsigned(out, v as u64));
            "signed-64": |s| advancing(s, |s| leb128::read::signed(s).ok()),
                |v| written(|out| leb128::write::signed(out, v as i64));
        }),
        ("leb128fmt", codecs! {
            "unsigned-32": |s| at_index(s, leb128fmt::decode_uint_slice::<u32, 32>),
                |v| to_array(v as u32, leb128fmt::encode_uint_slice::<u32, 32>);
            "unsigned-64": |s| at_index(s, leb128fmt::decode_uint_slice::<u64, 64>),
                |v| to_array(v as u64, leb128fmt::encode_uint_slice::<u64, 64>);
            "signed-32": |s| at_index(s, leb128fmt::decode_sint_slice::<i32, 32>),
                |v| to_array(v as i32, leb128fmt::encode_sint_slice::<i32, 32>);
            "signed-64": |s| at_index(s, leb128fmt::decode_sint_slice::<i64, 64>),
                |v| to_array(v as i64, leb128fmt::encode_sint_slice::<i64, 64>);
        }),
        ("unsigned-varint", codecs! {
            "unsigned-32": |s| rest(s, unsigned_varint::decode::u32(s).ok()),
                |v| encode::u32(v as u32, &mut encode::u32_buffer()).to_vec();
            "unsigned-64": |s| rest(s, unsigned_varint::decode::u64(s).ok()),
                |v| encode::u64(v as u64, &mut encode::u64_buffer()).to_vec();
        }),
        ("varint-rs", codecs! {
            "unsigned-32": |s| advancing(s, |s| s.read_u32_varint().ok()),
                |v| written(|out| out.write_u32_varint(v as u32));
            "unsigned-64": |s| advancing(s, |s| s.read_u64_varint().ok()),
                |v| written(|out| out.write_u64_varint(v as u64));
            "zigzag-32": |s| advancing(s, |s| s.read_i32_varint().ok()),
                |v| written(|out| out.write_i32_varint(v as i32));
            "zigzag-64": |s| advancing(s, |s| s.read_i64_varint().ok()),
                |v| written(|out| out.write_i64_varint(v as i64));
        }),
        ("varint-simd", codecs! {
            "unsigned-32": |s| varint_simd::decode::<u32>(s).ok().map(pair),
                |v| used(varint_simd::encode(v as u32));
            "unsigned-64": |s| varint_simd::decode::<u64>(s).ok().map(pair),
                |v| used(varint_simd::encode(v as u64));
            "zigzag-32": |s| varint_simd::decode_zigzag::<i32>(s).ok().map(pair),
                |v| used(varint_simd::encode_zigzag(v as i32));
            "zigzag-64": |s| varint_simd::decode_zigzag::<i64>(s).ok().map(pair),
                |v| used(varint_simd::encode_zigzag(v as i64));
        }),
        ("bytes-varint", codecs! {
            "unsigned-32": |s| advancing(s, |s| s.try_get_u32_varint().ok()),
                |v| written(|out| out.put_u32_varint(v as u32));
            "unsigned-64": |s| advancing(s, |s| s.try_get_u64_varint().ok()),
                |v| written(|out| out.put_u64_varint(v as u64));
            "zigzag-32": |s| advancing(s, |s| s.try_get_i32_varint().ok()),
                |v| written(|out| out.put_i32_varint(v as i32));
            "zigzag-64": |s| advancing(s, |s| s.try_get_i64_varint().ok()),
                |v| written(|out| out.put_i64_varint(v as i64));
        }),
        ("postcard", codecs! {
            "unsigned-32": |s| rest(s, postcard::take_from_bytes::<u32>(s).ok()),
                |v| postcard::to_stdvec(&(v as u32)).expect("space");
            "unsigned-64": |s| rest(s, postcard::take_from_bytes::<u64>(s).ok()),
                |v| postcard::to_stdvec(&(v as u64)).expect("space");
            "zigzag-32": |s| rest(s, postcard::take_from_bytes::<i32>(s).ok()),
                |v| postcard::to_stdvec(&(v as i32)).expect("space");
            "zigzag-64": |s| rest(s, postcard::take_from_bytes::<i64>(s).ok()),
                |v| postcard::to_stdvec(&(v as i64)).expect("space");
        }),
        ("gimli", codecs! {
            "unsigned-64": |s| slice(s, gimli::leb128::read::unsigned),
                |v| written(|out| gimli::leb128::write::unsigned(out, v as u64));
            "signed-64": |s| slice(s, gimli::leb128::read::signed),
                |v| written(|out| gimli::leb128::write::signed(out, v as i64));
        }),
        // It has no encoders.
        ("wasmparser", codecs! {
            "unsigned-32": |s| wasm(s, Reader::read_var_u32), |_| Vec::new();
            "unsigned-64": |s| wasm(s, Reader::read_var_u64), |_| Vec::new();
            "signed-32": |s| wasm(s, Reader::read_var_i32), |_| Vec::new();
            "signed-33": |s| wasm(s, Reader::read_var_s33), |_| Vec::new();
            "signed-64": |s| wasm(s, Reader::read_var_i64), |_| Vec::new();
        }),
    ]
}
