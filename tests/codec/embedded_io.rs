//! Varints and length-prefixed payloads over `embedded-io`: the same results as over `std::io`,
//! without `std`.

use crate::support::frames::{self, Outcome, PayloadError, Rules};
use crate::support::oracle::{self, ErrorAt, Int, Outcome as DecodeOutcome};
use crate::support::sleb128_grammar::{self, Sleb};
use crate::support::strategies::{Sample, check_random, samples, values};
use embedded_io::{BufRead, ErrorKind, ErrorType, Read, SliceWriteError, Write};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::embedded_io::{Error, ReadVarint, WriteVarint};
use zigzag_varint::{BufferTooSmall, Canonical, FrameError, Integer, LengthPrefix, Signed, Varint};

/// A serial line that transfers one byte at a time. Most reads are interrupted, and the line fails
/// after `fails_after` bytes.
struct Line {
    bytes: Vec<u8>,
    done: usize,
    fails_after: usize,
    calls: usize,
}

impl Line {
    fn new(bytes: &[u8], fails_after: usize) -> Self {
        Self { bytes: bytes.to_vec(), done: 0, fails_after, calls: 0 }
    }
}

impl ErrorType for Line {
    type Error = ErrorKind;
}

impl Read for Line {
    fn read(&mut self, dst: &mut [u8]) -> Result<usize, ErrorKind> {
        let (Some(slot), Some(&byte)) = (dst.first_mut(), self.fill_buf()?.first()) else { return Ok(0) };
        *slot = byte;
        self.consume(1);
        Ok(1)
    }
}

impl BufRead for Line {
    fn fill_buf(&mut self) -> Result<&[u8], ErrorKind> {
        if self.done < self.bytes.len() {
            self.calls += 1;
            if self.calls % 3 != 0 {
                return Err(ErrorKind::Interrupted);
            }
            if self.done == self.fails_after {
                return Err(ErrorKind::ConnectionReset);
            }
        }
        Ok(&self.bytes[self.done..self.bytes.len().min(self.done + 1)])
    }

    fn consume(&mut self, n: usize) {
        self.done += n;
    }
}

impl Write for Line {
    fn write(&mut self, src: &[u8]) -> Result<usize, ErrorKind> {
        if self.bytes.len() == self.fails_after {
            return Err(ErrorKind::WriteZero);
        }
        self.bytes.extend(&src[..1]);
        Ok(1)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

/// The result without I/O errors, none of which is expected.
fn without_io_error<T, E: std::fmt::Debug, D>(read: Result<T, Error<E, D>>) -> Result<T, D> {
    read.map_err(|error| match error {
        Error::Data(error) => error,
        Error::Io(error) => panic!("unexpected I/O error: {error:?}"),
    })
}

fn next<T: Integer, R: BufRead>(input: &mut R, canonical: bool) -> Result<Option<T>, Error<R::Error>> {
    if canonical { input.next_varint::<Canonical<T>>() } else { input.next_varint::<T>() }
}

/// Reads all values from a line, and compares them with the expected outcomes for the slice.
fn check_line<T: Int>(
    bytes: &[u8],
    expected: impl Fn(&[u8]) -> DecodeOutcome<T>,
    next: impl Fn(&mut Line) -> Result<Option<T>, Error<ErrorKind>>,
) {
    let mut line = Line::new(bytes, usize::MAX);
    let mut at = 0;
    loop {
        let expected = expected(&bytes[at..]);
        match without_io_error(next(&mut line)).map_err(ErrorAt::from) {
            Ok(None) => break assert_eq!(at, bytes.len(), "the clean end"),
            Ok(Some(value)) => {
                assert_eq!(expected, Ok((value, line.done - at)), "nothing is read past the value");
                at = line.done;
            }
            Err(error) => {
                let read = error.offset + usize::from(error.kind != Truncated);
                assert_eq!((expected, line.done - at), (Err(error), read));
                break;
            }
        }
    }
}

fn check_short_reads<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, canonical, .. }| {
        check_line::<T>(&bytes, |src| oracle::decode(src, canonical), |line| next(line, canonical));

        // The reader of slices gives the same, which never returns an I/O error.
        let (mut slice, mut line) = (&bytes[..], Line::new(&bytes, usize::MAX));
        loop {
            let read = without_io_error(next::<T, _>(&mut slice, canonical));
            assert_eq!(without_io_error(next::<T, _>(&mut line, canonical)), read);
            if !matches!(read, Ok(Some(_))) {
                break;
            }
        }
    });
}
for_types!(short_and_interrupted_reads_decode_like_a_slice, check_short_reads);

fn check_short_reads_of_sleb128<T: Sleb>() {
    check_random(samples::<T>(), &|Sample { bytes, canonical, .. }| {
        check_line::<T>(
            &bytes,
            |src| sleb128_grammar::decode(src, canonical),
            |line| {
                if canonical {
                    line.next_varint::<Canonical<Signed<T>>>()
                } else {
                    line.next_varint::<Signed<T>>()
                }
            },
        );
    });
}
for_types!(short_and_interrupted_reads_of_sleb128_match_the_grammar, check_short_reads_of_sleb128, i8 i64);

fn check_writing<T: Int>() {
    check_random(values::<T>(), &|values| {
        let mut line = Line::new(&[], usize::MAX);
        for &value in &values {
            assert_eq!(line.write_varint(value), Ok(value.encoded_len()));
        }
        assert_eq!(line.bytes, oracle::encode_all(&values));
    });
}
for_types!(single_byte_writes_produce_the_expected_bytes, check_writing, u8 i32 u64 i128);

fn check_writing_of_sleb128<T: Sleb>() {
    check_random(values::<T>(), &|values| {
        let mut line = Line::new(&[], usize::MAX);
        for &value in &values {
            assert_eq!(line.write_varint(Signed(value)), Ok(Signed(value).encoded_len()));
        }
        assert_eq!(
            line.bytes,
            values.into_iter().flat_map(|value| Signed(value).encode()).collect::<Vec<u8>>()
        );
    });
}
for_types!(single_byte_writes_of_sleb128_produce_the_expected_bytes, check_writing_of_sleb128, i8 i64);

fn by_read<R: BufRead>(input: &mut R, rules: Rules, len: usize, left: fn(&R) -> usize) -> Outcome {
    let mut dst = vec![0; len];
    let read = input.read_length_prefixed(rules.prefix(), &mut dst);
    match read {
        Ok(payload) => Ok((payload.to_vec(), len - left(input))),
        // The destination is as long as the input. A payload that exceeds the input therefore does
        // not fit, and is reported as such before the input ends.
        Err(Error::Data(FrameError::BufferTooSmall(BufferTooSmall { needed, available }))) => {
            assert_eq!(available, len);
            Err(PayloadError::Truncated { len: needed, missing: needed - left(input) })
        }
        Err(Error::Data(error)) => Err(error.into()),
        Err(Error::Io(error)) => panic!("{error:?}"),
    }
}

#[test]
fn payloads_match_the_oracle() {
    frames::suite("slice", &|src, rules| by_read(&mut { src }, rules, src.len(), |input| input.len()));
    frames::suite("line", &|src, rules| {
        by_read(&mut Line::new(src, usize::MAX), rules, src.len(), |line| line.bytes.len() - line.done)
    });
}

#[test]
fn a_truncated_payload_reports_the_missing_bytes() {
    let mut line = Line::new(b"\x05he", usize::MAX);
    let error = without_io_error(line.read_length_prefixed(LengthPrefix::new(9), &mut [0; 9])).unwrap_err();
    assert_eq!(error, FrameError::Truncated { len: 5, missing: 3 });
}

#[test]
fn a_payload_longer_than_its_destination_reports_both_lengths() {
    let mut line = Line::new(b"\x05hello", usize::MAX);
    let error = without_io_error(line.read_length_prefixed(LengthPrefix::new(9), &mut [0; 4])).unwrap_err();
    assert_eq!(error, FrameError::BufferTooSmall(BufferTooSmall { needed: 5, available: 4 }));
    assert_eq!(line.done, 1, "only the prefix has been read");
}

#[test]
fn a_payload_is_stored_at_the_start_of_its_destination() {
    let mut dst = [0xaa; 6];
    let mut input = &b"\x02hi!"[..];
    assert_eq!(
        input.next_length_prefixed(LengthPrefix::new(9), &mut dst).unwrap(),
        Some(&mut b"hi".to_owned()[..])
    );
    assert_eq!((&dst, input), (b"hi\xaa\xaa\xaa\xaa", &b"!"[..]));
}

#[test]
fn io_errors_are_returned() {
    let mut line = Line::new(b"\x01\xac\x02", 2);
    assert_eq!(line.read_varint::<u64>(), Ok(1));
    assert_eq!(line.read_varint::<u64>(), Err(Error::Io(ErrorKind::ConnectionReset)));
    for fails_after in 0..5 {
        let mut line = Line::new(b"\x05hello", fails_after);
        let read = line.read_length_prefixed(LengthPrefix::new(9), &mut [0; 9]).map(|_| ());
        assert_eq!(read, Err(Error::Io(ErrorKind::ConnectionReset)));
        let mut line = Line::new(&[], fails_after);
        let written = line.write_length_prefixed(LengthPrefix::new(9), b"hello");
        assert_eq!(written, Err(Error::Io(ErrorKind::WriteZero)));
    }
    let mut full = &mut [0; 1][..];
    assert_eq!(full.write_varint(300u32), Err(SliceWriteError::Full));
}

#[test]
fn a_payload_over_the_limit_is_not_written() {
    let mut line = Line::new(&[], usize::MAX);
    let rejected = line.write_length_prefixed(LengthPrefix::new(4), b"hello");
    assert_eq!(rejected, Err(Error::Data(FrameError::TooLong { len: 5, max_len: 4 })));
    assert!(line.bytes.is_empty());
    assert_eq!(line.write_length_prefixed(LengthPrefix::new(5), b"hello"), Ok(6));
    assert_eq!(line.bytes, b"\x05hello");
}

#[test]
fn a_clean_end_differs_from_a_truncated_value() {
    let mut end = &[][..];
    assert_eq!(end.next_varint::<u64>(), Ok(None));
    assert_eq!(end.next_varint::<Canonical<u64>>(), Ok(None));
    assert!(matches!(end.next_length_prefixed(LengthPrefix::new(9), &mut []), Ok(None)));
    let missing = ErrorAt { kind: Truncated, offset: 0 };
    assert_eq!(without_io_error(end.read_varint::<u64>()).map_err(ErrorAt::from), Err(missing));
    assert_eq!(without_io_error(end.read_varint::<Canonical<u64>>()).map_err(ErrorAt::from), Err(missing));
    assert_eq!(end.next_varint::<Signed<i64>>(), Ok(None));
    assert_eq!(end.next_varint::<Canonical<Signed<i64>>>(), Ok(None));
    assert_eq!(without_io_error(end.read_varint::<Signed<i64>>()).map_err(ErrorAt::from), Err(missing));
    assert_eq!(
        without_io_error(end.read_varint::<Canonical<Signed<i64>>>()).map_err(ErrorAt::from),
        Err(missing)
    );
    let payload = without_io_error(end.read_length_prefixed(LengthPrefix::new(9), &mut [])).map(|_| ());
    assert_eq!(payload.map_err(PayloadError::from), Err(PayloadError::Prefix(missing)));
}

#[test]
fn a_reader_that_reports_more_bytes_than_it_read_is_harmless() {
    struct Overcounting;
    impl ErrorType for Overcounting {
        type Error = ErrorKind;
    }
    impl Read for Overcounting {
        fn read(&mut self, dst: &mut [u8]) -> Result<usize, ErrorKind> {
            dst.fill(3);
            Ok(dst.len() + 1000)
        }
    }
    impl BufRead for Overcounting {
        fn fill_buf(&mut self) -> Result<&[u8], ErrorKind> {
            Ok(&[3])
        }
        fn consume(&mut self, _: usize) {}
    }
    assert_eq!(
        without_io_error(Overcounting.read_length_prefixed(LengthPrefix::new(9), &mut [0; 9])).unwrap(),
        [3; 3]
    );
}

#[test]
fn no_call_allocates() {
    let measured = allocation_counter::measure(|| {
        let mut input = &b"\xac\x02\x05hello\x05he\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"[..];
        let (prefix, mut dst) = (LengthPrefix::new(9), [0; 9]);
        assert!(input.read_varint::<u64>().is_ok());
        assert!(input.read_length_prefixed(prefix, &mut dst).is_ok());
        assert!((&input[..3]).read_length_prefixed(prefix, &mut dst).is_err());
        assert!((&input[3..]).read_length_prefixed(prefix, &mut dst).is_err());
    });
    assert_eq!(measured.count_total, 0);
}

#[test]
fn errors_display_the_message_of_the_error_inside() {
    let io: Error<ErrorKind> = Error::Io(ErrorKind::TimedOut);
    assert_eq!(io.to_string(), ErrorKind::TimedOut.to_string());
    assert!(std::error::Error::source(&io).is_none(), "the error inside has no source");
    let bad = (&[0xff, 0x7f][..]).read_varint::<u8>().unwrap_err();
    assert_eq!(bad.to_string(), u8::decode(&[0xff, 0x7f]).unwrap_err().to_string());
    let frame: Box<dyn std::error::Error> =
        Box::new((&[0x80][..]).read_length_prefixed(LengthPrefix::new(9), &mut []).map(|_| ()).unwrap_err());
    assert_eq!(frame.to_string(), "length prefix: truncated varint: input ends at offset 1");
    assert!(frame.source().is_none(), "the message contains the cause");
}
