//! This crate's own contenders: every kernel of this CPU, and every API for one value at a time.

use zigzag_varint::protobuf::packed;
use zigzag_varint::{
    Kernel, ReadVarint, Reader, Varint, WriteVarint, decode_slice, encode_append, encode_slice,
};

use crate::contender::{Decode, Decoder, Encode, Encoder, VALID};
use crate::corpus::Int;
use crate::packed_field::{Bool, FIELD_NUMBER, Int32, PackedField, Sint64, Uint64};

/// The message for `expect` after encoding.
const LARGE_ENOUGH: &str = "space for the longest encodings";

/// Returns every kernel with its name as a contender, such as `ours-scalar`.
pub(crate) fn kernels() -> impl Iterator<Item = (String, Kernel)> {
    Kernel::available().map(|kernel| (format!("ours-{kernel}"), kernel))
}

pub(crate) fn encoders<T: Int>() -> Vec<Encoder<T>> {
    let kernels = kernels().map(|(name, kernel)| (name, Box::new(kernel) as Box<dyn Encode<T>>));
    kernels.chain([("ours-single".into(), Box::new(Single) as _)]).collect()
}

pub(crate) fn decoders<T: Int>() -> Vec<Decoder<T>> {
    let kernels = kernels().map(|(name, kernel)| (name, Box::new(kernel) as Box<dyn Decode<T>>));
    kernels
        .chain([
            ("ours-single".into(), Box::new(Single) as _),
            ("ours-reader".into(), Box::new(OneReader) as _),
        ])
        .collect()
}

impl<T: Int> Encode<T> for Kernel {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        self.encode_slice(src, dst).expect(LARGE_ENOUGH)
    }
}

impl<T: Int> Decode<T> for Kernel {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        self.decode_slice(src, dst).expect(VALID).bytes
    }
}

/// The free slice functions, which choose the kernel in every call. They show the cost of short
/// slices.
pub(crate) struct Detected;

impl<T: Int> Encode<T> for Detected {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        encode_slice(src, dst).expect(LARGE_ENOUGH)
    }
}

impl<T: Int> Decode<T> for Detected {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        decode_slice(src, dst).expect(VALID).bytes
    }
}

/// `Varint::encode_to_slice` and `Varint::decode`.
pub(crate) struct Single;

impl<T: Int> Encode<T> for Single {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        let mut at = 0;
        for value in src {
            at += value.encode_to_slice(&mut dst[at..]).expect(LARGE_ENOUGH);
        }
        at
    }
}

impl<T: Int> Decode<T> for Single {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut at = 0;
        for slot in dst {
            let (value, len) = T::decode(&src[at..]).expect(VALID);
            *slot = value;
            at += len;
        }
        at
    }
}

/// [`Reader`], one for the whole stream.
struct OneReader;

impl<T: Int> Decode<T> for OneReader {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut reader = Reader::new(src);
        for slot in dst {
            *slot = reader.read().expect(VALID);
        }
        reader.position()
    }
}

/// [`zigzag_varint::Decoder`], byte by byte.
pub(crate) struct ByteByByte;

impl<T: Int> Decode<T> for ByteByByte {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut decoder = zigzag_varint::Decoder::new();
        let mut slots = dst.iter_mut();
        for &byte in src {
            if let Some(value) = decoder.push(byte).expect(VALID)
                && let Some(slot) = slots.next()
            {
                *slot = value;
            }
        }
        src.len()
    }
}

/// [`ReadVarint`] and [`WriteVarint`] on slices.
pub(crate) struct Io;

impl<T: Int> Encode<T> for Io {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        let len = dst.len();
        let mut output = dst;
        for &value in src {
            output.write_varint(value).expect(LARGE_ENOUGH);
        }
        len - output.len()
    }
}

impl<T: Int> Decode<T> for Io {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut input = src;
        for slot in dst {
            *slot = input.read_varint().expect(VALID);
        }
        src.len() - input.len()
    }
}

/// The functions for packed fields of Protocol Buffers.
pub(crate) struct Packed;

macro_rules! packed_field {
    ($($field:ident $int:ident $decode:ident $encode:ident $encoded_len:ident)*) => {$(
        impl PackedField<$field> for Packed {
            fn decode(&self, field: &[u8], values: &mut Vec<$int>) {
                let (contents, prefix) = u64::decode(field).expect(VALID);
                packed::$decode(&field[prefix..][..contents as usize], values).expect(VALID);
            }

            fn encode(&self, values: &[$int], field: &mut Vec<u8>) {
                field.push((FIELD_NUMBER << 3 | 2) as u8);
                encode_append(&[packed::$encoded_len(values) as u64], field);
                packed::$encode(values, field);
            }
        }
    )*};
}

packed_field! {
    Uint64 u64 decode_uint64 encode_uint64 encoded_len_uint64
    Sint64 i64 decode_sint64 encode_sint64 encoded_len_sint64
    Int32 i32 decode_int32 encode_int32 encoded_len_int32
    Bool bool decode_bool encode_bool encoded_len_bool
}
