//! The decoders that `sweep bytes` checks: one for each decoding API of the crate.

use std::io::{self, Read};

use clap::ValueEnum;
use varint_sweep::Integer;
use varint_sweep::byte_strings::{BulkOutcome, ByteDecoder, ByteSweep, DecodingError, ErrorKind, Outcome};
use zigzag_varint::{
    BufReadVarint, BulkError, DecodeError, Decoder, Kernel, Progress, ReadVarint, Reader, Varint,
    decode_slice, decode_slice_canonical,
};

/// A built-in decoder.
///
/// The command line takes the names from the variants and their descriptions from the comments.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuiltinDecoder {
    /// Varint::decode
    Single,
    /// varint::decode_u64 and its counterparts for the other types
    Const,
    /// Kernel::decode_slice, once for each kernel
    Bulk,
    /// decode_slice, which chooses the kernel
    Free,
    /// Reader::read and Reader::values
    Reader,
    /// Decoder::push, byte by byte
    Decoder,
    /// Decoder::push_slice, in pieces of three bytes
    Pieces,
    /// Decoder::decode_slice, in pieces of three bytes
    Chunks,
    /// ReadVarint::read_varint and next_varint
    Io,
    /// BufReadVarint::read_varints and read_buffered_varint, with a buffer that ends after three bytes
    BulkIo,
}

impl BuiltinDecoder {
    /// Returns whether the user can choose the decoder's [`Kernel`].
    pub(crate) fn has_kernels(self) -> bool {
        self == Self::Bulk
    }

    /// Adds the decoder to a sweep: once for each of `kernels` if it runs on kernels, and once
    /// otherwise.
    pub(crate) fn add_to<T: ConstDecode>(self, sweep: ByteSweep, kernels: &[Kernel]) -> ByteSweep {
        match self {
            Self::Single => {
                sweep.decoder::<T>(One { name: "single", first: [T::decode, T::decode_canonical] })
            }
            Self::Const => sweep.decoder::<T>(One { name: "const", first: T::CONST_DECODE }),
            Self::Bulk => kernels.iter().fold(sweep, |sweep, &kernel| {
                let all = move |src: &[u8], values: &mut [T], canonical| match canonical {
                    false => bulk(kernel.decode_slice(src, values)),
                    true => bulk(kernel.decode_slice_canonical(src, values)),
                };
                sweep.decoder::<T>(Many { kernel: Some(kernel.name()), is_bulk: true, ..many("bulk", all) })
            }),
            Self::Free => {
                let all = |src: &[u8], values: &mut [T], canonical| match canonical {
                    false => bulk(decode_slice(src, values)),
                    true => bulk(decode_slice_canonical(src, values)),
                };
                sweep.decoder::<T>(Many { is_bulk: true, ..many("free", all) })
            }
            Self::Reader => {
                sweep.decoder::<T>(Many { first: Some(read), is_bulk: true, ..many("reader", read_all::<T>) })
            }
            Self::Decoder => {
                sweep.decoder::<T>(many("decoder", |src: &[u8], values: &mut [T], canonical| {
                    push_all(src, values, canonical, |decoder, piece| Ok((decoder.push(piece[0])?, 1)))
                }))
            }
            Self::Pieces => sweep.decoder::<T>(many("pieces", |src: &[u8], values: &mut [T], canonical| {
                push_all(src, values, canonical, Decoder::push_slice)
            })),
            Self::Chunks => sweep.decoder::<T>(many("chunks", decode_pieces::<T>)),
            Self::BulkIo => sweep.decoder::<T>(Many {
                first: Some(read_buffered),
                is_bulk: true,
                ..many("bulk-io", read_all_buffered::<T>)
            }),
            Self::Io => sweep.decoder::<T>(Many { first: Some(read_io), ..many("io", read_all_io::<T>) }),
        }
    }
}

/// A function that decodes one value.
type DecodeOne<T> = fn(&[u8]) -> Result<(T, usize), DecodeError>;

/// An integer type with `const` functions that decode one value.
pub(crate) trait ConstDecode: Integer + Varint {
    /// The lenient and the canonical function.
    const CONST_DECODE: [DecodeOne<Self>; 2];
}

macro_rules! const_decode {
    ($($int:ident $decode:ident $decode_canonical:ident)*) => {$(
        impl ConstDecode for $int {
            const CONST_DECODE: [DecodeOne<Self>; 2] =
                [zigzag_varint::varint::$decode, zigzag_varint::varint::$decode_canonical];
        }
    )*};
}

const_decode! {
    u8 decode_u8 decode_u8_canonical
    u16 decode_u16 decode_u16_canonical
    u32 decode_u32 decode_u32_canonical
    u64 decode_u64 decode_u64_canonical
    i8 decode_i8 decode_i8_canonical
    i16 decode_i16 decode_i16_canonical
    i32 decode_i32 decode_i32_canonical
    i64 decode_i64 decode_i64_canonical
}

/// Converts an error of the codec.
fn convert_error(error: DecodeError) -> DecodingError {
    let kind = match error.kind() {
        zigzag_varint::ErrorKind::Truncated => ErrorKind::Truncated,
        zigzag_varint::ErrorKind::Overflow => ErrorKind::Overflow,
        zigzag_varint::ErrorKind::NonCanonical => ErrorKind::NonCanonical,
        other => panic!("unknown error kind: {other:?}"),
    };
    DecodingError { kind, offset: error.offset() }
}

/// Converts the result of a bulk function.
fn bulk(result: Result<Progress, BulkError>) -> BulkOutcome {
    let (progress, error) = match result {
        Ok(progress) => (progress, None),
        Err(failed) => (failed.progress, Some(failed.error)),
    };
    BulkOutcome { values: progress.values, bytes: progress.bytes, error: error.map(convert_error) }
}

/// A decoder that decodes one value, as a lenient and a canonical function.
struct One<T> {
    name: &'static str,
    first: [DecodeOne<T>; 2],
}

impl<T> ByteDecoder<T> for One<T> {
    fn name(&self) -> &str {
        self.name
    }

    #[inline]
    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        self.first[usize::from(canonical)](src).map_err(convert_error)
    }
}

/// A function that decodes one value. The flag selects canonical decoding.
type First<T> = fn(&[u8], bool) -> Outcome<T>;

/// A decoder that decodes many values.
struct Many<T, F> {
    name: &'static str,
    kernel: Option<&'static str>,
    is_bulk: bool,
    /// Decodes one value. If this is `None`, `all` decodes it into a slice of length one.
    first: Option<First<T>>,
    all: F,
}

fn many<T, F: Fn(&[u8], &mut [T], bool) -> BulkOutcome>(name: &'static str, all: F) -> Many<T, F> {
    Many { name, kernel: None, is_bulk: false, first: None, all }
}

impl<T: Integer, F: Fn(&[u8], &mut [T], bool) -> BulkOutcome + Sync> ByteDecoder<T> for Many<T, F> {
    fn name(&self) -> &str {
        self.name
    }

    fn kernel(&self) -> Option<&str> {
        self.kernel
    }

    #[inline]
    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        if let Some(first) = self.first {
            return first(src, canonical);
        }
        let mut slot = [T::from_i128(0)];
        match (self.all)(src, &mut slot, canonical) {
            BulkOutcome { error: Some(error), .. } => Err(error),
            BulkOutcome { values: 0, .. } => Err(DecodingError::EMPTY_INPUT),
            BulkOutcome { bytes, .. } => Ok((slot[0], bytes)),
        }
    }

    #[inline]
    fn decode_all(&self, src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
        (self.all)(src, values, canonical)
    }

    fn is_bulk(&self) -> bool {
        self.is_bulk
    }
}

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

fn read<T: Varint>(src: &[u8], canonical: bool) -> Outcome<T> {
    let mut reader = Reader::new(src);
    let read = if canonical { reader.read_canonical() } else { reader.read() };
    Ok((read.map_err(convert_error)?, reader.position()))
}

fn read_all<T: Varint>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    // The iterators borrow the reader, so its position is available only at the end.
    fn take<T>(mut read: impl Iterator<Item = Result<T, DecodeError>>, values: &mut [T]) -> BulkOutcome {
        fill(values, || {
            read.next().transpose().map(|value| value.map(|value| (value, 0))).map_err(convert_error)
        })
    }
    let mut reader = Reader::new(src);
    let outcome = match canonical {
        false => take(reader.values(), values),
        true => take(reader.values_canonical(), values),
    };
    BulkOutcome { bytes: reader.position(), ..outcome }
}

/// A function that passes bytes to a [`Decoder`]. It returns the value that ends in them, if any,
/// and the number of bytes used.
type Push<T> = fn(&mut Decoder<T>, &[u8]) -> Result<(Option<T>, usize), DecodeError>;

/// The length of a piece in bytes.
const PIECE: usize = 3;

/// Decodes with a [`Decoder`] that receives the bytes in pieces.
fn push_all<T: Varint>(src: &[u8], values: &mut [T], canonical: bool, push: Push<T>) -> BulkOutcome {
    let mut decoder = if canonical { Decoder::canonical() } else { Decoder::new() };
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
fn decode_pieces<T: Varint>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let mut decoder = if canonical { Decoder::canonical() } else { Decoder::new() };
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

fn read_buffered<T: Varint>(src: &[u8], canonical: bool) -> Outcome<T> {
    let (head, tail) = src.split_at(src.len().min(PIECE));
    let mut input = head.chain(tail);
    let read = match canonical {
        true => input.read_buffered_varint_canonical(),
        false => input.read_buffered_varint(),
    };
    let value = read.map_err(convert_io_error)?;
    let (head, tail) = input.get_ref();
    Ok((value, src.len() - head.len() - tail.len()))
}

fn read_all_buffered<T: Varint>(src: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let (head, tail) = src.split_at(src.len().min(PIECE));
    let mut input = head.chain(tail);
    let read = if canonical { input.read_varints_canonical(values) } else { input.read_varints(values) };
    let (head, tail) = input.get_ref();
    match read {
        Ok(values) => BulkOutcome { values, bytes: src.len() - head.len() - tail.len(), error: None },
        Err(BulkError { progress: Progress { values, bytes }, error }) => {
            BulkOutcome { values, bytes, error: Some(convert_io_error(error)) }
        }
    }
}

fn read_io<T: Varint>(mut input: &[u8], canonical: bool) -> Outcome<T> {
    let len = input.len();
    let read = if canonical { input.read_varint_canonical() } else { input.read_varint() };
    Ok((read.map_err(convert_io_error)?, len - input.len()))
}

fn read_all_io<T: Varint>(mut input: &[u8], values: &mut [T], canonical: bool) -> BulkOutcome {
    let len = input.len();
    fill(values, || {
        let start = len - input.len();
        let next = if canonical { input.next_varint_canonical() } else { input.next_varint() };
        let next = next.map_err(|error| convert_io_error(error).offset_by(start))?;
        Ok(next.map(|value| (value, len - input.len())))
    })
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
