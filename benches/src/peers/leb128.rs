//! leb128: functions over `std::io`, on slices. Only `u64` has this wire format.

use leb128::{read, write};

use crate::contender::{Decode, Encode, VALID};

pub(crate) struct Leb128;

impl Encode<u64> for Leb128 {
    fn encode(&self, src: &[u64], dst: &mut [u8]) -> usize {
        let len = dst.len();
        let mut output = dst;
        for &value in src {
            write::unsigned(&mut output, value).expect(VALID);
        }
        len - output.len()
    }
}

impl Decode<u64> for Leb128 {
    fn decode(&self, src: &[u8], dst: &mut [u64]) -> usize {
        let mut input = src;
        for slot in dst {
            *slot = read::unsigned(&mut input).expect(VALID);
        }
        src.len() - input.len()
    }
}
