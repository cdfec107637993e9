//! buffa: the functions for packed fields that its generated code calls.

use buffa::encoding::decode_varint;
use buffa::types;

use crate::contender::VALID;
use crate::packed_field::{Bool, FIELD_NUMBER, Int32, PackedField, Sint64, Uint64};

pub(crate) struct Buffa;

macro_rules! packed_field {
    ($($field:ident $int:ident $extend:ident $encode:ident $encoded_len:expr;)*) => {$(
        impl PackedField<$field> for Buffa {
            fn decode(&self, mut field: &[u8], values: &mut Vec<$int>) {
                let len = decode_varint(&mut field).expect(VALID) as usize;
                types::$extend(&field[..len], values, len).expect(VALID);
            }

            fn encode(&self, values: &[$int], field: &mut Vec<u8>) {
                let len: usize = values.iter().map($encoded_len).sum();
                types::put_len_delimited_header(FIELD_NUMBER, len as u64, field);
                for &value in values {
                    types::$encode(value, field);
                }
            }
        }
    )*};
}

packed_field! {
    Uint64 u64 extend_packed_uint64 encode_uint64 |value| types::uint64_encoded_len(*value);
    Sint64 i64 extend_packed_sint64 encode_sint64 |value| types::sint64_encoded_len(*value);
    Int32 i32 extend_packed_int32 encode_int32 |value| types::int32_encoded_len(*value);
    Bool bool extend_packed_bool encode_bool |_| types::BOOL_ENCODED_LEN;
}
