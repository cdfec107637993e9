//! Every API that decodes agrees with the oracle.

use std::fmt::{Debug, Display};
use std::iter::from_fn;

use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{BulkError, Progress, Reader};
use zigzag_varint_oracle::{BulkOutcome, ErrorAt, Outcome};

use super::check_kernels::codecs;
use super::decode::BulkResult;
use super::{Source, WireType};
use crate::support::guard_pages::{Edge, MEMORY};
use crate::support::pieces::Pieces;

/// The error if a single value is missing. For slices, iterators and `next_varint`, this is not an
/// error but the end of the input.
const MISSING: ErrorAt = ErrorAt { kind: Truncated, offset: 0 };

impl dyn WireType {
    /// Compares every API with the oracle: on the first value, on at most `capacity` values, and on
    /// the stream in pieces of several lengths.
    pub fn check_bytes(&self, src: &[u8], capacity: usize) {
        self.check_first(src);
        self.check_slices(src, capacity);
        for len in [1, 3, src.len().div_ceil(2).max(1), usize::MAX] {
            self.check_stream(src, &Pieces::new(src, || len), capacity.max(1));
        }
    }

    /// Compares `decode` with the oracle.
    pub fn check_decode(&self, src: &[u8]) {
        assert_eq!(self.decode(src), self.rule().decode(src), "{} {src:02x?}", self.name());
    }

    /// Compares every API with the oracle on the first value.
    pub fn check_first(&self, src: &[u8]) {
        self.expect_first(src, self.rule().decode(src));
    }

    /// Checks that every API decodes the first value to the expected outcome.
    pub fn expect_first(&self, src: &[u8], expected: Outcome<u128>) {
        MEMORY.with_borrow_mut(|[memory, _]| {
            // After another value, and before a guard page.
            let both = memory.copy(Edge::Back, &[&[0x07], src].concat());
            self.check_readers(both, expected);
            self.check_singles(&both[1..], expected);
        });
    }

    fn check_readers(&self, both: &[u8], expected: Outcome<u128>) {
        for begin in [0, 1] {
            let mut reader = Reader::new(&both[1 - begin..]);
            if begin > 0 {
                assert_eq!(reader.read::<u8>(), Ok(0x07));
            }
            let read = self.read(&mut reader).map_err(ErrorAt::from);
            let value = expected.map(|(value, _)| value).map_err(|error| error.shifted(begin));
            assert_eq!(read, value, "Reader, {}, {both:02x?}", self.name());
            let position = begin + expected.map_or(0, |(_, len)| len);
            assert_eq!(reader.position(), position, "a failed read keeps the position: {both:02x?}");
        }
    }

    fn check_singles(&self, src: &[u8], expected: Outcome<u128>) {
        let same = |api: &dyn Debug, outcome: Outcome<u128>| {
            assert_eq!(outcome, expected, "{api:?}, {}, {src:02x?}", self.name());
        };
        same(&"decode", self.decode(src));
        let (value, len) = self.decode_from(src);
        let ended = ErrorAt { kind: Truncated, offset: len };
        same(&"decode_from", value.map_or(Err(ended), |value| Ok((value?, len))));
        // By single bytes, and after no byte by the whole slice.
        self.check_chunks(src, || src.len());
        let mut lens = [0, src.len()].into_iter().cycle();
        self.check_chunks(src, || lens.next().unwrap_or_default());
        let whole = Pieces::new(src, || usize::MAX);
        for source in Source::ALL {
            let (mut input, mut next_input) = (whole.clone(), whole.clone());
            let read = self.read_from(source, &mut input);
            same(&source, read.map(|value| (value, src.len() - input.len())));
            let next = self.next_from(source, &mut next_input).map(|value| value.ok_or(MISSING));
            same(&source, next.and_then(|value| Ok((value?, src.len() - next_input.len()))));
            assert_eq!(input.len(), next_input.len(), "{source:?}");
        }
    }

    /// Compares every API that decodes a slice with the oracle.
    pub fn check_slices(&self, src: &[u8], capacity: usize) {
        let same = |api: &dyn Display, outcome: &BulkOutcome, expected: &BulkOutcome| {
            assert_eq!(outcome, expected, "{api}, {}, {capacity} of {src:02x?}", self.name());
        };
        let some = self.rule().decode_all(src, capacity);
        self.check_decoding(&codecs(), src, capacity, &some);
        let mut reader = Reader::new(src);
        let mut values = Vec::new();
        let read = self.read_slice(&mut reader, capacity, &mut values);
        let outcome =
            BulkOutcome { values, bytes: reader.position(), error: read.err().map(|failed| failed.error) };
        same(&"Reader::read_slice", &outcome, &some);
        assert_eq!(read.unwrap_or_else(|failed| failed.progress.values), some.values.len());
        let mut reader = Reader::new(src);
        let (values, error) = gather(from_fn(self.values(&mut reader)).take(capacity));
        same(&"Reader::values", &BulkOutcome { values, bytes: reader.position(), error }, &some);

        for n in [0, 1, some.values.len(), some.values.len() + 1, usize::MAX] {
            let mut exact = self.rule().decode_all(src, n);
            if exact.values.len() < n && exact.error.is_none() {
                exact.error = Some(ErrorAt { kind: Truncated, offset: src.len() });
            }
            for outcome in self.decode_exact(src, n) {
                same(&format!("exactly {n}"), &outcome, &exact);
            }
        }

        let all = self.rule().decode_all(src, usize::MAX);
        let progress = Progress { values: all.values.len(), bytes: all.bytes };
        let expected = all.error.map_or(Ok(progress.values), |error| Err((progress, error)));
        let counted = |api: &str, result: Result<usize, BulkError>| {
            let result = result.map_err(|failed| (failed.progress, failed.error.into()));
            assert_eq!(result, expected, "{api}, {}, {src:02x?}", self.name());
        };
        let mut appended = vec![1, 0];
        counted("decode_append", self.decode_append(src, &mut appended));
        assert_eq!(appended, [&[1, 0], &all.values[..]].concat(), "{} {src:02x?}", self.name());
        let vec = self.decode_to_vec(src).inspect(|values| assert_eq!(*values, all.values, "decode_to_vec"));
        counted("decode_to_vec", vec.map(|values| values.len()));
        counted("validate", self.validate(src));
    }

    /// Decodes all values of `pieces`, at most `capacity` in a call, and compares the outcomes with
    /// that of the oracle for `src`, which is the same input.
    pub fn check_stream(&self, src: &[u8], pieces: &Pieces, capacity: usize) {
        let expected = self.rule().decode_all(src, usize::MAX);
        let same = |api: &dyn Debug, outcome: BulkOutcome| {
            let name = self.name();
            assert_eq!(outcome, expected, "{api:?}, {name}, {:02x?}, {capacity} at a time", pieces.0);
        };
        same(&"Decoder::decode_slice", self.decode_in_blocks(pieces, capacity));
        for source in Source::ALL {
            let (outcome, left) = in_blocks(pieces, 1, &|input, dst| match self.next_from(source, input) {
                Ok(value) => {
                    dst.extend(value);
                    Ok(usize::from(value.is_some()))
                }
                Err(error) => Err(BulkError { progress: Progress::default(), error }),
            });
            same(&source, outcome);
            self.check_bytes_left(source, src, &expected, left);
            let (outcome, left_by_slices) =
                in_blocks(pieces, capacity, &|input, dst| self.values_from(source, input, capacity, dst));
            same(&source, outcome);
            self.check_bytes_left(source, src, &expected, left_by_slices);
            assert!(source.reads_up_to_the_error() || left_by_slices == left, "as by single reads");
        }
    }

    /// Checks that nothing is read past the error.
    fn check_bytes_left(&self, source: Source, src: &[u8], expected: &BulkOutcome, left: usize) {
        let error = expected.error.map(|error| error.offset + usize::from(error.kind != Truncated));
        let consumed = error.unwrap_or(expected.bytes);
        assert!(
            !source.reads_up_to_the_error() || left == src.len() - consumed,
            "{source:?}: {left} bytes left of {src:02x?}"
        );
    }
}

/// Collects the values up to the first error.
pub fn gather(
    items: impl Iterator<Item = Result<u128, zigzag_varint::DecodeError>>,
) -> (Vec<u128>, Option<ErrorAt>) {
    let mut error = None;
    let values = items.map_while(|item| item.map_err(|failed| error = Some(failed.into())).ok()).collect();
    (values, error)
}

/// Appends at most `capacity` values, and returns their number.
type ReadBlock<'f> = &'f dyn Fn(&mut Pieces, &mut Vec<u128>) -> BulkResult;

/// Reads blocks of at most `capacity` values, up to the end or the first error, and returns the number
/// of bytes left too. Offsets count from the first byte of a call.
fn in_blocks(pieces: &Pieces, capacity: usize, read: ReadBlock) -> (BulkOutcome, usize) {
    let mut input = pieces.clone();
    let mut outcome = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
    loop {
        let before = outcome.values.len();
        let read = read(&mut input, &mut outcome.values);
        let count = outcome.values.len() - before;
        match read {
            Ok(values) => {
                assert_eq!(values, count);
                outcome.bytes = pieces.len() - input.len();
                if values < capacity {
                    break;
                }
            }
            Err(BulkError { progress, error }) => {
                assert_eq!(progress.values, count);
                outcome.error = Some(error.shifted(outcome.bytes));
                outcome.bytes += progress.bytes;
                break;
            }
        }
    }
    (outcome, input.len())
}
