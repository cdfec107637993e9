//! The APIs that decode.

use std::io;

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{BulkError, DecodeError, Decoder, IntoValues, Progress, ReadVarint, Reader};
use zigzag_varint_oracle::{BulkOutcome, ErrorAt, Outcome};

use super::Row;
use super::check_kernels::Codec;
use super::push_decoder::PushDecoder;
use super::rule::{Number, Ruled, numbers, values_of};
use crate::support::guard_pages::Guarded;
use crate::support::pieces::Pieces;

/// A kind of stream.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    Read,
    Buf,
    EmbeddedRead,
}

impl Source {
    pub const ALL: [Self; 3] = [Self::Read, Self::Buf, Self::EmbeddedRead];

    /// Returns whether a failed call consumes the bytes up to the error, however they are split.
    pub fn reads_up_to_the_error(self) -> bool {
        !matches!(self, Self::Buf)
    }
}

/// The count that a bulk call reports, or its progress and its error.
pub type BulkResult = Result<usize, BulkError<ErrorAt>>;

/// The `next` of an iterator of a reader.
pub type NextValue<'a> = Box<dyn FnMut() -> Option<Result<u128, DecodeError>> + 'a>;

/// The functions of a wire type that decode.
pub trait Decode {
    fn decode(&self, src: &[u8]) -> Outcome<u128>;

    /// Decodes the value from single bytes, or returns `None` if they end first, and the number of bytes
    /// taken.
    fn decode_from(&self, src: &[u8]) -> (Option<Result<u128, DecodeError>>, usize);

    fn validate(&self, src: &[u8]) -> Result<usize, BulkError>;

    /// Decodes into `capacity` values next to a guard page.
    fn decode_slice(&self, codec: Codec, src: &[u8], dst: &mut Guarded, capacity: usize) -> BulkOutcome;

    fn decode_append(&self, src: &[u8], dst: &mut Vec<u128>) -> Result<usize, BulkError>;

    fn decode_to_vec(&self, src: &[u8]) -> Result<Vec<u128>, BulkError>;

    /// Decodes exactly `n` values: into a slice, to the end of a vector, and with a reader.
    fn decode_exact(&self, src: &[u8], n: usize) -> [BulkOutcome; 3];

    fn read(&self, reader: &mut Reader) -> Result<u128, DecodeError>;

    /// Appends at most `capacity` values.
    fn read_slice(&self, reader: &mut Reader, capacity: usize, dst: &mut Vec<u128>) -> BulkResult;

    fn values<'r>(&self, reader: &'r mut Reader<'_>) -> NextValue<'r>;

    /// Returns the iterator that owns the reader, and a clone of it after `n` items.
    fn owned_values<'a>(&self, reader: Reader<'a>, n: usize) -> [NextValue<'a>; 2];

    fn decoder(&self) -> Box<dyn PushDecoder>;

    /// Reads a value that must be there.
    fn read_from(&self, source: Source, input: &mut Pieces) -> Result<u128, ErrorAt>;

    /// Reads the next value, or `None` at the end.
    fn next_from(&self, source: Source, input: &mut Pieces) -> Result<Option<u128>, ErrorAt>;

    /// Appends at most `n` values of a stream.
    fn values_from(&self, source: Source, input: &mut Pieces, n: usize, dst: &mut Vec<u128>) -> BulkResult;
}

impl<W: Ruled> Decode for Row<W> {
    fn decode(&self, src: &[u8]) -> Outcome<u128> {
        W::decode(src).map(|(value, len)| (value.number(), len)).map_err(ErrorAt::from)
    }

    fn decode_from(&self, src: &[u8]) -> (Option<Result<u128, DecodeError>>, usize) {
        let mut bytes = src.iter();
        let decoded = W::decode_from(|| bytes.next().copied().ok_or(()));
        (decoded.ok().map(|value| value.map(Number::number)), src.len() - bytes.len())
    }

    fn validate(&self, src: &[u8]) -> Result<usize, BulkError> {
        W::validate(src)
    }

    fn decode_slice(&self, codec: Codec, src: &[u8], dst: &mut Guarded, capacity: usize) -> BulkOutcome {
        let values = dst.filled(codec.1, capacity, W::Value::of(codec.1.content()));
        let decoded = match codec.0 {
            Some(kernel) => kernel.decode_slice::<W>(src, values),
            None => W::decode_slice(src, values),
        };
        outcome(decoded, values)
    }

    fn decode_append(&self, src: &[u8], dst: &mut Vec<u128>) -> Result<usize, BulkError> {
        let mut values = values_of(dst);
        let mut reserved = values.clone();
        reserved.reserve(src.len());
        let appended = W::decode_append(src, &mut values);
        assert!(values.capacity() <= reserved.capacity(), "reserves more than a value per byte: {src:02x?}");
        let mut new = Vec::new();
        assert_eq!(W::decode_append(src, &mut new), appended);
        assert_eq!(new, values[dst.len()..]);
        assert!(new.capacity() <= src.len(), "capacity {} for {src:02x?}", new.capacity());
        *dst = numbers(&values);
        appended
    }

    fn decode_to_vec(&self, src: &[u8]) -> Result<Vec<u128>, BulkError> {
        let values = W::decode_to_vec(src)?;
        assert!(values.capacity() <= src.len(), "capacity {} for {src:02x?}", values.capacity());
        Ok(numbers(&values))
    }

    fn decode_exact(&self, src: &[u8], n: usize) -> [BulkOutcome; 3] {
        // More than one value past the input makes no difference.
        let mut values = vec![W::Value::default(); n.min(src.len() + 1)];
        let decoded = W::decode_exact(src, &mut values);
        let by_slice = outcome(decoded.map(|bytes| Progress { values: values.len(), bytes }), &values);
        let (mut appended, mut read, mut reader) = (Vec::new(), Vec::new(), Reader::new(src));
        let by_vec = appended_exactly(W::append_exact(src, n, &mut appended), &appended, src);
        let by_reader = reader.read_append::<W>(n, &mut read).map(|()| reader.position());
        let by_reader = appended_exactly(by_reader, &read, src);
        assert_eq!(reader.position(), by_reader.bytes, "the position is after the values");
        [by_slice, by_vec, by_reader]
    }

    fn read(&self, reader: &mut Reader) -> Result<u128, DecodeError> {
        reader.read::<W>().map(Number::number)
    }

    fn read_slice(&self, reader: &mut Reader, capacity: usize, dst: &mut Vec<u128>) -> BulkResult {
        append_by(capacity, dst, &mut |block| {
            reader.read_slice::<W>(block).map_err(|failed| converted(failed, ErrorAt::from))
        })
    }

    fn values<'r>(&self, reader: &'r mut Reader<'_>) -> NextValue<'r> {
        let mut values = reader.values::<W>();
        Box::new(move || Some(values.next()?.map(Number::number)))
    }

    fn owned_values<'a>(&self, reader: Reader<'a>, n: usize) -> [NextValue<'a>; 2] {
        let next = |values: &mut IntoValues<'a, W>| Some(values.next()?.map(Number::number));
        let mut values = reader.into_values::<W>();
        (0..n).for_each(|_| _ = next(&mut values));
        let mut clone = values.clone();
        [Box::new(move || next(&mut clone)), Box::new(move || next(&mut values))]
    }

    fn decoder(&self) -> Box<dyn PushDecoder> {
        Box::new(Decoder::<W>::new())
    }

    fn read_from(&self, source: Source, input: &mut Pieces) -> Result<u128, ErrorAt> {
        let value = match source {
            Source::Read => input.read_varint::<W>().map_err(decode_error_in),
            Source::Buf => zigzag_varint::BufVarint::try_get_varint::<W>(input).map_err(ErrorAt::from),
            Source::EmbeddedRead => embedded::ReadVarint::read_varint::<W>(input).map_err(data_error),
        };
        value.map(Number::number)
    }

    fn next_from(&self, source: Source, input: &mut Pieces) -> Result<Option<u128>, ErrorAt> {
        let value = match source {
            Source::Read => input.next_varint::<W>().map_err(decode_error_in),
            Source::Buf if input.len() == 0 => return Ok(None),
            Source::Buf => return self.read_from(source, input).map(Some),
            Source::EmbeddedRead => embedded::ReadVarint::next_varint::<W>(input).map_err(data_error),
        };
        value.map(|value| value.map(Number::number))
    }

    fn values_from(&self, source: Source, input: &mut Pieces, n: usize, dst: &mut Vec<u128>) -> BulkResult {
        append_by(n, dst, &mut |block| match source {
            Source::Buf => zigzag_varint::BufVarint::try_get_varints::<W>(input, block)
                .map_err(|failed| converted(failed, ErrorAt::from)),
            Source::EmbeddedRead => embedded::ReadVarint::read_varints::<W>(input, block)
                .map_err(|failed| converted(failed, data_error)),
            _ => input.read_varints::<W>(block).map_err(|failed| converted(failed, decode_error_in)),
        })
    }
}

/// Returns the outcome of a call that decodes into `values`.
fn outcome<V: Number>(decoded: Result<Progress, BulkError>, values: &[V]) -> BulkOutcome {
    let progress = decoded.unwrap_or_else(|failed| failed.progress);
    let error = decoded.err().map(|failed| failed.error.into());
    BulkOutcome { values: numbers(&values[..progress.values]), bytes: progress.bytes, error }
}

/// Returns the outcome of a call that appended `values` from some bytes of `src`.
fn appended_exactly<V: Number>(bytes: Result<usize, BulkError>, values: &Vec<V>, src: &[u8]) -> BulkOutcome {
    assert!(values.capacity() <= src.len(), "reserves more than the input justifies");
    let outcome = outcome(bytes.map(|bytes| Progress { values: values.len(), bytes }), values);
    assert_eq!(outcome.values.len(), values.len(), "the reported number of values is appended");
    outcome
}

/// A call that decodes into a slice.
type DecodeBlock<'f, V> = &'f mut dyn FnMut(&mut [V]) -> BulkResult;

/// Appends the values of a call that decodes into a slice of `n` values.
pub(super) fn append_by<V: Number>(n: usize, dst: &mut Vec<u128>, decode: DecodeBlock<V>) -> BulkResult {
    let mut block = vec![V::default(); n];
    let decoded = decode(&mut block);
    let count = decoded.as_ref().map_or_else(|failed| failed.progress.values, |&count| count);
    dst.extend(numbers(&block[..count]));
    decoded
}

/// Returns the decode error inside an I/O error, whose kind must match it.
pub fn decode_error_in(error: io::Error) -> ErrorAt {
    let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<DecodeError>());
    let inside = *inside.expect("a DecodeError inside");
    let (eof, io_kind) = (inside.kind() == Truncated, error.kind());
    assert_eq!(io_kind, if eof { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData });
    inside.into()
}

fn converted<E>(failed: BulkError<E>, error: fn(E) -> ErrorAt) -> BulkError<ErrorAt> {
    BulkError { progress: failed.progress, error: error(failed.error) }
}

use zigzag_varint::embedded_io as embedded;

fn data_error<E: std::fmt::Debug>(error: embedded::Error<E, DecodeError>) -> ErrorAt {
    match error {
        embedded::Error::Data(error) => error.into(),
        embedded::Error::Io(error) => panic!("{error:?}"),
    }
}
