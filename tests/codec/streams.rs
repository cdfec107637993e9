//! Values in streams: what the table of wire types does not show. Errors of readers and writers,
//! blocks, allocations, and what a failed call consumes.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use crate::support::pieces::Pieces;
use crate::support::wire_types::{decode_error_in, values, wire_type};
use crate::support::wires::{backgrounds, mixed};
use zigzag_varint::ErrorKind::{Overflow, Truncated};
use zigzag_varint::{BulkError, Canonical, DecodeError, Decoder, Progress, ReadVarint, Signed, WriteVarint};
use zigzag_varint_oracle::{self as oracle, ErrorAt};

/// A stream that transfers one byte at a time, interrupts every other call, and fails once after some
/// bytes.
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

    /// Returns the error of a transfer that is not possible now.
    fn check(&mut self, done: usize) -> Result<(), io::ErrorKind> {
        self.calls += 1;
        match self.calls % 2 {
            1 => Err(io::ErrorKind::Interrupted),
            _ if done == self.fails_after => {
                self.fails_after = usize::MAX;
                Err(io::ErrorKind::ConnectionReset)
            }
            _ => Ok(()),
        }
    }

    fn fill(&mut self) -> Result<&[u8], io::ErrorKind> {
        self.check(self.done)?;
        Ok(&self.bytes[self.done..self.bytes.len().min(self.done + 1)])
    }

    fn write_some(&mut self, bytes: &[u8]) -> Result<usize, io::ErrorKind> {
        self.check(self.bytes.len())?;
        self.bytes.extend(&bytes[..1]);
        Ok(1)
    }
}

impl Read for Line {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let n = self.fill()?.read(dst)?;
        self.done += n;
        Ok(n)
    }
}

impl BufRead for Line {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.fill()?)
    }

    fn consume(&mut self, n: usize) {
        self.done += n;
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(self.write_some(bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns `n` values of all lengths, and their encodings.
fn mixed_values(n: usize) -> (Vec<u64>, Vec<u8>) {
    let numbers = mixed(64, 10, n);
    (values::<u64>(&numbers), oracle::encode_all(&numbers))
}

#[test]
fn long_streams_pass_through_buffers() {
    for numbers in backgrounds(64, 20_000) {
        let (values, src) = (values::<u64>(&numbers), oracle::encode_all(&numbers));
        let mut read = vec![0; values.len() + 1];
        for capacity in [1, 100, 4096, 65_536] {
            let mut input = BufReader::with_capacity(capacity, &src[..]);
            assert_eq!(input.read_varints::<u64>(&mut read).expect("valid"), values.len());
            assert_eq!(read[..values.len()], values, "buffer of {capacity} bytes");

            let mut output = BufWriter::with_capacity(capacity, Vec::new());
            assert_eq!(output.write_varints::<u64>(&values).expect("a vector grows"), src.len());
            assert_eq!(output.into_inner().expect("a vector grows"), src);
        }
    }
}

#[test]
fn short_and_interrupted_transfers_lose_no_bytes() {
    let (values, src) = mixed_values(60);
    let (mut one_by_one, mut bulk) = (Line::new(&[], usize::MAX), Line::new(&[], usize::MAX));
    for &value in &values {
        one_by_one.write_varint(value).unwrap();
    }
    bulk.write_varints::<u64>(&values).unwrap();
    assert_eq!((&one_by_one.bytes, &bulk.bytes), (&src, &src));
    for &value in &values {
        assert_eq!(one_by_one.next_varint::<u64>().unwrap(), Some(value));
    }
    assert_eq!(one_by_one.next_varint::<u64>().unwrap(), None);
    let mut read = [0; 60];
    assert_eq!(bulk.read_varints::<u64>(&mut read).unwrap(), 60);
    assert_eq!(read[..], values);
}

#[test]
fn a_reader_error_keeps_the_values_before_it() {
    let (values, src) = mixed_values(40);
    for fails_after in 0..=src.len() {
        let before = oracle::decode_all(&src[..fails_after], 64, usize::MAX, false);
        let progress = Progress { values: before.values.len(), bytes: before.bytes };
        let mut input = Line::new(&src, fails_after);
        let mut read = [0; 41];
        let failed = input.read_varints::<u64>(&mut read).unwrap_err();
        assert_eq!((failed.progress, failed.error.kind()), (progress, io::ErrorKind::ConnectionReset));
        assert_eq!(read[..progress.values], values[..progress.values]);
        if before.error.is_none() {
            // Between two values, nothing is lost.
            assert_eq!(input.read_varints::<u64>(&mut read).unwrap(), values.len() - progress.values);
        }
        let mut input = Line::new(&src, fails_after);
        for &value in &values[..progress.values] {
            assert_eq!(input.next_varint::<u64>().unwrap(), Some(value));
        }
        let error = input.read_varint::<u64>().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}

#[test]
fn writer_errors_are_returned() {
    let mut output = Line::new(&[], 2);
    assert_eq!(output.write_varint(300u32).unwrap(), 2);
    assert_eq!(output.write_varint(300u32).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    let values = [300u64; 50_000];
    for capacity in [0, 1, 50_000, 99_999, 100_000] {
        let mut dst = vec![0; capacity];
        let written = (&mut dst[..]).write_varints::<u64>(&values).map_err(|error| error.kind());
        assert_eq!(written, if capacity < 100_000 { Err(io::ErrorKind::WriteZero) } else { Ok(100_000) });
    }
}

#[test]
fn an_error_of_a_bulk_call_converts_into_the_error_inside() {
    let read = |mut input: &[u8]| -> io::Result<usize> { Ok(input.read_varints::<u8>(&mut [0; 4])?) };
    assert_eq!(decode_error_in(read(&[1, 0xff, 0x7f]).unwrap_err()), ErrorAt { kind: Overflow, offset: 2 });
    let failed = (&[1, 0x80][..]).read_varints::<u8>(&mut [0; 4]).unwrap_err();
    assert_eq!(failed.to_string(), "value at index 1: truncated varint: input ends at offset 2");
    let reset = BulkError { progress: Progress::default(), error: io::Error::from_raw_os_error(104) };
    assert_eq!(io::Error::from(reset).raw_os_error(), Some(104));
    let error = (&[0x80][..]).read_varint::<u8>().unwrap_err();
    assert_eq!(error.to_string(), error.downcast::<DecodeError>().expect("inside").to_string());
}

#[test]
fn trait_objects_read_and_write() {
    let mut bytes = Vec::new();
    let output: &mut dyn Write = &mut bytes;
    output.write_varint(Signed(-129i32)).unwrap();
    assert_eq!(output.write_varints::<u64>(&[1, 300]).unwrap(), 3);
    let mut slice = &bytes[..];
    let input: &mut dyn BufRead = &mut slice;
    assert_eq!(input.read_varint::<Signed<i32>>().unwrap(), -129);
    assert_eq!(input.next_varint::<Canonical<u64>>().unwrap(), Some(1));
    let mut values = [0u64; 2];
    assert_eq!(input.read_varints::<u64>(&mut values).unwrap(), 1);
    assert_eq!(values[0], 300);
}

#[test]
fn a_decoder_takes_nothing_without_space() {
    let mut decoder = Decoder::<u64>::new();
    assert_eq!(decoder.decode_slice(&[0x07, 0x80], &mut []), Ok(Progress::default()));
    assert_eq!(decoder.decode_slice(&[0x07, 0x80], &mut [0]), Ok(Progress { values: 1, bytes: 1 }));
    assert_eq!(decoder.decode_slice(&[0x80], &mut [0]), Ok(Progress { values: 0, bytes: 1 }));
    assert_eq!(decoder.decode_slice(&[0x01], &mut []), Ok(Progress::default()));
    assert_eq!((decoder.pending(), decoder.push(0x01)), (1, Ok(Some(128))));
}

#[test]
fn offsets_of_a_decoder_count_on_over_calls() {
    let mut decoder = Decoder::<u8>::new();
    let mut values = [0; 8];
    assert_eq!(decoder.push_slice(&[0x01, 0x02]), Ok((Some(1), 1)));
    assert_eq!(decoder.decode_slice(&[0x02, 0x03, 0x80], &mut values), Ok(Progress { values: 2, bytes: 3 }));
    let failed = decoder.decode_slice(&[0x01, 0x05, 0xff, 0x02], &mut values).unwrap_err();
    assert_eq!(failed.progress, Progress { values: 2, bytes: 2 });
    assert_eq!(ErrorAt::from(failed.error), ErrorAt { kind: Overflow, offset: 7 });
    assert_eq!(decoder.decode_slice(&[0x80], &mut values), Ok(Progress { values: 0, bytes: 1 }));
    assert_eq!(ErrorAt::from(decoder.finish().unwrap_err()), ErrorAt { kind: Truncated, offset: 1 });
}

#[test]
fn successful_calls_do_not_allocate() {
    let (values, bytes) = mixed_values(5000);
    let (mut read, mut written) = (vec![0u64; 5000], vec![0; bytes.len()]);
    let measured = allocation_counter::measure(|| {
        let mut decoder = Decoder::<u64>::new();
        for chunk in bytes.chunks(100) {
            decoder.decode_slice(chunk, &mut read).expect("valid");
        }
        assert_eq!((&bytes[..]).read_varints::<u64>(&mut read).expect("valid"), 5000);
        let mut input = &bytes[..];
        while let Some(value) = input.next_varint::<u64>().expect("valid") {
            std::hint::black_box(value);
        }
        assert_eq!((&bytes[..]).read_varint::<u64>().expect("valid"), values[0]);
        assert_eq!((&mut written[..]).write_varints::<u64>(&values).expect("enough space"), bytes.len());
        {
            use bytes::Buf;
            use zigzag_varint::{BufMutVarint, BufVarint};

            let (head, tail) = bytes.split_at(1234);
            assert_eq!(Buf::chain(head, tail).try_get_varints::<u64>(&mut read), Ok(5000));
            assert_eq!((&mut written[..]).try_put_varints::<u64>(&values), Ok(bytes.len()));
        }
    });
    assert_eq!(measured.count_total, 0);
}

mod bytes_buffers {
    use bytes::{Buf, BufMut};
    use zigzag_varint::{BufMutVarint, BufVarint, BufferTooSmall};

    use super::*;
    use crate::support::wire_types::{AnyWireType, Source};
    use crate::support::wires::edge_cases;

    /// An invalid value within the first chunk stays there. Of any other, the bytes before the error
    /// are consumed.
    #[test]
    fn an_error_consumes_what_the_documentation_says() {
        let rows: [AnyWireType; 6] = [
            wire_type::<u8>(),
            wire_type::<u32>(),
            wire_type::<Canonical<u64>>(),
            wire_type::<i128>(),
            wire_type::<Signed<i64>>(),
            wire_type::<Canonical<Signed<i8>>>(),
        ];
        for src in [8, 32, 64, 128].map(edge_cases).concat() {
            for (wire_type, len) in rows.iter().flat_map(|row| (1..=src.len()).map(move |len| (row, len))) {
                let mut buf = Pieces::new(&src, || len);
                let chunk = buf.chunk().len();
                let Err(error) = wire_type.read_from(Source::Buf, &mut buf) else { continue };
                let within = error.offset < chunk || chunk == src.len();
                let consumed = if within { 0 } else { error.offset };
                assert_eq!(src.len() - buf.len(), consumed, "{} {src:02x?} by {len}", wire_type.name());
            }
        }
    }

    #[test]
    fn a_full_buffer_stays_unchanged_and_the_error_states_the_needed_length() {
        let mut bytes = [0xaa; 5];
        for available in 0..5 {
            let mut dst = &mut bytes[..available];
            assert_eq!(dst.try_put_varint(u32::MAX), Err(BufferTooSmall { needed: 5, available }));
            assert_eq!(dst.try_put_varints::<u32>(&[300, 300, 7]).map_err(|error| error.needed), Err(5));
            assert_eq!(dst.len(), available);
        }
        assert_eq!(bytes, [0xaa; 5]);
        let (head, tail) = bytes.split_at_mut(3);
        let mut split = head.chain_mut(tail);
        assert_eq!(split.try_put_varints::<u32>(&[300, 300, 7]), Ok(5));
        assert_eq!((split.remaining_mut(), bytes), (0, [0xac, 0x02, 0xac, 0x02, 0x07]));
    }

    #[test]
    fn trait_objects_get_and_put() {
        let mut bytes = Vec::new();
        let output: &mut dyn BufMut = &mut bytes;
        output.put_varint(-1i8);
        let mut slice = &bytes[..];
        let input: &mut dyn Buf = &mut slice;
        assert_eq!(input.try_get_varint::<i8>(), Ok(-1));
    }
}

mod embedded {
    use embedded_io::{BufRead, ErrorKind, ErrorType, Read, SliceWriteError, Write};
    use zigzag_varint::embedded_io::{Error, ReadVarint, WriteVarint};

    use super::*;

    fn kind(error: io::ErrorKind) -> ErrorKind {
        match error {
            io::ErrorKind::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::ConnectionReset,
        }
    }

    impl ErrorType for Line {
        type Error = ErrorKind;
    }

    impl Read for Line {
        fn read(&mut self, dst: &mut [u8]) -> Result<usize, ErrorKind> {
            io::Read::read(self, dst).map_err(|error| kind(error.kind()))
        }
    }

    impl BufRead for Line {
        fn fill_buf(&mut self) -> Result<&[u8], ErrorKind> {
            self.fill().map_err(kind)
        }

        fn consume(&mut self, n: usize) {
            self.done += n;
        }
    }

    impl Write for Line {
        fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
            // `write_all` does not retry.
            match self.write_some(bytes) {
                Err(io::ErrorKind::Interrupted) => self.write_some(bytes).map_err(kind),
                written => written.map_err(kind),
            }
        }

        fn flush(&mut self) -> Result<(), ErrorKind> {
            Ok(())
        }
    }

    #[test]
    fn io_errors_are_returned_after_the_values_before_them() {
        let src = [0x01, 0xac, 0x02, 0x07];
        for fails_after in 0..=3 {
            let progress = oracle::decode_all(&src[..fails_after], 64, usize::MAX, false).values.len();
            let mut line = Line::new(&src, fails_after);
            let failed = ReadVarint::read_varints::<u64>(&mut line, &mut [0; 4]).unwrap_err();
            assert_eq!(failed.progress.values, progress);
            assert_eq!(failed.error, Error::Io(ErrorKind::ConnectionReset));
        }
        let mut line = Line::new(&src, 2);
        assert_eq!(ReadVarint::read_varint::<u64>(&mut line), Ok(1));
        assert_eq!(ReadVarint::read_varint::<u64>(&mut line), Err(Error::Io(ErrorKind::ConnectionReset)));
        let mut line = Line::new(&[], 1);
        assert_eq!(WriteVarint::write_varint(&mut line, 300u32), Err(ErrorKind::ConnectionReset));
        let mut full = &mut [0; 1][..];
        assert_eq!(WriteVarint::write_varint(&mut full, 300u32), Err(SliceWriteError::Full));
    }

    #[test]
    fn errors_display_the_message_of_the_error_inside() {
        let io: Error<ErrorKind> = Error::Io(ErrorKind::TimedOut);
        assert_eq!(io.to_string(), ErrorKind::TimedOut.to_string());
        assert!(std::error::Error::source(&io).is_none(), "the error inside has no source");
        let bad = ReadVarint::read_varint::<u8>(&mut &[0x80][..]).unwrap_err();
        assert_eq!(bad.to_string(), "truncated varint: input ends at offset 1");
    }
}
