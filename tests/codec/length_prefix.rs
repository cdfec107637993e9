//! Length-prefixed payloads: all APIs match the oracle, consume as much as documented, and use memory
//! in proportion to the input.

use std::hint::black_box;
use std::io;

use crate::support::frames::{self, Outcome, PayloadError, Rules, by_prefix, by_reader, by_slice, suite};
use crate::support::pieces::Pieces;
use crate::support::wires::breakpoints;
use bytes::{Buf, Bytes, BytesMut};
use prost::{decode_length_delimiter, encode_length_delimiter, length_delimiter_len};
use tokio_util::codec::{Decoder, Encoder};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::codec::LengthPrefixedCodec;
use zigzag_varint::embedded_io as embedded;
use zigzag_varint::{
    BufMutVarint, BufVarint, BufferTooSmall, FrameError, LengthPrefix, ReadVarint, Reader, WriteVarint,
};
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
    let next = input.clone().next_length_prefixed(rules.prefix());
    assert_eq!(matches!(next, Ok(None)), src.is_empty(), "`None` means the end of the stream");
    let payload = input.read_length_prefixed(rules.prefix()).map_err(PayloadError::inside)?;
    Ok((payload, src.len() - input.len()))
}

fn by_buf(mut buf: impl Buf, src: &[u8], rules: Rules) -> Outcome {
    let one_chunk = buf.chunk().len() == src.len();
    let payload = buf.try_get_length_prefixed(rules.prefix());
    let consumed = src.len() - buf.remaining();
    let error = match payload {
        Ok(payload) => return Ok((payload.to_vec(), consumed)),
        Err(error) => PayloadError::from(error),
    };
    let of_prefix = match error {
        PayloadError::Prefix(ErrorAt { kind, offset }) => offset + usize::from(kind != Truncated),
        _ => oracle::decode(src, 64, false).map_or(0, |(_, len)| len),
    };
    assert_eq!(consumed, if one_chunk { 0 } else { of_prefix }, "{error:?} from {src:02x?}");
    Err(error)
}

fn by_embedded_io(src: &[u8], rules: Rules, len: usize) -> Outcome {
    // Most payloads that exceed the input fit.
    let (mut input, mut dst) = (interrupted(src, len), vec![0; src.len() + 30_000]);
    match embedded::ReadVarint::read_length_prefixed(&mut input, rules.prefix(), &mut dst) {
        Ok(payload) => Ok((payload.to_vec(), src.len() - input.len())),
        // The others are reported as such before the input ends.
        Err(embedded::Error::Data(FrameError::BufferTooSmall(BufferTooSmall { needed, available }))) => {
            assert_eq!(available, src.len() + 30_000);
            Err(PayloadError::Truncated { len: needed, missing: needed - input.len(), offset: src.len() })
        }
        Err(embedded::Error::Data(error)) => Err(error.into()),
        Err(embedded::Error::Io(error)) => panic!("{error:?}"),
    }
}

/// The property `chunks` passes the codec input in chunks.
fn by_codec(src: &[u8], rules: Rules) -> Outcome {
    let mut buffer = BytesMut::from(src);
    match LengthPrefixedCodec::new(rules.prefix()).decode_eof(&mut buffer) {
        Ok(Some(payload)) => Ok((payload.to_vec(), src.len() - buffer.len())),
        Ok(None) => {
            assert!(src.is_empty(), "`None` means the end of the stream");
            frames::read(src, rules)
        }
        Err(error) => {
            assert_eq!(buffer, src, "a failed call consumes nothing");
            Err(PayloadError::inside(error))
        }
    }
}

#[test]
fn every_api_that_reads_matches_the_oracle() {
    suite("slice", &by_slice);
    suite("prefix", &by_prefix);
    suite("Reader", &by_reader);
    suite("codec", &by_codec);
    suite("Bytes", &|src, rules| by_buf(Bytes::copy_from_slice(src), src, rules));
    suite("BytesMut", &|src, rules| by_buf(BytesMut::from(src), src, rules));
    for cut in [0, 1, 2, 5] {
        suite("Chain", &|src, rules| {
            let (head, tail) = src.split_at(cut.min(src.len()));
            by_buf(Buf::chain(head, tail), src, rules)
        });
    }
    // Single bytes of the prefix, then long pieces.
    suite("pieces", &|src, rules| {
        let mut lens = [1; 12].into_iter();
        by_buf(Pieces::new(src, || lens.next().unwrap_or(1000)), src, rules)
    });
    for len in [1, 2, usize::MAX] {
        suite("std", &|src, rules| by_io(src, rules, len));
        suite("embedded-io", &|src, rules| by_embedded_io(src, rules, len));
    }
}

/// Returns the error inside an I/O error that a payload causes which is too long to be written.
fn refused(error: io::Error) -> FrameError {
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    *error.get_ref().and_then(|inside| inside.downcast_ref()).expect("a FrameError inside")
}

/// An API, and how it appends a payload. Returns the number of bytes that it reports.
type Writer = (&'static str, fn(LengthPrefix, &[u8], &mut Vec<u8>) -> Result<usize, FrameError>);

const WRITERS: [Writer; 7] = [
    ("slice", |prefix, payload, dst| {
        let mut slice = vec![0xaa; payload.len() + 10];
        let written = prefix.encode_to_slice(payload, &mut slice);
        let len = written.unwrap_or(0);
        assert!(slice[len..].iter().all(|&byte| byte == 0xaa), "nothing is written past the frame");
        dst.extend_from_slice(&slice[..len]);
        written
    }),
    ("prefix", |prefix, payload, dst| {
        let len = prefix.encode_prefix(payload.len())?;
        dst.extend_from_slice(&[&len, payload].concat());
        Ok(len.len() + payload.len())
    }),
    ("append", |prefix, payload, dst| prefix.encode_append(payload, dst)),
    ("std", |prefix, payload, dst| dst.write_length_prefixed(prefix, payload).map_err(refused)),
    ("bytes", |prefix, payload, dst| dst.put_length_prefixed(prefix, payload)),
    ("embedded-io", |prefix, payload, dst| {
        let mut slice = vec![0xaa; payload.len() + 10];
        let mut output = &mut slice[..];
        let written = embedded::WriteVarint::write_length_prefixed(&mut output, prefix, payload);
        let left = output.len();
        dst.extend_from_slice(&slice[..payload.len() + 10 - left]);
        written.map_err(|error| match error {
            embedded::Error::Data(error) => error,
            embedded::Error::Io(error) => panic!("{error:?}"),
        })
    }),
    ("codec", |prefix, payload, dst| {
        let (before, mut buffer) = (dst.len(), BytesMut::from(&dst[..]));
        let written = LengthPrefixedCodec::new(prefix).encode(payload.to_vec().into(), &mut buffer);
        *dst = buffer.to_vec();
        written.map(|()| dst.len() - before).map_err(refused)
    }),
];

#[test]
fn every_api_writes_the_same_frame_or_nothing() {
    for len in [0, 1, 2, 126, 127, 128, 129, 300, 16_383, 16_384, 17_000] {
        let payload: Vec<u8> = (0..=255).cycle().take(len).collect();
        let frame = frames::frame(&payload);
        for (name, write) in WRITERS {
            let mut dst = b"before".to_vec();
            assert_eq!(write(LengthPrefix::new(len), &payload, &mut dst), Ok(frame.len()), "{name}");
            assert_eq!(dst, [b"before", &frame[..]].concat(), "{name}");
            if let Some(max_len) = len.checked_sub(1) {
                let mut dst = b"before".to_vec();
                let error = FrameError::TooLong { len: len as u64, max_len, offset: None };
                assert_eq!(write(LengthPrefix::new(max_len), &payload, &mut dst), Err(error), "{name}");
                assert_eq!(dst, b"before", "{name}");
            }
        }
        for rules in Rules::each(len) {
            assert_eq!(rules.prefix().max_len(), len);
            assert_eq!(by_slice(&frame, rules), Ok((payload.clone(), frame.len())));
        }
    }
}

#[test]
fn nothing_is_written_to_a_buffer_that_is_too_small() {
    let four = LengthPrefix::new(4);
    let mut bytes = [0xaa; 5];
    for available in 0..5 {
        let error = FrameError::BufferTooSmall(BufferTooSmall { needed: 5, available });
        assert_eq!(four.encode_to_slice(b"four", &mut bytes[..available]), Err(error));
        assert_eq!((&mut bytes[..available]).put_length_prefixed(four, b"four"), Err(error));
    }
    assert_eq!(bytes, [0xaa; 5]);
    // A writer fails when it is full.
    let full = embedded::WriteVarint::write_length_prefixed(&mut &mut bytes[..3], four, b"four");
    assert_eq!(full, Err(embedded::Error::Io(embedded_io::SliceWriteError::Full)));
    assert_eq!((&mut bytes[..]).put_length_prefixed(four, b"four"), Ok(5));
    assert_eq!(&bytes, b"\x04four");
}

#[test]
fn supplying_the_missing_bytes_completes_the_payload() {
    let payload = vec![b'x'; 300];
    let whole = frames::frame(&payload);
    let mut have = 0;
    let mut waits = 0;
    while let Err(error) = LengthPrefix::new(300).decode(&whole[..have]) {
        let missing = error.missing().expect("an incomplete frame");
        assert!(error.is_incomplete() && missing > 0);
        assert!(missing > 1 || have < 2, "the length is known once the prefix is complete");
        have += missing;
        waits += 1;
    }
    assert_eq!((have, waits), (whole.len(), 3), "one wait for each byte of the prefix, one for the payload");
}

#[test]
fn final_errors_report_no_missing_bytes() {
    let written = LengthPrefix::new(9).encode_to_slice(b"hi", &mut [0; 2]).unwrap_err();
    let read = [&[0x80; 10][..], &[0x7f], &[0x81, 0x00]]
        .map(|src| LengthPrefix::new(5).canonical().decode(src).unwrap_err());
    for error in read.into_iter().chain([written]) {
        assert_eq!((error.missing(), error.is_incomplete()), (None, false), "{error:?}");
    }
}

#[test]
fn a_format_without_limit_is_one_with_the_greatest_limit() {
    const ANY: [LengthPrefix; 3] = [
        LengthPrefix::without_limit(),
        LengthPrefix::without_limit().canonical(),
        LengthPrefix::without_limit().prefix_u32(),
    ];
    let greatest = LengthPrefix::new(usize::MAX);
    assert_eq!(ANY, [greatest, greatest.canonical(), greatest.prefix_u32()]);
    assert_eq!(
        ANY.map(|prefix| prefix.max_len() as u64),
        [usize::MAX as u64, usize::MAX as u64, 0xffff_ffff]
    );
    let longest = oracle::encode_all([usize::MAX as u128]);
    let truncated = FrameError::Truncated { len: usize::MAX, missing: usize::MAX, offset: longest.len() };
    assert_eq!(ANY[0].decode(&longest), Err(truncated));
}

#[test]
fn memory_use_is_proportional_to_the_input() {
    // A prefix that announces gigabytes, under a limit that allows it, before a few bytes or many.
    for received in [3, 1 << 20] {
        let hostile = [&oracle::encode_all([1u128 << 31])[..], &vec![7; received]].concat();
        let mut buffer = BytesMut::from(&hostile[..]);
        for prefix in Rules::each(usize::MAX).map(Rules::prefix) {
            let in_place = allocation_counter::measure(|| {
                black_box(prefix.decode(&hostile).unwrap_err());
                black_box(Reader::new(&hostile).read_length_prefixed(prefix).unwrap_err());
                assert!(LengthPrefixedCodec::new(prefix).decode(&mut buffer).unwrap().is_none());
            });
            assert_eq!(in_place.count_total, 0, "decoding from slices and buffers never allocates");
            let measured = allocation_counter::measure(|| {
                black_box((&hostile[..]).read_length_prefixed(prefix).unwrap_err());
            });
            let limit = 9 * 1024 + 4 * received as u64;
            assert!(measured.bytes_max < limit, "peak memory: {} bytes", measured.bytes_max);
        }
    }
    let frame = frames::frame(&[7; 8000]);
    let measured = allocation_counter::measure(|| {
        black_box((&frame[..]).read_length_prefixed(LengthPrefix::new(8000)).is_ok());
    });
    assert_eq!((measured.count_total, measured.bytes_total), (1, 8000));
}

#[test]
fn a_payload_in_a_buffer_is_not_copied() {
    let (prefix, frame) = (LengthPrefix::new(300), frames::frame(&[7; 300]));
    let (mut bytes, mut buffer) = (Bytes::from(frame.clone()), BytesMut::from(&frame[..]));
    let starts = [bytes.as_ptr(), buffer.as_ptr()];
    let payload = bytes.try_get_length_prefixed(prefix).unwrap();
    let decoded = LengthPrefixedCodec::new(prefix).decode(&mut buffer).unwrap().unwrap();
    assert_eq!([payload.as_ptr(), decoded.as_ptr()], starts.map(|start| start.wrapping_add(2)));
}

#[test]
fn frames_can_be_decoded_and_prefixes_encoded_at_compile_time() {
    const DECODED: Result<(&[u8], usize), FrameError> = LengthPrefix::new(9).prefix_u32().decode(b"\x02hi!");
    const LEN: usize = match LengthPrefix::new(300).canonical().encode_prefix(300) {
        Ok(prefix) => prefix.as_bytes().len(),
        Err(_) => 0,
    };
    assert_eq!((DECODED, LEN), (Ok((&b"hi"[..], 3)), 2));
}

#[test]
fn prefixes_are_interoperable_with_prost() {
    for len in breakpoints(usize::BITS).into_iter().map(|number| number as usize) {
        let all = LengthPrefix::without_limit();
        let mut theirs = Vec::new();
        encode_length_delimiter(len, &mut theirs).unwrap();
        let ours = all.encode_prefix(len).unwrap();
        assert_eq!((&ours[..], ours.len()), (&theirs[..], length_delimiter_len(len)));
        assert_eq!(decode_length_delimiter(&ours[..]).ok(), Some(len));
        assert_eq!(all.decode_prefix(&theirs), Ok((len, theirs.len())));
    }
}

mod embedded_readers {
    use embedded_io::{BufRead, ErrorKind, ErrorType, Read};
    use zigzag_varint::embedded_io::{Error, ReadVarint};

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
        let truncated = FrameError::Truncated { len: 5, missing: 3, offset: 3 };
        assert_eq!(read(&mut &input[7..], &mut dst), Err(truncated));
        assert_eq!(read(&mut &[][..], &mut dst), Ok(None));
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
