//! The APIs that decode and encode streams in bulk, which are compared with the oracle.

use std::io::{self, BufRead};

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{BulkError, Canonical, Decoder, ReadVarint, Varint, WriteVarint};

use super::oracle::{self, BulkOutcome, ErrorAt, Int};
use super::pieces::Pieces;
use super::reported_errors::decode_error_in;

/// Decodes all values of `pieces` with each API, at most `capacity` values in a call, and compares
/// the outcomes with that of the oracle for `src`, which is the same input.
pub fn compare<T: Int>(src: &[u8], pieces: &Pieces, canonical: bool, capacity: usize) {
    let expected = oracle::decode_all::<T>(src, usize::MAX, canonical);
    if canonical {
        compare_with::<T, Canonical<T>>(&expected, pieces, capacity);
    } else {
        compare_with::<T, T>(&expected, pieces, capacity);
    }
}

fn compare_with<T: Int, W: Varint<Value = T>>(expected: &BulkOutcome<T>, pieces: &Pieces, capacity: usize) {
    let same = |api: &str, outcome: BulkOutcome<T>| {
        assert_eq!(
            outcome,
            *expected,
            "{api} on {} {:02x?}, {capacity} at a time",
            std::any::type_name::<W>(),
            pieces.0
        );
    };
    same("Decoder", by_decoder::<T, W>(pieces, capacity));
    same("BufRead", by_buf_read::<T, W>(pieces.clone(), capacity));
    same("BufRead, one at a time", by_single_buf_read::<T, W>(pieces.clone()));
    #[cfg(feature = "bytes")]
    same("bytes", with_bytes::decode::<T, W>(pieces.clone(), capacity));
    #[cfg(feature = "embedded-io")]
    same("embedded-io", with_embedded_io::decode::<T, W>(pieces.clone(), capacity));
    #[cfg(feature = "embedded-io")]
    same("embedded-io, one at a time", with_embedded_io::decode_singles::<T, W>(pieces.clone()));
    #[cfg(feature = "tokio-util")]
    same("tokio-util", with_tokio_util::decode::<W>(pieces));
}

/// Compares the bytes from every API with the oracle's.
pub fn compare_encoders<T: Int>(values: &[T]) {
    let expected = oracle::encode_all(values);
    let mut written = Vec::new();
    assert_eq!(written.write_varints::<T>(values).expect("a vector grows"), expected.len());
    assert_eq!(written, expected, "write_varints on {}", T::NAME);
    #[cfg(feature = "bytes")]
    with_bytes::compare_encoders(values, &expected);
    #[cfg(feature = "embedded-io")]
    with_embedded_io::compare_encoder(values, &expected);
    #[cfg(feature = "tokio-util")]
    with_tokio_util::compare_encoder(values, &expected);
}

/// Collects the results of calls that decode into a slice each.
struct Collected<T> {
    block: Vec<T>,
    outcome: BulkOutcome<T>,
}

impl<T: Int> Collected<T> {
    fn new(capacity: usize) -> Self {
        let outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
        Self { block: vec![T::default(); capacity], outcome }
    }

    /// Adds a result, after which `consumed` bytes of the input are consumed in total. Returns whether
    /// there may be further values. Offsets count from the first byte of the call.
    fn add(&mut self, result: Result<usize, BulkError<ErrorAt>>, consumed: usize) -> bool {
        let values = match result {
            Ok(values) => {
                self.outcome.bytes = consumed;
                values
            }
            Err(BulkError { progress, error }) => {
                self.outcome.error = Some(error.shifted(self.outcome.bytes));
                self.outcome.bytes += progress.bytes;
                progress.values
            }
        };
        self.outcome.values.extend_from_slice(&self.block[..values]);
        result.is_ok_and(|values| values == self.block.len())
    }
}

fn by_decoder<T: Int, W: Varint<Value = T>>(pieces: &Pieces, capacity: usize) -> BulkOutcome<T> {
    let mut decoder = Decoder::<W>::new();
    let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
    let mut block = vec![T::default(); capacity];
    let mut consumed = 0;
    for &piece in &pieces.0 {
        let mut rest = piece;
        while !rest.is_empty() {
            let pending = decoder.pending();
            match decoder.decode_slice(rest, &mut block) {
                Ok(progress) => {
                    let full = progress.values == capacity;
                    assert!(full || progress.bytes == rest.len(), "stops with space for more");
                    assert!(!full || decoder.pending() == 0, "takes a byte without space for its value");
                    outcome.values.extend_from_slice(&block[..progress.values]);
                    rest = &rest[progress.bytes..];
                    consumed += progress.bytes;
                    outcome.bytes = consumed - decoder.pending();
                }
                Err(BulkError { progress, error }) => {
                    outcome.values.extend_from_slice(&block[..progress.values]);
                    let started = if progress.values == 0 { pending } else { 0 };
                    outcome.bytes = consumed + progress.bytes - started;
                    outcome.error = Some(error.into());
                    assert_eq!((decoder.pending(), decoder.finish()), (0, Ok(())), "the decoder is reset");
                    return outcome;
                }
            }
        }
    }
    outcome.error = decoder.finish().err().map(ErrorAt::from);
    outcome
}

/// Returns the number of bytes that a call has consumed after an error.
fn consumed_by_error(error: ErrorAt) -> usize {
    error.offset + usize::from(error.kind != Truncated)
}

fn by_buf_read<T: Int, W: Varint<Value = T>>(mut pieces: Pieces, capacity: usize) -> BulkOutcome<T> {
    let (len, mut collected) = (pieces.len(), Collected::new(capacity));
    loop {
        let before = len - pieces.len();
        let block = &mut collected.block;
        let read = pieces.read_varints::<W>(block);
        let consumed = len - pieces.len();
        let read = read
            .map_err(|BulkError { progress, error }| BulkError { progress, error: decode_error_in(error) });
        if let Err(BulkError { error, .. }) = read {
            assert_eq!(consumed - before, consumed_by_error(error), "the input continues after the error");
        }
        if !collected.add(read, consumed) {
            return collected.outcome;
        }
    }
}

fn by_single_buf_read<T: Int, W: Varint<Value = T>>(mut pieces: Pieces) -> BulkOutcome<T> {
    let (len, mut collected) = (pieces.len(), Collected::new(1));
    loop {
        let next = pieces.next_varint::<W>();
        let values = next.map(|next| {
            next.map_or(0, |value| {
                collected.block[0] = value;
                1
            })
        });
        let values =
            values.map_err(|error| BulkError { progress: Default::default(), error: decode_error_in(error) });
        if !collected.add(values, len - pieces.len()) {
            return collected.outcome;
        }
    }
}

/// A reader that fails once after some bytes.
pub struct Failing<'a> {
    pub src: &'a [u8],
    pub fails_after: usize,
    pub failed: bool,
}

impl io::Read for Failing<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.len().min(dst.len());
        dst[..n].copy_from_slice(&self.src[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Failing<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.fails_after == 0 && !self.failed {
            self.failed = true;
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let len = if self.failed { self.src.len() } else { self.src.len().min(self.fails_after) };
        Ok(&self.src[..len])
    }

    fn consume(&mut self, n: usize) {
        self.src = &self.src[n..];
        self.fails_after -= n.min(self.fails_after);
    }
}

#[cfg(feature = "bytes")]
mod with_bytes {
    use bytes::{BufMut, BytesMut};
    use zigzag_varint::{BufMutVarint, BufVarint, BufferTooSmall};

    use super::*;

    /// After an error, as many bytes are consumed as by calls for one value.
    pub(super) fn decode<T: Int, W: Varint<Value = T>>(
        mut pieces: Pieces,
        capacity: usize,
    ) -> BulkOutcome<T> {
        let mut singles = pieces.clone();
        let (len, mut collected) = (pieces.len(), Collected::new(capacity));
        loop {
            let block = &mut collected.block;
            let got = pieces.try_get_varints::<W>(block);
            let got =
                got.map_err(|BulkError { progress, error }| BulkError { progress, error: error.into() });
            if !collected.add(got, len - pieces.len()) {
                break;
            }
        }
        while singles.len() > 0 {
            if singles.try_get_varint::<W>().is_err() {
                break;
            }
        }
        assert_eq!(pieces.len(), singles.len(), "the bytes left");
        collected.outcome
    }

    pub(super) fn compare_encoders<T: Int>(values: &[T], expected: &[u8]) {
        let (mut grown, mut fixed) = (BytesMut::new(), vec![0xaa; expected.len() + 1]);
        assert_eq!(grown.put_varints::<T>(values), expected.len());
        assert_eq!(grown, expected, "put_varints on {}", T::NAME);
        let (head, tail) = fixed.split_at_mut(expected.len() / 2);
        let mut split = head.chain_mut(tail);
        assert_eq!(split.try_put_varints::<T>(values), Ok(expected.len()));
        assert_eq!((split.remaining_mut(), fixed.pop()), (1, Some(0xaa)), "nothing is written past the end");
        assert_eq!(fixed, expected, "try_put_varints on {}", T::NAME);
        if let Some(available) = expected.len().checked_sub(1) {
            let mut short = &mut fixed[..available];
            let error = BufferTooSmall { needed: expected.len(), available };
            assert_eq!((short.try_put_varints::<T>(values), short.len()), (Err(error), available));
        }
    }
}

#[cfg(feature = "embedded-io")]
mod with_embedded_io {
    use zigzag_varint::DecodeError;
    use zigzag_varint::embedded_io::{Error, ReadVarint, WriteVarint};

    use super::*;

    fn data_error<E: std::fmt::Debug>(error: Error<E, DecodeError>) -> ErrorAt {
        match error {
            Error::Data(error) => error.into(),
            Error::Io(error) => panic!("{error:?}"),
        }
    }

    pub(super) fn decode<T: Int, W: Varint<Value = T>>(
        mut pieces: Pieces,
        capacity: usize,
    ) -> BulkOutcome<T> {
        let (len, mut collected) = (pieces.len(), Collected::new(capacity));
        loop {
            let before = len - pieces.len();
            let block = &mut collected.block;
            let read = ReadVarint::read_varints::<W>(&mut pieces, block);
            let consumed = len - pieces.len();
            let read = read
                .map_err(|BulkError { progress, error }| BulkError { progress, error: data_error(error) });
            if let Err(BulkError { error, .. }) = read {
                assert_eq!(
                    consumed - before,
                    consumed_by_error(error),
                    "the input continues after the error"
                );
            }
            if !collected.add(read, consumed) {
                return collected.outcome;
            }
        }
    }

    pub(super) fn decode_singles<T: Int, W: Varint<Value = T>>(mut pieces: Pieces) -> BulkOutcome<T> {
        let (len, mut collected) = (pieces.len(), Collected::new(1));
        loop {
            let next = ReadVarint::next_varint::<W>(&mut pieces);
            let values = next.map(|next| {
                next.map_or(0, |value| {
                    collected.block[0] = value;
                    1
                })
            });
            let values =
                values.map_err(|error| BulkError { progress: Default::default(), error: data_error(error) });
            if !collected.add(values, len - pieces.len()) {
                return collected.outcome;
            }
        }
    }

    pub(super) fn compare_encoder<T: Int>(values: &[T], expected: &[u8]) {
        let mut bytes = vec![0xaa; expected.len() + 1];
        let mut output = &mut bytes[..];
        assert_eq!(
            WriteVarint::write_varints::<T>(&mut output, values).expect("enough space"),
            expected.len()
        );
        assert_eq!((output.len(), bytes.pop()), (1, Some(0xaa)), "nothing is written past the end");
        assert_eq!(bytes, expected, "embedded-io on {}", T::NAME);
    }
}

#[cfg(feature = "tokio-util")]
mod with_tokio_util {
    use bytes::BytesMut;
    use tokio_util::codec::{Decoder, Encoder};
    use zigzag_varint::codec::VarintCodec;

    use super::*;

    pub(super) fn decode<W: Varint>(pieces: &Pieces) -> BulkOutcome<W::Value> {
        let mut codec = VarintCodec::<W>::new();
        let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
        let (mut buffer, mut received) = (BytesMut::new(), 0);
        for at in 0..=pieces.0.len() {
            let last = at == pieces.0.len();
            if !last {
                buffer.extend_from_slice(pieces.0[at]);
                received += pieces.0[at].len();
            }
            loop {
                let next = if last { codec.decode_eof(&mut buffer) } else { codec.decode(&mut buffer) };
                outcome.bytes = received - buffer.len();
                match next {
                    Ok(Some(values)) => {
                        assert!(!values.is_empty(), "an item has values");
                        outcome.values.extend(values);
                    }
                    Ok(None) => break,
                    Err(error) => {
                        outcome.error = Some(decode_error_in(error).shifted(outcome.bytes));
                        return outcome;
                    }
                }
            }
        }
        assert!(buffer.is_empty(), "no error for {buffer:02x?}");
        outcome
    }

    pub(super) fn compare_encoder<T: Int>(values: &[T], expected: &[u8]) {
        let mut buffer = BytesMut::new();
        VarintCodec::<T>::default().encode(values.to_vec(), &mut buffer).expect("a BytesMut grows");
        assert_eq!(buffer, expected, "tokio-util on {}", T::NAME);
    }
}
