//! integer-encoding: `encode_var` and `decode_var` on slices. Signed types are zigzag.

use integer_encoding::VarInt;

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::Int;

pub(crate) struct IntegerEncoding;

impl<T: Int + VarInt> Encode<T> for IntegerEncoding {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        let mut at = 0;
        for value in src {
            at += value.encode_var(&mut dst[at..]);
        }
        at
    }
}

impl<T: Int + VarInt> Decode<T> for IntegerEncoding {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut at = 0;
        for slot in dst {
            let (value, len) = T::decode_var(&src[at..]).expect(VALID);
            *slot = value;
            at += len;
        }
        at
    }
}
