//! The functions of the crate that decode, with one signature.

use std::io::Read;

use varint_sweep::byte_strings::{BulkOutcome, DecodingError, Outcome};
use zigzag_varint::{BufReadVarint, BulkError, DecodeError, Decoder, Progress, ReadVarint, Reader, Varint};

use super::outcomes::{bulk, convert_error, convert_io_error};

/// Fills `values` from `next` until it returns `None` or an error. `next` returns each value with
/// the offset of its end.
#[inline]
fn fill<T>(
    values: &mut [T],
    mut next: impl FnMut() -> Result<Option<(T, usize)>, DecodingError>,
) -> BulkOutcome {
    let (mut count, mut bytes) = (0, 0);
    for slot in values {
        match next() {
            Ok(Some((value, end))) => (*slot, count, bytes) = (value, count + 1, end),
            Ok(None) => break,
            Err(error) => return BulkOutcome { values: count, bytes, error: Some(error) },
        }
    }
    BulkOutcome { values: count, bytes, error: None }
}

pub(super) fn free<W: Varint>(src: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    bulk(W::decode_slice(src, values))
}

pub(super) fn read<W: Varint>(src: &[u8]) -> Outcome<W::Value> {
    let mut reader = Reader::new(src);
    Ok((reader.read::<W>().map_err(convert_error)?, reader.position()))
}

pub(super) fn read_all<W: Varint>(src: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    let mut reader = Reader::new(src);
    let mut read = reader.values::<W>();
    // The iterator borrows the reader, so its position is available only at the end.
    let outcome = fill(values, || {
        read.next().transpose().map(|value| value.map(|value| (value, 0))).map_err(convert_error)
    });
    BulkOutcome { bytes: reader.position(), ..outcome }
}

/// The length of a piece in bytes.
const PIECE: usize = 3;

/// Decodes with a [`Decoder`] that receives the bytes one by one.
pub(super) fn push_bytes<W: Varint>(src: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    push_all::<W>(src, values, |decoder, piece| Ok((decoder.push(piece[0])?, 1)))
}

/// Decodes with a [`Decoder`] that receives the bytes in pieces.
pub(super) fn push_pieces<W: Varint>(src: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    push_all::<W>(src, values, Decoder::push_slice)
}

/// Decodes with a [`Decoder`]. `push` passes bytes to it, and returns the value that ends in them,
/// if any, and the number of bytes used.
fn push_all<W: Varint>(
    src: &[u8],
    values: &mut [W::Value],
    push: impl Fn(&mut Decoder<W>, &[u8]) -> Result<(Option<W::Value>, usize), DecodeError>,
) -> BulkOutcome {
    let mut decoder = Decoder::<W>::new();
    let mut at = 0;
    fill(values, || {
        while at < src.len() {
            let piece = &src[at..src.len().min(at - at % PIECE + PIECE)];
            let (value, len) = push(&mut decoder, piece).map_err(convert_error)?;
            at += len;
            if let Some(value) = value {
                return Ok(Some((value, at)));
            }
        }
        decoder.finish().map(|()| None).map_err(convert_error)
    })
}

/// Decodes many values with a [`Decoder`] that receives the bytes in pieces.
pub(super) fn decode_pieces<W: Varint>(src: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    let mut decoder = Decoder::<W>::new();
    let mut done = Progress::default();
    let mut consumed = 0;
    for piece in src.chunks(PIECE) {
        match decoder.decode_slice(piece, &mut values[done.values..]) {
            Ok(next) => {
                consumed += next.bytes;
                done = Progress { values: done.values + next.values, bytes: consumed - decoder.pending() };
            }
            Err(BulkError { progress, error }) => {
                if progress.values > 0 {
                    done =
                        Progress { values: done.values + progress.values, bytes: consumed + progress.bytes };
                }
                return bulk(Err(BulkError { progress: done, error }));
            }
        }
    }
    bulk(decoder.finish().map(|()| done).map_err(|error| BulkError { progress: done, error }))
}

pub(super) fn read_buffered<W: Varint>(src: &[u8]) -> Outcome<W::Value> {
    let (head, tail) = src.split_at(src.len().min(PIECE));
    let mut input = head.chain(tail);
    let value = input.read_buffered_varint::<W>().map_err(convert_io_error)?;
    let (head, tail) = input.get_ref();
    Ok((value, src.len() - head.len() - tail.len()))
}

pub(super) fn read_all_buffered<W: Varint>(src: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    let (head, tail) = src.split_at(src.len().min(PIECE));
    let mut input = head.chain(tail);
    let read = input.read_varints::<W>(values);
    let (head, tail) = input.get_ref();
    match read {
        Ok(values) => BulkOutcome { values, bytes: src.len() - head.len() - tail.len(), error: None },
        Err(BulkError { progress: Progress { values, bytes }, error }) => {
            BulkOutcome { values, bytes, error: Some(convert_io_error(error)) }
        }
    }
}

pub(super) fn read_io<W: Varint>(mut input: &[u8]) -> Outcome<W::Value> {
    let len = input.len();
    Ok((input.read_varint::<W>().map_err(convert_io_error)?, len - input.len()))
}

pub(super) fn read_all_io<W: Varint>(mut input: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    let len = input.len();
    fill(values, || {
        let start = len - input.len();
        let next = input.next_varint::<W>().map_err(|error| convert_io_error(error).offset_by(start))?;
        Ok(next.map(|value| (value, len - input.len())))
    })
}
