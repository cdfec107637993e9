//! varing: functions for sequences. Signed types are zigzag.

use varing::{Varint, encode_sequence, sequence_decoder};

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::Int;

pub(crate) struct Varing;

impl<T: Int + Varint> Encode<T> for Varing {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        encode_sequence(src.iter(), dst).expect(VALID)
    }
}

impl<T: Int + Varint> Decode<T> for Varing {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut values = sequence_decoder::<T>(src);
        for (slot, value) in dst.iter_mut().zip(&mut values) {
            (_, *slot) = value.expect(VALID);
        }
        values.position()
    }
}
