//! Length-prefixed payloads in slices and vectors: all APIs agree, and report the exact lengths.

use std::error::Error;
use std::hint::black_box;

use crate::support::frames::{self, Rules, by_prefix, by_reader, by_slice};
use crate::support::wires::breakpoints;
use prost::{decode_length_delimiter, encode_length_delimiter, length_delimiter_len};
use zigzag_varint::{FrameError, LengthPrefix, Reader, WriteVarint};
use zigzag_varint_oracle as oracle;

#[test]
fn every_api_matches_the_oracle() {
    frames::suite("slice", &by_slice);
    frames::suite("prefix", &by_prefix);
    frames::suite("Reader", &by_reader);
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
fn read_bytes_returns_the_exact_range_or_the_missing_length() {
    let src: Vec<u8> = (0..100).collect();
    for start in 0..=src.len() {
        for len in [0, 1, 8, src.len() - start, src.len() - start + 1, usize::MAX] {
            let mut reader = Reader::new(&src);
            reader.skip_values(start).unwrap();
            match reader.read_bytes(len) {
                Ok(bytes) => assert_eq!((bytes, reader.position()), (&src[start..start + len], start + len)),
                Err(error) => {
                    let missing = len - (src.len() - start);
                    assert!(missing > 0);
                    assert_eq!((error, reader.position()), (FrameError::Truncated { len, missing }, start));
                }
            }
            // The look-ahead from before `read_bytes` must not be used.
            let next = reader.position();
            assert_eq!(reader.read::<u8>().ok(), src.get(next).copied());
        }
    }
}

#[test]
fn final_errors_report_no_missing_bytes() {
    for src in [&[0x80; 10][..], &[0x7f], &[0x81, 0x00]] {
        let error = LengthPrefix::new(5).canonical().decode(src).unwrap_err();
        assert_eq!((error.missing(), error.is_incomplete()), (None, false), "{error:?}");
    }
}

#[test]
fn every_api_decodes_what_every_api_encodes() {
    for len in [0, 1, 2, 126, 127, 128, 129, 300, 16_383, 16_384, 17_000] {
        let payload: Vec<u8> = (0..=255).cycle().take(len).collect();
        let prefix = LengthPrefix::new(payload.len());
        let expected = frames::frame(&payload);

        let mut slice = vec![0xaa; expected.len() + 3];
        assert_eq!(prefix.encode_to_slice(&payload, &mut slice), Ok(expected.len()));
        assert_eq!((&slice[..expected.len()], &slice[expected.len()..]), (&expected[..], &[0xaa; 3][..]));
        let mut vector = b"before".to_vec();
        assert_eq!(prefix.encode_append(&payload, &mut vector), Ok(expected.len()));
        assert_eq!(vector, [b"before", &expected[..]].concat());
        let mut written = Vec::new();
        assert_eq!(written.write_length_prefixed(prefix, &payload).unwrap(), expected.len());
        assert_eq!(written, expected);
        assert_eq!(*prefix.encode_prefix(payload.len()).unwrap(), expected[..expected.len() - payload.len()]);

        for rules in Rules::each(payload.len()) {
            assert_eq!(by_slice(&expected, rules), Ok((payload.clone(), expected.len())));
        }
    }
}

#[test]
fn a_payload_over_the_limit_is_not_written() {
    let prefix = LengthPrefix::new(4);
    let error = FrameError::TooLong { len: 5, max_len: 4 };
    let (mut slice, mut vector) = ([0xaa; 10], vec![1]);
    assert_eq!(prefix.encode_to_slice(b"hello", &mut slice), Err(error));
    assert_eq!(prefix.encode_append(b"hello", &mut vector), Err(error));
    assert_eq!(prefix.encode_prefix(5).map(|_| ()), Err(error));
    assert_eq!((slice, vector), ([0xaa; 10], vec![1]), "nothing is written");
}

#[test]
fn a_hostile_length_causes_no_allocation() {
    // A few bytes whose prefix announces gigabytes, under a limit that allows them.
    let hostile = [&oracle::encode_all([1u128 << 34])[..], b"few"].concat();
    for rules in Rules::each(usize::MAX) {
        let slices = allocation_counter::measure(|| {
            black_box(rules.prefix().decode(&hostile).unwrap_err());
            black_box(Reader::new(&hostile).read_length_prefixed(rules.prefix()).unwrap_err());
        });
        assert_eq!(slices.count_total, 0, "decoding from slices never allocates");
    }
}

#[test]
fn u32_prefixes_limit_payloads_to_u32_max() {
    let all = LengthPrefix::new(usize::MAX);
    assert_eq!(all.max_len(), usize::MAX);
    assert_eq!(all.prefix_u32().max_len() as u128, u128::from(u32::MAX).min(usize::MAX as u128));
    assert_eq!(LengthPrefix::new(7).prefix_u32().max_len(), 7);
    assert_ne!(LengthPrefix::new(7).prefix_u32(), LengthPrefix::new(7));
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
fn frame_errors_have_messages_that_contain_the_cause() {
    let error = |src: &[u8]| LengthPrefix::new(300).decode(src).unwrap_err();
    assert_eq!(error(&[0x80]).to_string(), "length prefix: truncated varint: input ends at offset 1");
    assert!(error(&[0x80]).source().is_none(), "the message contains the cause");
    assert_eq!(error(&[0xad, 0x02]).to_string(), "payload too long: 301 bytes, limit 300");
    assert_eq!(error(&[2, b'h']).to_string(), "truncated payload: 1 of 2 bytes missing");
    let short = LengthPrefix::new(9).encode_to_slice(b"hi", &mut [0; 2]).unwrap_err();
    assert_eq!(short.to_string(), "buffer too small: 3 bytes needed, 2 available");
    assert_eq!(short.missing(), None);
}

#[test]
fn prefixes_are_interoperable_with_prost() {
    for len in breakpoints(usize::BITS).into_iter().map(|number| number as usize) {
        let all = LengthPrefix::new(usize::MAX);
        let mut theirs = Vec::new();
        encode_length_delimiter(len, &mut theirs).unwrap();
        let ours = all.encode_prefix(len).unwrap();
        assert_eq!((&ours[..], ours.len()), (&theirs[..], length_delimiter_len(len)));
        assert_eq!(decode_length_delimiter(&ours[..]).ok(), Some(len));
        assert_eq!(all.decode_prefix(&theirs), Ok((len, theirs.len())));
    }
}
