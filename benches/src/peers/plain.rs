//! The loop that programs without such a crate contain (postcard has a similar one).

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::Int;

pub(crate) struct Plain;

impl<T: Int> Encode<T> for Plain {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        let mut at = 0;
        for &value in src {
            let mut rest = value.to_wire();
            for slot in &mut dst[at..] {
                at += 1;
                if rest < 0x80 {
                    *slot = rest as u8;
                    break;
                }
                *slot = rest as u8 | 0x80;
                rest >>= 7;
            }
        }
        at
    }
}

impl<T: Int> Decode<T> for Plain {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut at = 0;
        for slot in dst {
            *slot = T::from_wire(decode_one::<T>(src, &mut at).expect(VALID));
        }
        at
    }
}

/// Decodes the number at `at` and advances `at` past it. Returns `None` if the input is truncated
/// or the number does not fit the type.
#[inline]
fn decode_one<T: Int>(src: &[u8], at: &mut usize) -> Option<u64> {
    let last = T::MAX_LEN - 1;
    let mut wire = 0;
    for index in 0..last {
        let byte = *src.get(*at)?;
        *at += 1;
        wire |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Some(wire);
        }
    }
    let byte = u64::from(*src.get(*at)?);
    *at += 1;
    (byte <= T::WIRE_MAX >> (7 * last)).then_some(wire | byte << (7 * last))
}
