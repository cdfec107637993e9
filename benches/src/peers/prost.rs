//! prost: the varints of protobuf fields (`uint32`, `uint64`, `sint64`), over `bytes::{Buf,
//! BufMut}` on slices.
//!
//! prost encodes all types as `u64`; for `sint64` it applies zigzag first. For packed fields, these are
//! the functions that its generated code calls.

use prost::encoding::{self, DecodeContext, WireType, decode_varint, encode_varint};

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::Int;
use crate::packed_field::{Bool, FIELD_NUMBER, Int32, PackedField, Sint64, Uint64};

pub(crate) struct Prost;

impl<T: Int> Encode<T> for Prost {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        let len = dst.len();
        let mut output = dst;
        for &value in src {
            encode_varint(value.to_wire(), &mut output);
        }
        len - output.len()
    }
}

impl<T: Int> Decode<T> for Prost {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut input = src;
        for slot in dst {
            *slot = T::from_wire(decode_varint(&mut input).expect(VALID));
        }
        src.len() - input.len()
    }
}

macro_rules! packed_field {
    ($($field:ident $int:ident $module:ident)*) => {$(
        impl PackedField<$field> for Prost {
            fn decode(&self, mut field: &[u8], values: &mut Vec<$int>) {
                encoding::$module::merge_repeated(
                    WireType::LengthDelimited,
                    values,
                    &mut field,
                    DecodeContext::default(),
                )
                .expect(VALID);
            }

            fn encode(&self, values: &[$int], field: &mut Vec<u8>) {
                encoding::$module::encode_packed(FIELD_NUMBER, values, field);
            }
        }
    )*};
}

packed_field! {
    Uint64 u64 uint64
    Sint64 i64 sint64
    Int32 i32 int32
    Bool bool bool
}
