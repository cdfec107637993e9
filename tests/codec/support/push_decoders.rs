//! The decoders for input in chunks, `Decoder` and `sleb128::Decoder`, with a common trait.

use std::any::type_name;
use std::fmt::Debug;

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{DecodeError, Decoder, Varint, sleb128};

use super::oracle::{self, ErrorAt, Int, Outcome};
use super::sleb128_grammar::{self, Sleb};

/// A decoder for input in chunks, with its oracle.
pub trait PushDecoder: Sized {
    type Value: Copy + PartialEq + Debug;

    fn push(&mut self, byte: u8) -> Result<Option<Self::Value>, DecodeError>;
    fn push_slice(&mut self, chunk: &[u8]) -> Result<(Option<Self::Value>, usize), DecodeError>;
    fn pending(&self) -> usize;
    fn finish(&mut self) -> Result<(), DecodeError>;

    /// Decodes the first value of `src` with the oracle.
    fn expected(src: &[u8], canonical: bool) -> Outcome<Self::Value>;
}

macro_rules! push_decoder {
    ([$($generic:tt)*] $Decoder:ty, $Value:ty, $oracle:path) => {
        impl<$($generic)*> PushDecoder for $Decoder {
            type Value = $Value;

            fn push(&mut self, byte: u8) -> Result<Option<$Value>, DecodeError> {
                Self::push(self, byte)
            }

            fn push_slice(&mut self, chunk: &[u8]) -> Result<(Option<$Value>, usize), DecodeError> {
                Self::push_slice(self, chunk)
            }

            fn pending(&self) -> usize {
                Self::pending(self)
            }

            fn finish(&mut self) -> Result<(), DecodeError> {
                Self::finish(self)
            }

            fn expected(src: &[u8], canonical: bool) -> Outcome<$Value> {
                $oracle(src, canonical)
            }
        }
    };
}

push_decoder!([W: Varint<Value: Int>] Decoder<W>, W::Value, oracle::decode);
push_decoder!([T: Sleb] sleb128::Decoder<T>, T, sleb128_grammar::decode);

/// Decodes all values of `src` in chunks and continues after each error. Every other chunk is
/// passed as a slice, the rest as single bytes. Checks values, errors, offsets and the numbers of
/// bytes.
pub fn check_chunks<D: PushDecoder>(
    mut decoder: D,
    src: &[u8],
    canonical: bool,
    mut next_len: impl FnMut() -> usize,
) {
    let name = type_name::<D>();
    // Positions of the next byte, of the first byte of the current value, and from which the
    // decoder counts its offsets.
    let (mut at, mut start, mut origin) = (0, 0, 0);
    let mut single = false;
    while at < src.len() {
        let end = src.len().min(at + next_len());
        single ^= true;
        while at < end {
            let pushed = match single {
                true => decoder.push(src[at]).map(|value| (value, 1)),
                false => decoder.push_slice(&src[at..end]),
            };
            match pushed {
                Ok((Some(value), consumed)) => {
                    at += consumed;
                    let expected = D::expected(&src[start..], canonical);
                    assert_eq!(Ok((value, at - start)), expected, "{name} {src:02x?} from {start}");
                    start = at;
                }
                Ok((None, consumed)) => {
                    at += consumed;
                    assert!(
                        single || at == end,
                        "{name} {src:02x?}: stops at {at}, before the end of the chunk"
                    );
                    let expected = D::expected(&src[start..at], canonical);
                    let truncated = Err(ErrorAt { kind: Truncated, offset: at - start });
                    assert_eq!(expected, truncated, "{name} {src:02x?} from {start}");
                }
                Err(error) => {
                    let expected = D::expected(&src[start..end], canonical)
                        .map_err(|error| error.shifted(start - origin));
                    assert_eq!(expected, Err(error.into()), "{name} {src:02x?} from {start}");
                    at = origin + error.offset() + 1;
                    (start, origin) = (at, at);
                }
            }
            assert_eq!(decoder.pending(), at - start, "{name} {src:02x?} at {at}");
        }
    }
    let truncated = ErrorAt { kind: Truncated, offset: at - origin };
    let expected = if start < at { Err(truncated) } else { Ok(()) };
    assert_eq!(decoder.finish().map_err(ErrorAt::from), expected, "{name} {src:02x?}");
    assert_eq!((decoder.pending(), decoder.finish()), (0, Ok(())), "the decoder is reset");
}
