//! What every contender can do: turn a slice into a stream, and a stream into a slice.

use crate::corpus::Int;

/// Why an adapter may `expect`: the streams of this suite are valid, and checked to be.
pub(crate) const VALID: &str = "a valid stream";

/// Writes streams.
pub(crate) trait Encode<T: Int> {
    /// Encodes all of `src` to the front of `dst`, which has room for the longest encodings. The bytes used.
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize;

    /// The same in calls of `per_call` values.
    fn encode_calls(&self, per_call: usize, src: &[T], dst: &mut [u8]) -> usize {
        let mut at = 0;
        for chunk in src.chunks(per_call) {
            at += self.encode(chunk, &mut dst[at..]);
        }
        at
    }
}

/// Reads streams.
pub(crate) trait Decode<T: Int> {
    /// Fills `dst` from the front of `src`. The bytes read.
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize;

    /// The same in calls of `per_call` values.
    fn decode_calls(&self, per_call: usize, src: &[u8], dst: &mut [T]) -> usize {
        let mut at = 0;
        for chunk in dst.chunks_mut(per_call) {
            at += self.decode(&src[at..], chunk);
        }
        at
    }
}

pub(crate) type Encoder<T> = (String, Box<dyn Encode<T>>);
pub(crate) type Decoder<T> = (String, Box<dyn Decode<T>>);
