//! Published crates with functions for single zigzag varints.

use integer_encoding::VarInt;
use prost::encoding::{decode_varint, encode_varint};
use zigzag_varint::zigzag;

use crate::contender::VALID;

/// A crate with functions for single zigzag varints.
pub(super) trait OneByOne {
    /// Returns the value at the start of `src`, and its length.
    fn decode(src: &[u8]) -> (i64, usize);
    fn encode(value: i64, dst: &mut Vec<u8>);
}

pub(super) struct IntegerEncoding;

impl OneByOne for IntegerEncoding {
    fn decode(src: &[u8]) -> (i64, usize) {
        i64::decode_var(src).expect(VALID)
    }

    fn encode(value: i64, dst: &mut Vec<u8>) {
        let mut bytes = [0; 10];
        let len = value.encode_var(&mut bytes);
        dst.extend_from_slice(&bytes[..len]);
    }
}

pub(super) struct Prost;

impl OneByOne for Prost {
    fn decode(src: &[u8]) -> (i64, usize) {
        let mut rest = src;
        let number = decode_varint(&mut rest).expect(VALID);
        (zigzag::u64_to_i64(number), src.len() - rest.len())
    }

    fn encode(value: i64, dst: &mut Vec<u8>) {
        encode_varint(zigzag::i64_to_u64(value), dst);
    }
}
