//! prost: the varints of protobuf fields (`uint32`, `uint64`, `sint64`), over `bytes::{Buf,
//! BufMut}` on slices.
//!
//! prost encodes all types as `u64`; for `sint64` it applies zigzag first.

use prost::encoding::{decode_varint, encode_varint};

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::Int;

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
