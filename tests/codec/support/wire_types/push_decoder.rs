//! `Decoder`, whose input arrives in chunks.

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{BulkError, Decoder};
use zigzag_varint_oracle::{BulkOutcome, ErrorAt};

use super::decode::{BulkResult, append_by};
use super::{Number, Ruled, WireType};
use crate::support::pieces::Pieces;

/// A `Decoder` of any wire type.
pub trait PushDecoder {
    fn push(&mut self, byte: u8) -> Result<Option<u128>, ErrorAt>;
    fn push_slice(&mut self, chunk: &[u8]) -> Result<(Option<u128>, usize), ErrorAt>;
    /// Appends at most `capacity` values, and returns the number of bytes.
    fn decode_slice(&mut self, chunk: &[u8], capacity: usize, dst: &mut Vec<u128>) -> BulkResult;
    fn pending(&self) -> usize;
    fn finish(&mut self) -> Result<(), ErrorAt>;
}

impl<W: Ruled> PushDecoder for Decoder<W> {
    fn push(&mut self, byte: u8) -> Result<Option<u128>, ErrorAt> {
        Ok(self.push(byte)?.map(Number::number))
    }

    fn push_slice(&mut self, chunk: &[u8]) -> Result<(Option<u128>, usize), ErrorAt> {
        let (value, bytes) = self.push_slice(chunk)?;
        Ok((value.map(Number::number), bytes))
    }

    fn decode_slice(&mut self, chunk: &[u8], capacity: usize, dst: &mut Vec<u128>) -> BulkResult {
        let mut bytes = 0;
        append_by(capacity, dst, &mut |block| match self.decode_slice(chunk, block) {
            Ok(progress) => {
                bytes = progress.bytes;
                Ok(progress.values)
            }
            Err(BulkError { progress, error }) => Err(BulkError { progress, error: error.into() }),
        })?;
        Ok(bytes)
    }

    fn pending(&self) -> usize {
        self.pending()
    }

    fn finish(&mut self) -> Result<(), ErrorAt> {
        Ok(self.finish()?)
    }
}

impl dyn WireType {
    /// Decodes all pieces, at most `capacity` values in a call.
    pub(super) fn decode_in_blocks(&self, pieces: &Pieces, capacity: usize) -> BulkOutcome {
        let mut decoder = self.decoder();
        let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
        let mut consumed = 0;
        for &piece in pieces.0.iter().flatten() {
            let mut rest = piece;
            while !rest.is_empty() {
                let (pending, before) = (decoder.pending(), outcome.values.len());
                match decoder.decode_slice(rest, capacity, &mut outcome.values) {
                    Ok(bytes) => {
                        let full = outcome.values.len() - before == capacity;
                        assert!(full || bytes == rest.len(), "stops with space for more");
                        assert!(!full || decoder.pending() == 0, "takes a byte without space for its value");
                        rest = &rest[bytes..];
                        consumed += bytes;
                        outcome.bytes = consumed - decoder.pending();
                    }
                    Err(BulkError { progress, error }) => {
                        let started = if progress.values == 0 { pending } else { 0 };
                        outcome.bytes = consumed + progress.bytes - started;
                        outcome.error = Some(error);
                        let reset = (decoder.pending(), decoder.finish());
                        assert_eq!(reset, (0, Ok(())), "the decoder is reset");
                        return outcome;
                    }
                }
            }
        }
        outcome.error = decoder.finish().err();
        outcome
    }

    /// Decodes all values of `pieces` and continues after each error. The bytes of every other piece
    /// are passed one by one. Checks values, errors, offsets and the numbers of bytes.
    pub fn check_chunks(&self, src: &[u8], mut next_len: impl FnMut() -> usize) {
        let (name, rule) = (self.name(), self.rule());
        let mut decoder = self.decoder();
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
                        let expected = rule.decode(&src[start..]);
                        assert_eq!(Ok((value, at - start)), expected, "{name} {src:02x?} from {start}");
                        start = at;
                    }
                    Ok((None, consumed)) => {
                        at += consumed;
                        assert!(
                            single || at == end,
                            "{name} {src:02x?}: stops at {at}, before the end of the chunk"
                        );
                        let truncated = Err(ErrorAt { kind: Truncated, offset: at - start });
                        assert_eq!(rule.decode(&src[start..at]), truncated, "{name} {src:02x?} from {start}");
                    }
                    Err(error) => {
                        let expected =
                            rule.decode(&src[start..end]).map_err(|error| error.shifted(start - origin));
                        assert_eq!(expected, Err(error), "{name} {src:02x?} from {start}");
                        at = origin + error.offset + 1;
                        (start, origin) = (at, at);
                    }
                }
                assert_eq!(decoder.pending(), at - start, "{name} {src:02x?} at {at}");
            }
        }
        let truncated = ErrorAt { kind: Truncated, offset: at - origin };
        let expected = if start < at { Err(truncated) } else { Ok(()) };
        assert_eq!(decoder.finish(), expected, "{name} {src:02x?}");
        assert_eq!((decoder.pending(), decoder.finish()), (0, Ok(())), "the decoder is reset");
    }
}
