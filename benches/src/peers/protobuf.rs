//! protobuf (rust-protobuf): the functions for packed fields that its generated code calls.

use protobuf::{CodedInputStream, CodedOutputStream};

use crate::contender::VALID;
use crate::packed_field::{Bool, FIELD_NUMBER, Int32, PackedField, Sint64, Uint64};

pub(crate) struct Protobuf;

macro_rules! packed_field {
    ($($field:ident $int:ident $read:ident $write:ident)*) => {$(
        impl PackedField<$field> for Protobuf {
            fn decode(&self, field: &[u8], values: &mut Vec<$int>) {
                CodedInputStream::from_bytes(field).$read(values).expect(VALID);
            }

            fn encode(&self, values: &[$int], field: &mut Vec<u8>) {
                let mut output = CodedOutputStream::vec(field);
                output.$write(FIELD_NUMBER, values).expect(VALID);
                output.flush().expect(VALID);
            }
        }
    )*};
}

packed_field! {
    Uint64 u64 read_repeated_packed_uint64_into write_repeated_packed_uint64
    Sint64 i64 read_repeated_packed_sint64_into write_repeated_packed_sint64
    Int32 i32 read_repeated_packed_int32_into write_repeated_packed_int32
    Bool bool read_repeated_packed_bool_into write_repeated_packed_bool
}
