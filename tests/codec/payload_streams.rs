//! Length-prefixed payloads in streams, a row for each kind: all match the oracle, consume as much as
//! documented, and use memory in proportion to the input.

use std::hint::black_box;
use std::io;

use crate::support::frames::{self, Outcome, PayloadError, Rules};
use crate::support::pieces::Pieces;
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{FrameError, LengthPrefix, ReadVarint, WriteVarint};
use zigzag_varint_oracle::{self as oracle, ErrorAt};

/// The input in pieces of `len` bytes, each after an interruption.
fn interrupted(src: &[u8], len: usize) -> Pieces<'_> {
    let mut pause = false;
    Pieces::new(src, || {
        pause ^= true;
        if pause { 0 } else { len }
    })
}

fn by_io(src: &[u8], rules: Rules, len: usize) -> Outcome {
    let mut input = interrupted(src, len);
    let payload = input.read_length_prefixed(rules.prefix()).map_err(PayloadError::inside)?;
    Ok((payload, src.len() - input.len()))
}

fn by_buf(mut buf: impl bytes::Buf, rules: Rules) -> Outcome {
    use zigzag_varint::BufVarint;

    let (before, chunk) = (buf.remaining(), buf.chunk().len());
    match buf.try_get_length_prefixed(rules.prefix()) {
        Ok(payload) => Ok((payload.to_vec(), before - buf.remaining())),
        Err(error) => {
            let consumed = before - buf.remaining();
            assert!(
                consumed == 0 || (chunk < before && consumed >= chunk),
                "{consumed} bytes consumed, first chunk: {chunk} of {before} bytes"
            );
            Err(error.into())
        }
    }
}

fn by_embedded_io(src: &[u8], rules: Rules, len: usize) -> Outcome {
    use zigzag_varint::BufferTooSmall;
    use zigzag_varint::embedded_io::{Error, ReadVarint};

    let (mut input, mut dst) = (interrupted(src, len), vec![0; src.len()]);
    match ReadVarint::read_length_prefixed(&mut input, rules.prefix(), &mut dst) {
        Ok(payload) => Ok((payload.to_vec(), src.len() - input.len())),
        // The destination is as long as the input. A payload that exceeds the input therefore does
        // not fit, and is reported as such before the input ends.
        Err(Error::Data(FrameError::BufferTooSmall(BufferTooSmall { needed, available }))) => {
            assert_eq!(available, src.len());
            Err(PayloadError::Truncated { len: needed, missing: needed - input.len() })
        }
        Err(Error::Data(error)) => Err(error.into()),
        Err(Error::Io(error)) => panic!("{error:?}"),
    }
}

/// A kind of stream, and how it reads the payload at the start of the input.
type Row = (&'static str, Box<dyn Fn(&[u8], Rules) -> Outcome>);

#[test]
fn every_kind_of_stream_matches_the_oracle() {
    use bytes::{Buf, Bytes, BytesMut};

    let mut rows: Vec<Row> = vec![
        ("Bytes", Box::new(|src, rules| by_buf(Bytes::copy_from_slice(src), rules))),
        ("BytesMut", Box::new(|src, rules| by_buf(BytesMut::from(src), rules))),
    ];
    for cut in [0, 1, 2, 5] {
        let api = move |src: &[u8], rules| {
            let (head, tail) = src.split_at(cut.min(src.len()));
            by_buf(head.chain(tail), rules)
        };
        rows.push(("Chain", Box::new(api)));
    }
    // Single bytes of the prefix, then long pieces.
    let by_pieces = |src: &[u8], rules| {
        let mut lens = [1; 12].into_iter();
        by_buf(Pieces::new(src, || lens.next().unwrap_or(1000)), rules)
    };
    rows.push(("pieces", Box::new(by_pieces)));
    for len in [1, 2, usize::MAX] {
        rows.push(("std", Box::new(move |src, rules| by_io(src, rules, len))));
        rows.push(("embedded-io", Box::new(move |src, rules| by_embedded_io(src, rules, len))));
    }
    for (name, api) in rows {
        frames::suite(name, &*api);
    }
}

#[test]
fn a_clean_end_differs_from_a_truncated_payload() {
    let prefix = LengthPrefix::new(10);
    let mut input: &[u8] = b"\x02hi";
    assert_eq!(input.next_length_prefixed(prefix).unwrap().as_deref(), Some(&b"hi"[..]));
    assert_eq!(input.next_length_prefixed(prefix).unwrap(), None);
    let missing = PayloadError::inside(input.read_length_prefixed(prefix).unwrap_err());
    assert_eq!(missing, PayloadError::Prefix(ErrorAt { kind: Truncated, offset: 0 }));
    let mut cut: &[u8] = b"\x02h";
    let truncated = PayloadError::inside(cut.next_length_prefixed(prefix).unwrap_err());
    assert_eq!(truncated, PayloadError::Truncated { len: 2, missing: 1 });
}

#[test]
fn a_payload_over_the_limit_is_not_written() {
    let mut vector = vec![1];
    let rejected = vector.write_length_prefixed(LengthPrefix::new(4), b"hello").unwrap_err();
    assert_eq!(rejected.kind(), io::ErrorKind::InvalidInput);
    let error = FrameError::TooLong { len: 5, max_len: 4 };
    assert_eq!(rejected.get_ref().and_then(|inside| inside.downcast_ref()), Some(&error));
    assert_eq!(vector, [1], "nothing is written");
}

#[test]
fn memory_use_is_proportional_to_the_input() {
    // A prefix that announces a terabyte, under a limit that allows it, before a few bytes or many.
    for received in [3, 1 << 20] {
        let hostile = [&oracle::encode_all([1u128 << 40])[..], &vec![7; received]].concat();
        for rules in Rules::each(usize::MAX) {
            let measured = allocation_counter::measure(|| {
                black_box((&hostile[..]).read_length_prefixed(rules.prefix()).unwrap_err());
            });
            let limit = 32 * 1024 + 4 * received as u64;
            assert!(measured.bytes_max < limit, "peak memory: {} bytes", measured.bytes_max);
        }
    }
    let frame = frames::frame(&[7; 8000]);
    let measured = allocation_counter::measure(|| {
        black_box((&frame[..]).read_length_prefixed(LengthPrefix::new(8000)).is_ok());
    });
    assert_eq!((measured.count_total, measured.bytes_total), (1, 8000));
}

mod bytes_buffers {
    use bytes::{Bytes, BytesMut};
    use zigzag_varint::{BufMutVarint, BufVarint, BufferTooSmall};

    use super::*;

    #[test]
    fn a_payload_from_bytes_is_not_copied() {
        let mut buf = Bytes::from(frames::frame(&[7; 300]));
        let start = buf.as_ptr();
        let payload = buf.try_get_length_prefixed(LengthPrefix::new(300)).unwrap();
        assert_eq!(payload.as_ptr(), start.wrapping_add(2));
    }

    #[test]
    fn a_payload_that_is_too_long_or_does_not_fit_is_not_written() {
        let mut bytes = [0xaa; 5];
        for available in 0..5 {
            let mut dst = &mut bytes[..available];
            let error = FrameError::BufferTooSmall(BufferTooSmall { needed: 5, available });
            assert_eq!(dst.put_length_prefixed(LengthPrefix::new(4), b"four"), Err(error));
        }
        assert_eq!(bytes, [0xaa; 5]);
        assert_eq!((&mut bytes[..]).put_length_prefixed(LengthPrefix::new(4), b"four"), Ok(5));
        assert_eq!(&bytes, b"\x04four");
        let mut buf = BytesMut::new();
        let rejected = buf.put_length_prefixed(LengthPrefix::new(4), b"hello");
        assert_eq!((rejected, buf.len()), (Err(FrameError::TooLong { len: 5, max_len: 4 }), 0));
    }
}

mod embedded {
    use embedded_io::{BufRead, ErrorKind, ErrorType, Read, SliceWriteError};
    use zigzag_varint::BufferTooSmall;
    use zigzag_varint::embedded_io::{Error, ReadVarint, WriteVarint};

    use super::*;

    const NINE: LengthPrefix = LengthPrefix::new(9);

    fn read<'b>(input: &mut &[u8], dst: &'b mut [u8]) -> Result<Option<&'b mut [u8]>, FrameError> {
        ReadVarint::next_length_prefixed(input, NINE, dst).map_err(|error| match error {
            Error::Data(error) => error,
            Error::Io(never) => match never {},
        })
    }

    #[test]
    fn a_payload_is_stored_at_the_start_of_its_destination() {
        let (mut dst, mut input) = ([0xaa; 6], &b"\x02hi\x07longer!\x05he"[..]);
        assert_eq!(read(&mut input, &mut dst), Ok(Some(&mut b"hi".to_owned()[..])));
        assert_eq!(dst, *b"hi\xaa\xaa\xaa\xaa");
        let short = FrameError::BufferTooSmall(BufferTooSmall { needed: 7, available: 6 });
        assert_eq!(read(&mut input, &mut dst), Err(short));
        assert_eq!(input, b"longer!\x05he", "only the prefix has been read");
        let truncated = FrameError::Truncated { len: 5, missing: 3 };
        assert_eq!(read(&mut &input[7..], &mut dst), Err(truncated));
        assert_eq!(read(&mut &[][..], &mut dst), Ok(None));
        let message =
            ReadVarint::read_length_prefixed(&mut &[0x80][..], NINE, &mut []).unwrap_err().to_string();
        assert_eq!(message, "length prefix: truncated varint: input ends at offset 1");
    }

    #[test]
    fn a_payload_that_is_too_long_or_does_not_fit_is_an_error() {
        let mut dst = [0xaa; 9];
        let rejected = WriteVarint::write_length_prefixed(&mut &mut dst[..], LengthPrefix::new(4), b"hello");
        assert_eq!(rejected, Err(Error::Data(FrameError::TooLong { len: 5, max_len: 4 })));
        assert_eq!(dst, [0xaa; 9]);
        let full = WriteVarint::write_length_prefixed(&mut &mut dst[..3], NINE, b"hello");
        assert_eq!(full, Err(Error::Io(SliceWriteError::Full)));
        assert_eq!(WriteVarint::write_length_prefixed(&mut &mut dst[..], NINE, b"hello"), Ok(6));
        assert_eq!(dst[..6], *b"\x05hello");
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
        let mut dst = [0; 9];
        let payload = ReadVarint::read_length_prefixed(&mut Overcounting, NINE, &mut dst);
        assert_eq!(payload.unwrap(), [3; 3]);
    }
}
