//! varint-simd: one value per call with SSE instructions. An encoder returns 16 bytes, which are
//! all stored if they fit.
//!
//! Its decoders of several values at once need a build for SSSE3, which the default build is not.

use varint_simd::{
    SignedVarIntTarget, VarIntDecodeError, VarIntTarget, decode, decode_unsafe, decode_zigzag, encode,
    encode_zigzag,
};

use crate::contender::{Decode, Encode, VALID};
use crate::corpus::Int;

/// The number of bytes that the crate reads or returns at once.
const VECTOR: usize = 16;

/// The functions of varint-simd for a type.
pub(crate) trait Value: Int {
    /// The type on the wire.
    type Wire: VarIntTarget;

    fn encode(self) -> ([u8; VECTOR], u8);
    fn decode(src: &[u8]) -> Result<(Self, usize), VarIntDecodeError>;
    fn from_target(wire: Self::Wire) -> Self;
}

macro_rules! value {
    ($($int:ident $wire:ident $encode:ident $decode:ident $from_target:expr)*) => {$(
        impl Value for $int {
            type Wire = $wire;

            #[inline]
            fn encode(self) -> ([u8; VECTOR], u8) {
                $encode(self)
            }
            #[inline]
            fn decode(src: &[u8]) -> Result<(Self, usize), VarIntDecodeError> {
                $decode(src)
            }
            #[inline]
            fn from_target(wire: $wire) -> Self {
                $from_target(wire)
            }
        }
    )*};
}

value! {
    u32 u32 encode decode std::convert::identity
    u64 u64 encode decode std::convert::identity
    i64 u64 encode_zigzag decode_zigzag <i64 as SignedVarIntTarget>::unzigzag
}

/// The safe functions of the crate.
pub(crate) struct Safe;

impl<T: Value> Encode<T> for Safe {
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize {
        let mut at = 0;
        for &value in src {
            let (vector, len) = Value::encode(value);
            let len = usize::from(len);
            match dst[at..].first_chunk_mut() {
                Some(slot) => *slot = vector,
                None => dst[at..at + len].copy_from_slice(&vector[..len]),
            }
            at += len;
        }
        at
    }
}

impl<T: Value> Decode<T> for Safe {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut at = 0;
        for slot in dst {
            let (value, len) = Value::decode(&src[at..]).expect(VALID);
            *slot = value;
            at += len;
        }
        at
    }
}

/// The unsafe decoder, which checks nothing, and the safe one for the last bytes, which it would
/// read past.
pub(crate) struct Unsafe;

impl<T: Value> Decode<T> for Unsafe {
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize {
        let mut at = 0;
        for slot in dst {
            let rest = &src[at..];
            let (value, len) = if rest.len() >= VECTOR {
                // SAFETY: `rest` has at least the 16 readable bytes that `decode_unsafe` requires.
                let (wire, len) = unsafe { decode_unsafe::<T::Wire>(rest.as_ptr()) };
                (T::from_target(wire), len)
            } else {
                Value::decode(rest).expect(VALID)
            };
            *slot = value;
            at += len;
        }
        at
    }
}
