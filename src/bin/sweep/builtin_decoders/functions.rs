//! The functions of the crate that decode, with one signature.

use std::io::Read;

use varint_sweep::byte_strings::{BulkOutcome, DecodingError, Outcome};
use zigzag_varint::{BufReadVarint, BulkError, DecodeError, Decoder, Integer, Progress, ReadVarint, Reader};

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

pub(super) fn read<T: Integer>(src: &[u8], canonical: bool) -> Outcome<T> {
    let mut reader = Reader::new(src);
    let read = if canonical { reader.read_canonical() } else { reader.read::<T>() };
    Ok((read.map_err(convert_error)?, reader.position()))
}

pub(super) fn read_all<T: Integer>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    // The iterators borrow the reader, so its position is available only at the end.
    fn take<T>(mut read: impl Iterator<Item = Result<T, DecodeError>>, values: &mut [T]) -> BulkOutcome {
        fill(values, || {
            read.next().transpose().map(|value| value.map(|value| (value, 0))).map_err(convert_error)
        })
    }
    let mut reader = Reader::new(src);
    let outcome = match canonical {
        false => take(reader.values::<T>(), values),
        true => take(reader.values_canonical::<T>(), values),
    };
    BulkOutcome { bytes: reader.position(), ..outcome }
}

/// A function that passes bytes to a [`Decoder`]. It returns the value that ends in them, if any,
/// and the number of bytes used.
pub(super) type Push<T> = fn(&mut Decoder<T>, &[u8]) -> Result<(Option<T>, usize), DecodeError>;

/// The length of a piece in bytes.
const PIECE: usize = 3;

/// Decodes with a [`Decoder`] that receives the bytes in pieces.
pub(super) fn push_all<T: Integer>(
    src: &[u8],
    values: &mut [T],
    canonical: bool,
    push: Push<T>,
) -> BulkOutcome {
    let mut decoder = if canonical { Decoder::<T>::canonical() } else { Decoder::new() };
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
pub(super) fn decode_pieces<T: Integer>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let mut decoder = if canonical { Decoder::<T>::canonical() } else { Decoder::new() };
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

pub(super) fn read_buffered<T: Integer>(src: &[u8], canonical: bool) -> Outcome<T> {
    let (head, tail) = src.split_at(src.len().min(PIECE));
    let mut input = head.chain(tail);
    let read = match canonical {
        true => input.read_buffered_varint_canonical(),
        false => input.read_buffered_varint::<T>(),
    };
    let value = read.map_err(convert_io_error)?;
    let (head, tail) = input.get_ref();
    Ok((value, src.len() - head.len() - tail.len()))
}

pub(super) fn read_all_buffered<T: Integer>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let (head, tail) = src.split_at(src.len().min(PIECE));
    let mut input = head.chain(tail);
    let read = if canonical { input.read_varints_canonical(values) } else { input.read_varints::<T>(values) };
    let (head, tail) = input.get_ref();
    match read {
        Ok(values) => BulkOutcome { values, bytes: src.len() - head.len() - tail.len(), error: None },
        Err(BulkError { progress: Progress { values, bytes }, error }) => {
            BulkOutcome { values, bytes, error: Some(convert_io_error(error)) }
        }
    }
}

pub(super) fn read_io<T: Integer>(mut input: &[u8], canonical: bool) -> Outcome<T> {
    let len = input.len();
    let read = if canonical { input.read_varint_canonical() } else { input.read_varint::<T>() };
    Ok((read.map_err(convert_io_error)?, len - input.len()))
}

pub(super) fn read_all_io<T: Integer>(mut input: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let len = input.len();
    fill(values, || {
        let start = len - input.len();
        let next = if canonical { input.next_varint_canonical() } else { input.next_varint::<T>() };
        let next = next.map_err(|error| convert_io_error(error).offset_by(start))?;
        Ok(next.map(|value| (value, len - input.len())))
    })
}
