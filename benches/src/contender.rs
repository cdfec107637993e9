//! The two operations of every contender: encode a slice into a stream, and decode a stream.

use crate::corpus::Int;

/// The message for `expect` in adapters: `Stream::new` checks that the streams of this suite are
/// valid.
pub(crate) const VALID: &str = "a valid stream";

/// Writes streams.
pub(crate) trait Encode<T: Int> {
    /// Encodes all of `src` into `dst`, which is large enough for the longest encodings, and
    /// returns the number of bytes written.
    fn encode(&self, src: &[T], dst: &mut [u8]) -> usize;

    /// Does the same in calls of `per_call` values.
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
    /// Decodes values from `src` until `dst` is full, and returns the number of bytes read.
    fn decode(&self, src: &[u8], dst: &mut [T]) -> usize;

    /// Decodes slices of `per_call` values, one per call, and returns the number of bytes read.
    fn decode_calls(&self, per_call: usize, slices: &[&[u8]], dst: &mut [T]) -> usize {
        slices.iter().zip(dst.chunks_mut(per_call)).map(|(slice, dst)| self.decode(slice, dst)).sum()
    }
}

pub(crate) type Encoder<T> = (String, Box<dyn Encode<T>>);
pub(crate) type Decoder<T> = (String, Box<dyn Decode<T>>);
