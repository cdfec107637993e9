//! The codec of `tokio-util`. The property `chunks` passes them input in chunks.

use std::io::ErrorKind;

use crate::support::frames::{self, Outcome, PayloadError, Rules};
use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};
use zigzag_varint::codec::LengthPrefixedCodec;
use zigzag_varint::{FrameError, LengthPrefix};
use zigzag_varint_oracle as oracle;

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
    let ours = allocation_counter::measure(|| {
        let mut codec = LengthPrefixedCodec::new(LengthPrefix::new(usize::MAX));
        assert!(codec.decode(&mut buffer).unwrap().is_none());
    });
    assert_eq!(ours.count_total, 0);
}

#[test]
fn a_payload_is_not_copied() {
    let mut buffer = BytesMut::from(&frames::frame(&[7; 300])[..]);
    let start = buffer.as_ptr();
    let payload = LengthPrefixedCodec::new(LengthPrefix::new(300)).decode(&mut buffer).unwrap().unwrap();
    assert_eq!((payload.as_ptr(), payload.len()), (start.wrapping_add(2), 300));
}
