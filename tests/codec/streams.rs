//! Values in streams: what the table of wire types does not show. Errors of readers and writers, and
//! blocks.

use std::io::{self, BufRead, Write};

use crate::support::pieces::Pieces;
use crate::support::wire_types::{decode_error_in, values};
use crate::support::wires::mixed;
use bytes::{Buf, BufMut};
use zigzag_varint::ErrorKind::{Overflow, Truncated};
use zigzag_varint::{BufMutVarint, BufVarint, BulkError, Decoder, Progress, ReadVarint, WriteVarint};
use zigzag_varint_oracle::{self as oracle, ErrorAt};

#[test]
fn a_reader_error_keeps_the_values_before_it() {
    let numbers = mixed(64, 10, 40);
    let (values, src) = (values::<u64>(&numbers), oracle::encode_all(&numbers));
    for fails_after in 0..=src.len() {
        let (head, tail) = src.split_at(fails_after);
        let before = oracle::decode_all(head, 64, usize::MAX, false);
        let progress = Progress { values: before.values.len(), bytes: before.bytes };
        let mut input = Pieces::failing(head, tail);
        let mut read = [0; 41];
        let failed = input.read_varints::<u64>(&mut read).unwrap_err();
        assert_eq!((failed.progress, failed.error.kind()), (progress, io::ErrorKind::ConnectionReset));
        assert_eq!(read[..progress.values], values[..progress.values]);
        if before.error.is_none() {
            // Between two values, nothing is lost.
            assert_eq!(input.read_varints::<u64>(&mut read).unwrap(), values.len() - progress.values);
        }
        let mut input = Pieces::failing(head, tail);
        for &value in &values[..progress.values] {
            assert_eq!(input.next_varint::<u64>().unwrap(), Some(value));
        }
        let error = input.read_varint::<u64>().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}

#[test]
fn writer_errors_are_returned() {
    assert_eq!((&mut [0; 1][..]).write_varint(300u32).unwrap_err().kind(), io::ErrorKind::WriteZero);
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
    let reset = BulkError { progress: Progress::default(), error: io::Error::from_raw_os_error(104) };
    assert_eq!(io::Error::from(reset).raw_os_error(), Some(104));
}

#[test]
fn trait_objects_read_and_write() {
    let mut bytes = Vec::new();
    assert_eq!((&mut bytes as &mut dyn Write).write_varint(300u64).unwrap(), 2);
    assert_eq!((&mut bytes as &mut dyn BufMut).put_varint(-1i8), 1);
    let mut input = &bytes[..];
    assert_eq!((&mut input as &mut dyn BufRead).read_varint::<u64>().unwrap(), 300);
    assert_eq!((&mut input as &mut dyn Buf).try_get_varint::<i8>(), Ok(-1));
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

mod bytes_buffers {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use zigzag_varint::{BufferTooSmall, LengthPrefix};

    use super::*;

    /// As SECURITY.md says: `put_` as in `bytes`, and `try_put_` never.
    #[test]
    fn only_the_methods_without_try_panic_without_space() {
        let panics = |put: fn(&mut &mut [u8])| {
            let mut bytes = [0xaa; 2];
            let panicked = catch_unwind(AssertUnwindSafe(|| put(&mut &mut bytes[..]))).is_err();
            assert_eq!(bytes, [0xaa; 2], "nothing is written");
            panicked
        };
        assert!(panics(|buf| buf.put_slice(&[0; 3])));
        assert!(panics(|buf| _ = buf.put_varint(u32::MAX)));
        assert!(panics(|buf| _ = buf.put_varints::<u32>(&[1, 1, 300])));
        assert!(!panics(|buf| _ = buf.try_put_varint(u32::MAX)));
        assert!(!panics(|buf| _ = buf.try_put_varints::<u32>(&[1, 1, 300])));
        assert!(!panics(|buf| _ = buf.put_length_prefixed(LengthPrefix::new(9), b"hi")));
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
}

mod embedded {
    use embedded_io::{ErrorKind, SliceWriteError};
    use zigzag_varint::LengthPrefix;
    use zigzag_varint::embedded_io::{Error, ReadVarint, WriteVarint};

    use crate::support::pieces::Pieces;

    #[test]
    fn io_errors_are_returned_after_the_values_before_them() {
        let reset = Error::Io(ErrorKind::ConnectionReset);
        for (src, values) in [(&[][..], 0), (&[0x01], 1), (&[0x01, 0xac], 1), (&[0x01, 0xac, 0x02], 2)] {
            let failed =
                ReadVarint::read_varints::<u64>(&mut Pieces::failing(src, &[]), &mut [0; 4]).unwrap_err();
            assert_eq!((failed.progress.values, failed.error), (values, reset));
        }
        let mut input = Pieces::failing(&[0x01], &[]);
        assert_eq!([(); 2].map(|()| ReadVarint::read_varint::<u64>(&mut input)), [Ok(1), Err(reset)]);
        let (mut input, prefix) = (Pieces::failing(&[0x01], &[0x07]), LengthPrefix::new(1));
        let payload = ReadVarint::read_length_prefixed(&mut input, prefix, &mut [0]).map(drop);
        assert_eq!(payload, Err(Error::Io(ErrorKind::ConnectionReset)));
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
