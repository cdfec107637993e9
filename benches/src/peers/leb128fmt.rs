//! leb128fmt: functions on slices, which advance a position.

use leb128fmt::{decode_uint_slice, encode_uint_slice};

use crate::contender::{Decode, Encode, VALID};

pub(crate) struct Leb128fmt;

macro_rules! leb128fmt {
    ($($int:ident)*) => {$(
        impl Encode<$int> for Leb128fmt {
            fn encode(&self, src: &[$int], dst: &mut [u8]) -> usize {
                let mut at = 0;
                for &value in src {
                    encode_uint_slice::<$int, { $int::BITS }>(value, dst, &mut at).expect(VALID);
                }
                at
            }
        }

        impl Decode<$int> for Leb128fmt {
            fn decode(&self, src: &[u8], dst: &mut [$int]) -> usize {
                let mut at = 0;
                for slot in dst {
                    *slot = decode_uint_slice::<$int, { $int::BITS }>(src, &mut at).expect(VALID);
                }
                at
            }
        }
    )*};
}

leb128fmt!(u32 u64);
