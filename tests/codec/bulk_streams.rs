//! Streams in bulk: the outcome does not depend on where the input is split, nor on the number of
//! values in a call.

use std::io::{self, BufReader, BufWriter, Write};

use crate::support::bulk_streams::{Failing, compare, compare_encoders};
use crate::support::oracle::{self, ErrorAt, Int};
use crate::support::pieces::Pieces;
use crate::support::reported_errors::decode_error_in;
use crate::support::strategies::{check_random, values};
use crate::support::streams::{backgrounds, edge_cases, mixed, uniform};
use zigzag_varint::ErrorKind::{Overflow, Truncated};
use zigzag_varint::{BulkError, DecodeError, Decoder, Progress, ReadVarint, WriteVarint, decode_slice};

fn check_every_chunk_length<T: Int>() {
    for values in [mixed::<T>(T::LONGEST, 90), mixed(2, 200), uniform(T::LONGEST, 40)] {
        let src = oracle::encode_all(&values);
        for len in 1..=src.len() {
            let pieces = Pieces::new(&src, || len);
            for capacity in [1, 7, 1000] {
                compare::<T>(&src, &pieces, len % 2 == 0, capacity);
            }
        }
    }
}
for_types!(chunks_of_every_length_decode_like_a_slice, check_every_chunk_length);

fn check_every_fault<T: Int>() {
    for edge_case in edge_cases::<T>() {
        for before in [0, 1, 2, 7, 8, 9, 40] {
            let values = mixed::<T>(T::LONGEST, before);
            let src = [&oracle::encode_all(&values)[..], &edge_case, &[0x05; 20]].concat();
            // The last two make the edge case a piece of its own, and cut it in the middle.
            let start = src.len() - 20 - edge_case.len();
            let lengths =
                [1, 2, 3, 9, 10, 11, 64, usize::MAX, start.max(1), (start + 1 + edge_case.len() / 2).max(1)];
            for len in lengths {
                let pieces = Pieces::new(&src, || len);
                for (canonical, capacity) in [(false, 3), (true, 3), (false, 100), (true, 100)] {
                    compare::<T>(&src, &pieces, canonical, capacity);
                }
            }
        }
    }
}
for_types!(every_fault_is_reported_at_its_offset, check_every_fault);

fn check_writing<T: Int>() {
    check_random(values::<T>(), &|values| compare_encoders(&values));
    for values in backgrounds::<T>(9000) {
        for n in [0, 1, 8, 9, 100, 861, 862, 9000] {
            compare_encoders(&values[..n]);
        }
    }
}
for_types!(values_of_any_number_are_written_like_a_slice, check_writing);

fn check_long_streams<T: Int>() {
    for values in backgrounds::<T>(20_000) {
        let src = oracle::encode_all(&values);
        let mut read = vec![T::default(); values.len() + 1];
        for capacity in [1, 100, 4096, 65_536] {
            let mut input = BufReader::with_capacity(capacity, &src[..]);
            assert_eq!(input.read_varints::<T>(&mut read).expect("valid"), values.len());
            assert_eq!(read[..values.len()], values, "buffer of {capacity} bytes");

            let mut output = BufWriter::with_capacity(capacity, Vec::new());
            assert_eq!(output.write_varints::<T>(&values).expect("a vector grows"), src.len());
            assert_eq!(output.into_inner().expect("a vector grows"), src);
        }
    }
}
for_types!(long_streams_pass_through_buffers, check_long_streams, u8 i32 u64 u128);

#[test]
fn a_reader_error_keeps_the_values_before_it() {
    let values = mixed::<u64>(10, 40);
    let src = oracle::encode_all(&values);
    for fails_after in 0..=src.len() {
        let before = oracle::decode_all::<u64>(&src[..fails_after], usize::MAX, false);
        let progress = Progress { values: before.values.len(), bytes: before.bytes };
        let mut input = Failing { src: &src, fails_after, failed: false };
        let mut read = [0; 41];
        let failed = input.read_varints::<u64>(&mut read).unwrap_err();
        assert_eq!((failed.progress, failed.error.kind()), (progress, io::ErrorKind::ConnectionReset));
        assert_eq!(read[..progress.values], before.values);
        if before.error.is_none() {
            // Between two values, nothing is lost.
            assert_eq!(input.read_varints::<u64>(&mut read).unwrap(), values.len() - progress.values);
        }
        let mut input = Failing { src: &src, fails_after, failed: false };
        for value in before.values {
            assert_eq!(input.next_varint::<u64>().unwrap(), Some(value));
        }
        let error = input.read_varint::<u64>().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}

#[test]
fn writer_errors_are_returned() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let values = [300u64; 50_000];
    assert_eq!(Full(100_000).write_varints::<u64>(&values).unwrap(), 100_000);
    for capacity in [0, 1, 50_000, 99_999] {
        assert_eq!(
            Full(capacity).write_varints::<u64>(&values).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
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
fn trait_objects_read_and_write_in_bulk() {
    let mut bytes = Vec::new();
    let output: &mut dyn Write = &mut bytes;
    assert_eq!(output.write_varints::<u64>(&[1, 300]).unwrap(), 3);
    let mut slice = &bytes[..];
    let input: &mut dyn io::BufRead = &mut slice;
    assert_eq!(input.read_varint::<u64>().unwrap(), 1);
    let mut values = [0u64; 2];
    assert_eq!(input.read_varints::<u64>(&mut values).unwrap(), 1);
    assert_eq!(values[0], 300);
}

#[test]
fn successful_calls_do_not_allocate() {
    let values = mixed::<u64>(10, 5000);
    let bytes = oracle::encode_all(&values);
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
        assert_eq!((&mut written[..]).write_varints::<u64>(&values).expect("enough space"), bytes.len());
        #[cfg(feature = "bytes")]
        {
            use bytes::Buf;
            use zigzag_varint::{BufMutVarint, BufVarint};

            let (head, tail) = bytes.split_at(1234);
            assert_eq!(head.chain(tail).try_get_varints::<u64>(&mut read), Ok(5000));
            assert_eq!((&mut written[..]).try_put_varints::<u64>(&values), Ok(bytes.len()));
        }
    });
    assert_eq!(measured.count_total, 0);
    let decoded: Result<Progress, DecodeError> = decode_slice(&bytes, &mut read).map_err(Into::into);
    assert_eq!(decoded, Ok(Progress { values: 5000, bytes: bytes.len() }));
    assert_eq!(ReadVarint::read_varint::<u64>(&mut &bytes[..]).expect("valid"), values[0]);
}
