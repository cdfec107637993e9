//! The functions of the crate that decode, with one signature.

use std::io::{self, Read};

use every_input::byte_strings::{BulkOutcome, DecodingError, ErrorKind, Outcome};
use zigzag_varint::{BulkError, DecodeError, Decoder, Kernel, Progress, ReadVarint, Reader, Varint};

/// The length of the pieces of a codec and of a decoder of short strings in bytes. Most end inside a
/// value.
pub(super) const CODEC_PIECE: usize = 100;
pub(super) const DECODER_PIECE: usize = 3;

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

pub(super) fn on_kernel<W: Varint>(src: &[u8], values: &mut [W::Value], kernel: Kernel) -> BulkOutcome {
    bulk(kernel.decode_slice::<W>(src, values))
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

/// Decodes with a [`Decoder`] that receives the bytes one by one.
pub(super) fn push_bytes<W: Varint>(src: &[u8], values: &mut [W::Value]) -> BulkOutcome {
    push_all::<W>(src, values, 1, |decoder, piece| Ok((decoder.push(piece[0])?, 1)))
}

/// Decodes with a [`Decoder`] that receives the bytes in pieces.
pub(super) fn push_pieces<W: Varint>(src: &[u8], values: &mut [W::Value], piece: usize) -> BulkOutcome {
    push_all::<W>(src, values, piece, Decoder::push_slice)
}

/// Decodes with a [`Decoder`]. `push` passes bytes to it, and returns the value that ends in them,
/// if any, and the number of bytes used.
fn push_all<W: Varint>(
    src: &[u8],
    values: &mut [W::Value],
    piece: usize,
    push: impl Fn(&mut Decoder<W>, &[u8]) -> Result<(Option<W::Value>, usize), DecodeError>,
) -> BulkOutcome {
    let mut decoder = Decoder::<W>::new();
    let mut at = 0;
    fill(values, || {
        while at < src.len() {
            let rest = &src[at..src.len().min(at - at % piece + piece)];
            let (value, len) = push(&mut decoder, rest).map_err(convert_error)?;
            at += len;
            if let Some(value) = value {
                return Ok(Some((value, at)));
            }
        }
        decoder.finish().map(|()| None).map_err(convert_error)
    })
}

/// Decodes many values with a [`Decoder`] that receives the bytes in pieces.
pub(super) fn decode_pieces<W: Varint>(src: &[u8], values: &mut [W::Value], piece: usize) -> BulkOutcome {
    let mut decoder = Decoder::<W>::new();
    let mut done = Progress::default();
    let mut consumed = 0;
    for piece in src.chunks(piece) {
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
    let (head, tail) = src.split_at(src.len().min(DECODER_PIECE));
    let mut input = head.chain(tail);
    let value = input.read_varint::<W>().map_err(convert_io_error)?;
    let (head, tail) = input.get_ref();
    Ok((value, src.len() - head.len() - tail.len()))
}

/// Decodes from a buffer that ends after `piece` bytes.
pub(super) fn read_all_buffered<W: Varint>(src: &[u8], values: &mut [W::Value], piece: usize) -> BulkOutcome {
    let (head, tail) = src.split_at(src.len().min(piece));
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

pub(super) fn convert_error(error: DecodeError) -> DecodingError {
    let kind = match error.kind() {
        zigzag_varint::ErrorKind::Truncated => ErrorKind::Truncated,
        zigzag_varint::ErrorKind::Overflow | zigzag_varint::ErrorKind::TooLong => ErrorKind::Overflow,
        zigzag_varint::ErrorKind::NonCanonical => ErrorKind::NonCanonical,
        other => panic!("unknown error kind: {other:?}"),
    };
    DecodingError { kind, offset: error.offset() }
}

fn bulk(result: Result<Progress, BulkError>) -> BulkOutcome {
    let (progress, error) = match result {
        Ok(progress) => (progress, None),
        Err(failed) => (failed.progress, Some(failed.error)),
    };
    BulkOutcome { values: progress.values, bytes: progress.bytes, error: error.map(convert_error) }
}

/// Converts the decoding error inside an I/O error.
///
/// If there is no such error, or the I/O error has the wrong kind, the offset becomes `usize::MAX`,
/// which no correct decoder returns. The sweep then reports a disagreement.
fn convert_io_error(error: io::Error) -> DecodingError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<DecodeError>());
    let inner_error = inner.map_or(DecodingError::EMPTY_INPUT, |&error| convert_error(error));
    let expected = match inner_error.kind {
        ErrorKind::Truncated => io::ErrorKind::UnexpectedEof,
        _ => io::ErrorKind::InvalidData,
    };
    if inner.is_some() && error.kind() == expected {
        inner_error
    } else {
        DecodingError { offset: usize::MAX, ..inner_error }
    }
}
