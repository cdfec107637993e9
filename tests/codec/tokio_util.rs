//! The codecs of `tokio-util`: input in chunks decodes like a slice, and framing behaves like that
//! of `LengthDelimitedCodec`.

use std::io::{self, ErrorKind};

use crate::support::frames::{self, Outcome, PayloadError, Rules};
use crate::support::strategies::{Sample, check_random, samples};
use bytes::{Bytes, BytesMut};
use futures_util::{SinkExt, StreamExt};
use proptest::prelude::*;
use tokio_util::codec::{Decoder, Encoder, Framed, LengthDelimitedCodec};
use zigzag_varint::codec::{LengthPrefixedCodec, VarintCodec};
use zigzag_varint::{FrameError, LengthPrefix};
use zigzag_varint_oracle as oracle;

/// The results of a decoder on input in chunks.
struct Decoded<T> {
    /// The items, each with the index of the chunk that completed it.
    items: Vec<(T, usize)>,
    /// The error, with the index of the chunk that caused it.
    error: Option<(io::Error, usize)>,
}

fn decoded<D: Decoder<Error = io::Error>>(codec: &mut D, src: &[u8], cuts: &[usize]) -> Decoded<D::Item> {
    let (mut items, mut buffer, mut rest) = (Vec::new(), BytesMut::new(), src);
    let mut cuts = cuts.iter().cycle();
    for chunk in 0.. {
        let (bytes, following) = rest.split_at((*cuts.next().expect("a cut")).min(rest.len()));
        buffer.extend_from_slice(bytes);
        rest = following;
        let last = rest.is_empty();
        loop {
            let next = if last { codec.decode_eof(&mut buffer) } else { codec.decode(&mut buffer) };
            match next {
                Ok(Some(item)) => items.push((item, chunk)),
                Ok(None) if last => return Decoded { items, error: None },
                Ok(None) => break,
                Err(error) => return Decoded { items, error: Some((error, chunk)) },
            }
        }
    }
    unreachable!("the input ends")
}

fn cuts(more: &[u8]) -> Vec<usize> {
    more.iter().map(|byte| 1 + usize::from(byte % 13)).chain([5]).collect()
}

/// Returns the index of the chunk that completes the first `end` bytes.
fn completing_chunk(end: usize, cuts: &[usize]) -> usize {
    let mut received = 0;
    let is_complete = |cut: &usize| {
        received += cut;
        received >= end
    };
    cuts.iter().cycle().position(is_complete).expect("an endless iterator")
}

#[test]
fn the_varint_codec_writes_the_expected_bytes() {
    let mut buffer = BytesMut::new();
    for values in [vec![], vec![300, 1], vec![7; 9000]] {
        let expected =
            [&buffer[..], &oracle::encode_all(values.iter().map(|&value| u128::from(value)))].concat();
        VarintCodec::<u64>::default().encode(values, &mut buffer).unwrap();
        assert_eq!(buffer, expected[..]);
    }
}

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
fn payloads_match_the_oracle() {
    frames::suite("codec", &by_codec);
}

#[test]
fn payloads_in_random_chunks_decode_like_a_slice() {
    check_random(samples(64), &|Sample { bytes, more, n, canonical }| {
        let cuts = cuts(&more);
        for u32_prefix in [false, true] {
            let rules = Rules { max_len: n, u32_prefix, canonical };
            let (mut expected, mut rest) = (vec![], &bytes[..]);
            let expected_error = loop {
                match frames::read(rest, rules) {
                    Ok((payload, used)) => {
                        rest = &rest[used..];
                        expected.push((payload, completing_chunk(bytes.len() - rest.len(), &cuts)));
                    }
                    Err(_) if rest.is_empty() => break None,
                    Err(error) => break Some(error),
                }
            };
            let mut codec = LengthPrefixedCodec::new(rules.prefix());
            let Decoded { items, error, .. } = decoded(&mut codec, &bytes, &cuts);
            assert_eq!(
                items.into_iter().map(|(payload, chunk)| (payload.to_vec(), chunk)).collect::<Vec<_>>(),
                expected
            );
            assert_eq!(error.map(|(error, _)| PayloadError::inside(error)), expected_error);
        }
    });
}

/// A `LengthDelimitedCodec` with lengths of one byte. Up to 127 the streams of both codecs are the
/// same, so the framing must be the same too.
fn fixed_width(max_len: usize) -> LengthDelimitedCodec {
    LengthDelimitedCodec::builder().length_field_type::<u8>().max_frame_length(max_len).new_codec()
}

#[test]
fn framing_matches_length_delimited_codec() {
    let payloads = proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..=127usize), 0..8);
    let inputs = (payloads, any::<[u8; 5]>(), 0..=127usize, any::<prop::sample::Index>());
    check_random(inputs.boxed(), &|(payloads, more, limit, cut)| {
        // A limit that all payloads respect, and one that some may exceed.
        for max_len in [127, limit] {
            let (mut ours, mut theirs) =
                (LengthPrefixedCodec::new(LengthPrefix::new(max_len)), fixed_width(max_len));
            let (mut bytes, mut other) = (BytesMut::new(), BytesMut::new());
            for payload in &payloads {
                let payload = Bytes::copy_from_slice(payload);
                let (sent, expected) =
                    (ours.encode(payload.clone(), &mut bytes), theirs.encode(payload, &mut other));
                assert_eq!(sent.map_err(|error| error.kind()), expected.map_err(|error| error.kind()));
            }
            assert_eq!(bytes, other);

            // All payloads, complete or truncated, under a limit that the sender did not respect.
            let mut all = payloads.iter().flat_map(|payload| frames::frame(payload)).collect::<Vec<u8>>();
            for len in [all.len(), cut.index(all.len() + 1)] {
                all.truncate(len);
                let got = decoded(&mut ours, &all, &cuts(&more));
                let expected = decoded(&mut fixed_width(max_len), &all, &cuts(&more));
                assert_eq!(got.items, expected.items, "the same payloads after the same chunks");
                match (got.error, expected.error) {
                    (None, None) => {}
                    (Some((ours, at)), Some((theirs, expected_at))) => {
                        assert_eq!(at, expected_at, "the same chunk causes the error");
                        let eof = theirs.kind() == ErrorKind::Other; // "bytes remaining on stream"
                        assert_eq!(ours.kind(), if eof { ErrorKind::UnexpectedEof } else { theirs.kind() });
                    }
                    // LengthDelimitedCodec consumes a length as soon as it is complete. It reports
                    // no error if the stream ends right after one.
                    (Some((error, _)), None) => {
                        let error = PayloadError::inside(error);
                        assert!(
                            matches!(error, PayloadError::Truncated { len, missing } if len == missing),
                            "{error:?}"
                        );
                    }
                    (ours, theirs) => panic!("{ours:?}, but LengthDelimitedCodec {theirs:?}"),
                }
            }
        }
    });
}

#[test]
fn a_payload_over_the_limit_is_rejected_in_both_directions() {
    let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(300));
    let mut buffer = BytesMut::from(&b"kept"[..]);
    let rejected = codec.encode(Bytes::from_static(&[7; 301]), &mut buffer).unwrap_err();
    let expected = FrameError::TooLong { len: 301, max_len: 300 };
    assert_eq!(rejected.kind(), ErrorKind::InvalidInput);
    assert_eq!(rejected.get_ref().and_then(|inside| inside.downcast_ref()), Some(&expected));
    assert_eq!(buffer, "kept");

    let mut received = BytesMut::from(&[0xad][..]);
    assert!(codec.decode(&mut received).unwrap().is_none());
    received.extend_from_slice(&[0x02]);
    for _ in 0..3 {
        let error = codec.decode(&mut received).unwrap_err();
        assert_eq!(PayloadError::inside(error), expected.into(), "at once, and again on every call");
    }
}

#[test]
fn a_hostile_length_causes_no_allocation() {
    let hostile = oracle::encode_all([1u128 << 30]);
    let mut buffer = BytesMut::with_capacity(64);
    buffer.extend_from_slice(&hostile);
    let mut unfinished = BytesMut::from(&hostile[..3]);
    let ours = allocation_counter::measure(|| {
        let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(usize::MAX));
        assert!(codec.decode(&mut buffer).unwrap().is_none());
        assert!(VarintCodec::<u64>::new().decode(&mut unfinished).unwrap().is_none());
    });
    assert_eq!(ours.count_total, 0);

    // The measurement works: LengthDelimitedCodec allocates the length that the prefix announces.
    let mut buffer = BytesMut::from(&[0, 1, 0, 0][..]);
    let theirs = allocation_counter::measure(|| {
        assert!(LengthDelimitedCodec::new().decode(&mut buffer).unwrap().is_none());
    });
    assert!(theirs.bytes_max >= 1 << 16);
}

#[test]
fn a_payload_is_not_copied() {
    let mut buffer = BytesMut::from(&frames::frame(&[7; 300])[..]);
    let start = buffer.as_ptr();
    let payload = LengthPrefixedCodec::new(LengthPrefix::new(300)).decode(&mut buffer).unwrap().unwrap();
    assert_eq!((payload.as_ptr(), payload.len()), (start.wrapping_add(2), 300));
}

#[test]
fn framed_pipes_carry_payloads_and_varints() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        // Pipes with small buffers, so that frames arrive in several chunks.
        let (here, there) = tokio::io::duplex(7);
        let codec = LengthPrefixedCodec::new(LengthPrefix::new(1000));
        let (mut here, mut there) = (Framed::new(here, codec), Framed::new(there, codec));
        let send = async {
            for len in [0, 1, 127, 128, 1000] {
                here.send(vec![7; len].into()).await.unwrap();
            }
            assert_eq!(here.send(vec![7; 1001].into()).await.unwrap_err().kind(), ErrorKind::InvalidInput);
            here.close().await.unwrap();
        };
        let receive = async {
            let mut lens = Vec::new();
            while let Some(payload) = there.next().await {
                lens.push(payload.unwrap().len());
            }
            lens
        };
        assert_eq!(tokio::join!(send, receive).1, [0, 1, 127, 128, 1000]);

        let (here, there) = tokio::io::duplex(3);
        let (mut here, mut there) =
            (Framed::new(here, VarintCodec::<i64>::new()), Framed::new(there, VarintCodec::<i64>::new()));
        let send = async {
            here.send(vec![0, -1]).await.unwrap();
            here.send(vec![300, i64::MIN]).await.unwrap();
            drop(here);
        };
        let receive = async {
            let mut values = Vec::new();
            while let Some(item) = there.next().await {
                values.extend(item.unwrap());
            }
            values
        };
        assert_eq!(tokio::join!(send, receive).1, [0, -1, 300, i64::MIN]);
    });
}

#[test]
fn a_stream_that_ends_inside_a_payload_reports_the_missing_bytes() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let codec = LengthPrefixedCodec::new(LengthPrefix::new(1000));
        let mut framed = Framed::new(peer_that_closes_after(b"\x02hi\x05he"), codec);
        assert_eq!(framed.next().await.unwrap().unwrap(), "hi");
        let error = framed.next().await.unwrap().unwrap_err();
        assert_eq!(PayloadError::inside(error), PayloadError::Truncated { len: 5, missing: 3 });
    });
}

/// Returns a stream whose peer has sent `bytes` and closed its end.
fn peer_that_closes_after(bytes: &[u8]) -> tokio::io::DuplexStream {
    use tokio::io::AsyncWriteExt;
    let (mut here, there) = tokio::io::duplex(bytes.len());
    let mut sent = std::pin::pin!(here.write_all(bytes));
    let polled = sent.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
    assert!(matches!(polled, std::task::Poll::Ready(Ok(()))), "the pipe has enough capacity");
    there
}
