//! unsigned-varint: encodes into an array, which here is part of the stream. It decodes canonical
//! forms only.

use unsigned_varint::{decode, encode};
use zigzag_varint::Varint;

use crate::contender::{Decode, Encode, VALID};

pub(crate) struct UnsignedVarint;

macro_rules! unsigned_varint {
    ($($int:ident)*) => {$(
        impl Encode<$int> for UnsignedVarint {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> usize {
                let mut at = 0;
                for &value in src {
                    let array = dst[at..].first_chunk_mut::<{ <$int>::MAX_LEN }>().expect(VALID);
                    at += encode::$int(value, array).len();
                }
                at
            }
        }

        impl Decode<$int> for UnsignedVarint {
            fn decode(&self, src: &[u8], dst: &mut [$int]) -> usize {
                let mut rest = src;
                for slot in dst {
                    (*slot, rest) = decode::$int(rest).expect(VALID);
                }
                src.len() - rest.len()
            }
        }
    )*};
}

unsigned_varint!(u32 u64);
