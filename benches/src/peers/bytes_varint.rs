//! bytes-varint: extension methods of `bytes::{Buf, BufMut}`, on slices. Signed types are zigzag.

use bytes_varint::{VarIntSupport, VarIntSupportMut};

use crate::contender::{Decode, Encode, VALID};

pub(crate) struct BytesVarint;

macro_rules! bytes_varint {
    ($($int:ident $put:ident $get:ident)*) => {$(
        impl Encode<$int> for BytesVarint {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> usize {
                let len = dst.len();
                let mut output = dst;
                for &value in src {
                    output.$put(value);
                }
                len - output.len()
            }
        }

        impl Decode<$int> for BytesVarint {
            fn decode(&self, src: &[u8], dst: &mut [$int]) -> usize {
                let mut input = src;
                for slot in dst {
                    *slot = input.$get().expect(VALID);
                }
                src.len() - input.len()
            }
        }
    )*};
}

bytes_varint! {
    u32 put_u32_varint try_get_u32_varint
    u64 put_u64_varint try_get_u64_varint
    i64 put_i64_varint try_get_i64_varint
}
