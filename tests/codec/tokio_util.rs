//! Codecs of `tokio-util`: pieces of any size give what slices give, and framing behaves as
//! `LengthDelimitedCodec`'s does.

use std::io::{self, ErrorKind};

use crate::support::frames::{self, Outcome, Rules, Wrong};
use crate::support::oracle::{self, Fault, Int};
use crate::support::reported_errors::decode_error_in;
use crate::support::strategies::{Sample, check_random, samples, values};
use bytes::{Bytes, BytesMut};
use futures_util::{SinkExt, StreamExt};
use proptest::prelude::*;
use tokio_util::codec::{Decoder, Encoder, Framed, LengthDelimitedCodec};
use zigzag_varint::codec::{LengthPrefixedCodec, VarintCodec};
use zigzag_varint::{FrameError, LengthPrefix};

/// What a decoder gives on input in pieces.
struct Decoded<T> {
    /// Each item, with the number of the piece that completed it.
    items: Vec<(T, usize)>,
    /// Where it ended in an error: that, and the number of the piece.
    error: Option<(io::Error, usize)>,
    /// Bytes that are still in the buffer.
    left: usize,
}

fn decoded<D: Decoder<Error = io::Error>>(codec: &mut D, src: &[u8], cuts: &[usize]) -> Decoded<D::Item> {
    let (mut items, mut buffer, mut rest) = (Vec::new(), BytesMut::new(), src);
    let mut cuts = cuts.iter().cycle();
    for piece in 0.. {
        let (bytes, following) = rest.split_at((*cuts.next().expect("a cut")).min(rest.len()));
        buffer.extend_from_slice(bytes);
        rest = following;
        let last = rest.is_empty();
        loop {
            let next = if last { codec.decode_eof(&mut buffer) } else { codec.decode(&mut buffer) };
            match next {
                Ok(Some(item)) => items.push((item, piece)),
                Ok(None) if last => return Decoded { items, error: None, left: buffer.len() },
                Ok(None) => break,
                Err(error) => return Decoded { items, error: Some((error, piece)), left: buffer.len() },
            }
        }
    }
    unreachable!("the input ends")
}

fn cuts(more: &[u8]) -> Vec<usize> {
    more.iter().map(|byte| 1 + usize::from(byte % 13)).chain([5]).collect()
}

/// The number of the piece with which the first `end` bytes have come.
fn piece_with(end: usize, cuts: &[usize]) -> usize {
    let mut come = 0;
    let has_come = |cut: &usize| {
        come += cut;
        come >= end
    };
    cuts.iter().cycle().position(has_come).expect("cuts come round again")
}

fn any_pieces<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, more, canonical, .. }| {
        let mut codec = if canonical { VarintCodec::<T>::canonical() } else { VarintCodec::new() };
        let cuts = cuts(&more);
        let Decoded { items, error, left } = decoded(&mut codec, &bytes, &cuts);
        let expected = oracle::decode_all::<T>(&bytes, usize::MAX, canonical);
        assert_eq!(items.iter().map(|&(value, _)| value).collect::<Vec<T>>(), expected.values);
        let mut end = 0;
        for (_, piece) in items {
            end += oracle::decode::<T>(&bytes[end..], canonical).expect("a value is expected").1;
            assert_eq!(piece, piece_with(end, &cuts), "a value is there as soon as its bytes are");
        }
        let fault = expected.fault.map(|fault| Fault { offset: fault.offset - expected.bytes, ..fault });
        assert_eq!(error.map(|(error, _)| decode_error_in(error)), fault);
        assert!(left <= bytes.len() - expected.bytes, "what is bad is still in the buffer");
        assert!(fault.is_none() || left > 0);
    });
}
for_types!(varints_in_any_pieces_are_those_of_a_slice, any_pieces);

fn written<T: Int>() {
    check_random(values::<T>(), &|values| {
        let mut buffer = BytesMut::new();
        for &value in &values {
            VarintCodec::default().encode(value, &mut buffer).unwrap();
        }
        assert_eq!(buffer, oracle::encode_all(&values)[..]);
    });
}
for_types!(varints_are_the_oracles_bytes, written, u8 i32 u64 i128);

fn by_codec(src: &[u8], rules: Rules) -> Outcome {
    let mut buffer = BytesMut::from(src);
    match LengthPrefixedCodec::new(rules.prefix()).decode_eof(&mut buffer) {
        Ok(Some(payload)) => Ok((payload.to_vec(), src.len() - buffer.len())),
        Ok(None) => {
            assert!(src.is_empty(), "None is the clean end");
            frames::read(src, rules)
        }
        Err(error) => {
            assert_eq!(buffer, src, "nothing is taken");
            Err(Wrong::inside(error))
        }
    }
}

#[test]
fn a_payload_has_the_oracles_outcome() {
    frames::suite("codec", &by_codec);
}

#[test]
fn payloads_in_any_pieces_are_those_of_a_slice() {
    check_random(samples::<u64>(), &|Sample { bytes, more, n, canonical }| {
        let cuts = cuts(&more);
        for u32_prefix in [false, true] {
            let rules = Rules { max_len: n, u32_prefix, canonical };
            let (mut expected, mut rest) = (vec![], &bytes[..]);
            let wrong = loop {
                match frames::read(rest, rules) {
                    Ok((payload, used)) => {
                        rest = &rest[used..];
                        expected.push((payload, piece_with(bytes.len() - rest.len(), &cuts)));
                    }
                    Err(_) if rest.is_empty() => break None,
                    Err(wrong) => break Some(wrong),
                }
            };
            let mut codec = LengthPrefixedCodec::new(rules.prefix());
            let Decoded { items, error, .. } = decoded(&mut codec, &bytes, &cuts);
            assert_eq!(
                items.into_iter().map(|(payload, piece)| (payload.to_vec(), piece)).collect::<Vec<_>>(),
                expected
            );
            assert_eq!(error.map(|(error, _)| Wrong::inside(error)), wrong);
        }
    });
}

/// Up to 127 a length is one byte in both formats: there the streams are the same, and so must the
/// framing be.
fn fixed_width(max_len: usize) -> LengthDelimitedCodec {
    LengthDelimitedCodec::builder().length_field_type::<u8>().max_frame_length(max_len).new_codec()
}

#[test]
fn framing_is_that_of_length_delimited_codec() {
    let payloads = proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..=127usize), 0..8);
    let inputs = (payloads, any::<[u8; 5]>(), 0..=127usize, any::<prop::sample::Index>());
    check_random(inputs.boxed(), &|(payloads, more, limit, cut)| {
        // A limit for all, or one that some payloads pass.
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

            // Everything, whole or cut short, under a limit that the sender did not know.
            let mut all = payloads.iter().flat_map(|payload| frames::frame(payload)).collect::<Vec<u8>>();
            for len in [all.len(), cut.index(all.len() + 1)] {
                all.truncate(len);
                let got = decoded(&mut ours, &all, &cuts(&more));
                let expected = decoded(&mut fixed_width(max_len), &all, &cuts(&more));
                assert_eq!(got.items, expected.items, "the same payloads, each after the same piece");
                match (got.error, expected.error) {
                    (None, None) => {}
                    (Some((ours, at)), Some((theirs, expected_at))) => {
                        assert_eq!(at, expected_at, "the same piece brings the error");
                        let eof = theirs.kind() == ErrorKind::Other; // "bytes remaining on stream"
                        assert_eq!(ours.kind(), if eof { ErrorKind::UnexpectedEof } else { theirs.kind() });
                    }
                    // LengthDelimitedCodec takes a length away at once, and forgets it where the
                    // stream ends after it.
                    (Some((error, _)), None) => {
                        let wrong = Wrong::inside(error);
                        assert!(
                            matches!(wrong, Wrong::Truncated { len, missing } if len == missing),
                            "{wrong:?}"
                        );
                    }
                    (ours, theirs) => panic!("{ours:?}, but LengthDelimitedCodec {theirs:?}"),
                }
            }
        }
    });
}

#[test]
fn a_payload_that_is_too_long_is_refused_in_both_directions() {
    let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(300));
    let mut buffer = BytesMut::from(&b"kept"[..]);
    let refused = codec.encode(Bytes::from_static(&[7; 301]), &mut buffer).unwrap_err();
    let expected = FrameError::TooLong { len: 301, max_len: 300 };
    assert_eq!(refused.kind(), ErrorKind::InvalidInput);
    assert_eq!(refused.get_ref().and_then(|inside| inside.downcast_ref()), Some(&expected));
    assert_eq!(buffer, "kept");

    let mut coming = BytesMut::from(&[0xad][..]);
    assert!(codec.decode(&mut coming).unwrap().is_none());
    coming.extend_from_slice(&[0x02]);
    for _ in 0..3 {
        let error = codec.decode(&mut coming).unwrap_err();
        assert_eq!(Wrong::inside(error), expected.into(), "at once, and again as long as it stands there");
    }
}

#[test]
fn a_hostile_length_is_not_allocated() {
    let hostile = oracle::encode(1u64 << 30);
    let mut buffer = BytesMut::with_capacity(64);
    buffer.extend_from_slice(&hostile);
    let mut unfinished = BytesMut::from(&hostile[..3]);
    let ours = allocation_counter::measure(|| {
        let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(usize::MAX));
        assert!(codec.decode(&mut buffer).unwrap().is_none());
        assert!(VarintCodec::<u64>::new().decode(&mut unfinished).unwrap().is_none());
    });
    assert_eq!(ours.count_total, 0);

    // So that the measure is seen to work: a codec that makes capacity for what it is promised.
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
        // Narrow pipes, so that nothing arrives in one piece.
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
            for value in [0, -1, 300, i64::MIN] {
                here.send(value).await.unwrap();
            }
            drop(here);
        };
        let receive = async {
            let mut values = Vec::new();
            while let Some(value) = there.next().await {
                values.push(value.unwrap());
            }
            values
        };
        assert_eq!(tokio::join!(send, receive).1, [0, -1, 300, i64::MIN]);
    });
}

#[test]
fn a_stream_that_ends_inside_a_payload_says_what_is_missing() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let codec = LengthPrefixedCodec::new(LengthPrefix::new(1000));
        let mut framed = Framed::new(peer_that_goes(b"\x02hi\x05he"), codec);
        assert_eq!(framed.next().await.unwrap().unwrap(), "hi");
        let error = framed.next().await.unwrap().unwrap_err();
        assert_eq!(Wrong::inside(error), Wrong::Truncated { len: 5, missing: 3 });
    });
}

/// A peer that sends `bytes` and goes.
fn peer_that_goes(bytes: &[u8]) -> tokio::io::DuplexStream {
    use tokio::io::AsyncWriteExt;
    let (mut here, there) = tokio::io::duplex(bytes.len());
    let mut sent = std::pin::pin!(here.write_all(bytes));
    let polled = sent.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
    assert!(matches!(polled, std::task::Poll::Ready(Ok(()))), "the pipe has capacity for all");
    there
}
