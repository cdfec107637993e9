//! Varints and length-prefixed payloads over `bytes`: the outcome does not depend on where a buffer
//! is split, and exactly the reported number of bytes is consumed.

use std::collections::VecDeque;

use crate::support::frames::{self, Outcome, PayloadError, Rules};
use crate::support::oracle::{self, ErrorAt, Int};
use crate::support::strategies::{Sample, check_random, samples, values};
use crate::support::streams::edge_cases;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use zigzag_varint::ErrorKind::Truncated;
use zigzag_varint::{BufMutVarint, BufVarint, BufferTooSmall, Canonical, FrameError, LengthPrefix};

/// A buffer made of chunks of any length, the first of which is empty.
struct Chunks(VecDeque<Bytes>);

impl Chunks {
    /// Splits `src` into chunks of the lengths in `cuts`, repeated as often as necessary.
    fn new(src: &[u8], cuts: &[usize]) -> Self {
        let (mut chunks, mut rest) = (VecDeque::from([Bytes::new()]), src);
        let mut cuts = cuts.iter().cycle();
        while !rest.is_empty() {
            let (chunk, following) = rest.split_at((*cuts.next().expect("a cut")).min(rest.len()));
            chunks.push_back(Bytes::copy_from_slice(chunk));
            rest = following;
        }
        Self(chunks)
    }

    fn drop_empty_chunks(&mut self) {
        while self.0.front().is_some_and(Bytes::is_empty) {
            self.0.pop_front();
        }
    }
}

impl Buf for Chunks {
    fn remaining(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    fn chunk(&self) -> &[u8] {
        self.0.iter().find(|chunk| !chunk.is_empty()).map_or(&[], |chunk| chunk)
    }

    fn advance(&mut self, mut count: usize) {
        assert!(count <= self.remaining());
        while count > 0 {
            self.drop_empty_chunks();
            let step = count.min(self.0[0].len());
            self.0[0].advance(step);
            count -= step;
        }
        self.drop_empty_chunks();
    }
}

/// Decodes the first value, and checks that as many bytes are consumed as documented.
fn first<T: Int>(buf: &mut impl Buf, canonical: bool) -> oracle::Outcome<T> {
    let (before, chunk) = (buf.remaining(), buf.chunk().len());
    let got = if canonical { buf.try_get_varint::<Canonical<T>>() } else { buf.try_get_varint::<T>() };
    let consumed = before - buf.remaining();
    match got {
        Ok(value) => Ok((value, consumed)),
        Err(error) => {
            let within_chunk = chunk == before || error.offset() < chunk;
            let left_chunk = !within_chunk || (error.kind() == Truncated && chunk < before);
            assert_eq!(
                consumed,
                if left_chunk { error.offset() } else { 0 },
                "{error:?}, first chunk: {chunk} of {before} bytes"
            );
            Err(error.into())
        }
    }
}

fn check_every_split<T: Int>() {
    let valid = (1..=T::LONGEST).map(|len| oracle::encode(crate::support::streams::uniform::<T>(len, 1)[0]));
    for bytes in valid.chain(edge_cases::<T>()) {
        let src = [&bytes[..], &[0x05]].concat();
        for src in [&src[..], &bytes] {
            for canonical in [false, true] {
                let expected = oracle::decode::<T>(src, canonical);
                assert_eq!(first(&mut &src[..], canonical), expected);
                assert_eq!(first(&mut Bytes::copy_from_slice(src), canonical), expected);
                for cut in 0..=src.len() {
                    let (head, tail) = src.split_at(cut);
                    assert_eq!(first(&mut head.chain(tail), canonical), expected, "{src:02x?} cut at {cut}");
                    let (middle, end) = tail.split_at(tail.len() / 2);
                    assert_eq!(first(&mut head.chain(middle).chain(end), canonical), expected);
                }
                for cuts in [&[1][..], &[2], &[3, 1], &[4, 7]] {
                    assert_eq!(
                        first(&mut Chunks::new(src, cuts), canonical),
                        expected,
                        "{src:02x?} cut by {cuts:?}"
                    );
                }
            }
        }
    }
}
for_types!(a_split_buffer_decodes_like_a_slice, check_every_split);

fn check_random_chunks<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, more, canonical, .. }| {
        let cuts: Vec<usize> = more.iter().map(|byte| 1 + usize::from(byte % 13)).chain([5]).collect();
        let mut split = Chunks::new(&bytes, &cuts);
        let mut whole = &bytes[..];
        let expected = oracle::decode_all::<T>(&bytes, usize::MAX, canonical);
        for &value in &expected.values {
            assert_eq!(first(&mut split, canonical).map(|(value, _)| value), Ok(value));
            assert_eq!(first(&mut whole, canonical).map(|(value, _)| value), Ok(value));
        }
        let error = expected.error.map_or(ErrorAt { kind: Truncated, offset: 0 }, |error| ErrorAt {
            offset: error.offset - expected.bytes,
            ..error
        });
        assert_eq!(first::<T>(&mut split, canonical), Err(error));
        assert_eq!(first::<T>(&mut whole, canonical), Err(error));
        assert_eq!(whole, &bytes[expected.bytes..], "a failed call consumes nothing");
    });
}
for_types!(a_stream_in_random_chunks_decodes_like_a_slice, check_random_chunks);

fn by_buf(mut buf: impl Buf, rules: Rules) -> Outcome {
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

#[test]
fn payloads_in_split_buffers_match_the_oracle() {
    frames::suite("slice", &|src, rules| by_buf(src, rules));
    frames::suite("Bytes", &|src, rules| by_buf(Bytes::copy_from_slice(src), rules));
    frames::suite("BytesMut", &|src, rules| by_buf(BytesMut::from(src), rules));
    for cut in [0, 1, 2, 5] {
        frames::suite("Chain", &|src, rules| {
            let (head, tail) = src.split_at(cut.min(src.len()));
            by_buf(head.chain(tail), rules)
        });
    }
    frames::suite("chunks", &|src, rules| by_buf(Chunks::new(src, &[1, 3, 1000]), rules));
}

#[test]
fn a_truncated_payload_in_one_chunk_can_be_retried() {
    let prefix = LengthPrefix::new(1000).canonical();
    let whole = frames::frame(&[7; 300]);
    let mut buf = BytesMut::new();
    for (have, &byte) in whole.iter().enumerate() {
        let error = buf.try_get_length_prefixed(prefix).unwrap_err();
        assert_eq!(error.missing(), Some(if have < 2 { 1 } else { whole.len() - have }));
        assert_eq!(buf.len(), have, "a failed call consumes nothing");
        buf.put_u8(byte);
    }
    assert_eq!(buf.try_get_length_prefixed(prefix).unwrap(), [7; 300][..]);
    assert!(buf.is_empty());
}

#[test]
fn a_payload_from_bytes_is_not_copied() {
    let mut buf = Bytes::from(frames::frame(&[7; 300]));
    let start = buf.as_ptr();
    let payload = buf.try_get_length_prefixed(LengthPrefix::new(300)).unwrap();
    assert_eq!(payload.as_ptr(), start.wrapping_add(2));
}

#[test]
fn a_hostile_length_causes_no_allocation() {
    let hostile = [&oracle::encode(1u64 << 34)[..], b"few"].concat();
    let measured = allocation_counter::measure(|| {
        for cut in 0..hostile.len() {
            let (mut head, mut tail) = hostile.split_at(cut);
            let split = (&mut head).chain(&mut tail).try_get_length_prefixed(LengthPrefix::new(usize::MAX));
            assert!(split.is_err());
        }
    });
    assert_eq!(measured.count_total, 0);
}

fn check_writing<T: Int>() {
    check_random(values::<T>(), &|values| {
        let expected = oracle::encode_all(&values);
        let (mut grown, mut vector) = (BytesMut::new(), Vec::new());
        let mut fixed = vec![0xaa; expected.len() + 1];
        let (mut halves, mut other) =
            (vec![0xaa; expected.len() / 2], vec![0xaa; expected.len() - expected.len() / 2]);
        let mut capacity = &mut fixed[..];
        let mut split = (&mut halves[..]).chain_mut(&mut other[..]);
        for &value in &values {
            let len = value.encoded_len();
            assert_eq!((grown.put_varint(value), vector.put_varint(value)), (len, len));
            assert_eq!((capacity.try_put_varint(value), split.try_put_varint(value)), (Ok(len), Ok(len)));
        }
        let left = capacity.len();
        assert_eq!((&grown[..], &vector[..], left), (&expected[..], &expected[..], 1));
        assert_eq!(
            ([&halves[..], &other].concat(), &fixed[..expected.len()]),
            (expected.clone(), &expected[..])
        );
        assert_eq!(fixed[expected.len()], 0xaa, "nothing is written past the end");
    });
}
for_types!(every_buffer_receives_the_expected_bytes, check_writing);

#[test]
fn a_full_buffer_stays_unchanged_and_the_error_states_the_needed_length() {
    let mut bytes = [0xaa; 5];
    for available in 0..5 {
        let mut capacity = &mut bytes[..available];
        assert_eq!(capacity.try_put_varint(u32::MAX), Err(BufferTooSmall { needed: 5, available }));
        let error = FrameError::BufferTooSmall(BufferTooSmall { needed: 5, available });
        assert_eq!(capacity.put_length_prefixed(LengthPrefix::new(4), b"four"), Err(error));
        assert_eq!(capacity.len(), available);
    }
    assert_eq!(bytes, [0xaa; 5]);
    assert_eq!((&mut bytes[..]).put_length_prefixed(LengthPrefix::new(4), b"four"), Ok(5));
    assert_eq!(&bytes, b"\x04four");
}

#[test]
fn a_payload_over_the_limit_is_not_written() {
    let mut buf = BytesMut::new();
    let rejected = buf.put_length_prefixed(LengthPrefix::new(4), b"hello");
    assert_eq!((rejected, buf.len()), (Err(FrameError::TooLong { len: 5, max_len: 4 }), 0));
}

#[test]
fn trait_objects_get_and_put() {
    let mut bytes = Vec::new();
    let output: &mut dyn BufMut = &mut bytes;
    output.put_varint(-1i8);
    output.put_length_prefixed(LengthPrefix::new(9), b"hi").unwrap();
    let mut slice = &bytes[..];
    let input: &mut dyn Buf = &mut slice;
    assert_eq!(input.try_get_varint::<i8>(), Ok(-1));
    assert_eq!(input.try_get_length_prefixed(LengthPrefix::new(9)).unwrap(), "hi");
}

/// Implementations with an injected fault, which the checks above must detect.
mod injected_faults_are_detected {
    use super::*;

    #[test]
    fn only_the_first_chunk_is_read() {
        frames::assert_suite_detects("only the first chunk is read", &|src, rules| {
            let (head, tail) = src.split_at(src.len().min(1));
            let chain = head.chain(tail);
            rules
                .prefix()
                .decode(chain.chunk())
                .map(|(p, used)| (p.to_vec(), used))
                .map_err(PayloadError::from)
        });
    }

    #[test]
    #[should_panic(expected = "first chunk: ")]
    fn more_bytes_are_consumed_than_reported() {
        struct Greedy<'a>(&'a [u8]);
        impl Buf for Greedy<'_> {
            fn remaining(&self) -> usize {
                self.0.len()
            }
            fn chunk(&self) -> &[u8] {
                &self.0[..self.0.len().min(1)]
            }
            fn advance(&mut self, count: usize) {
                self.0.advance((count + 1).min(self.0.len()));
            }
        }
        _ = first::<u64>(&mut Greedy(&[0x80; 12]), false);
    }
}
