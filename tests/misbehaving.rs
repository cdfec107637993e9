//! Codecs that are wrong in ways that no single value shows.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use zigzag_varint::sweep::{Codec, CodecError, FailureKind, Interval, Sweep};

#[test]
fn a_fault_that_shows_only_within_a_block_is_reported_as_such() {
    struct Lanes;
    impl Codec<u32> for Lanes {
        fn name(&self) -> &str {
            "lanes"
        }
        fn encode(&self, values: &[u32], dst: &mut [u8]) -> Result<usize, CodecError> {
            Ok(zigzag_varint::encode_slice(values, dst)?)
        }
        fn decode(&self, src: &[u8], values: &mut [u32]) -> Result<usize, CodecError> {
            let bytes = zigzag_varint::decode_slice(src, values)?.bytes;
            // The fourth lane is broken for one value, as in a vector kernel.
            if let Some(lane) = values.get_mut(3).filter(|value| **value == 2051) {
                *lane = 7;
            }
            Ok(bytes)
        }
    }
    let report = Sweep::new().ranges([Interval { first: 0, last: 9999 }]).exhaustive().run(&Lanes).unwrap();
    assert_eq!(report.failures, 1);
    let failure = &report.first_failures[0];
    assert_eq!(
        (failure.value.as_str(), failure.kind, failure.got.as_str()),
        ("2051", FailureKind::WrongValue, "7")
    );
    assert!(failure.block > 1);
}

#[test]
fn a_fault_that_does_not_come_again_still_counts() {
    struct Flaky(AtomicBool);
    impl Codec<i16> for Flaky {
        fn name(&self) -> &str {
            "flaky"
        }
        fn encode(&self, values: &[i16], dst: &mut [u8]) -> Result<usize, CodecError> {
            Ok(zigzag_varint::encode_slice(values, dst)?)
        }
        fn decode(&self, src: &[u8], values: &mut [i16]) -> Result<usize, CodecError> {
            let bytes = zigzag_varint::decode_slice(src, values)?.bytes;
            if values.len() > 1 && !self.0.swap(true, Relaxed) {
                values[0] ^= 1;
            }
            Ok(bytes)
        }
    }
    let report = Sweep::new().exhaustive().run(&Flaky(AtomicBool::new(false))).unwrap();
    assert_eq!(report.failures, 1);
    assert_eq!(report.first_failures[0].kind, FailureKind::Unstable);
}

#[test]
fn codecs_that_do_nothing_or_lie_about_lengths_fail() {
    struct Lazy(usize);
    impl Codec<u8> for Lazy {
        fn name(&self) -> &str {
            "lazy"
        }
        fn encode(&self, values: &[u8], dst: &mut [u8]) -> Result<usize, CodecError> {
            Ok(zigzag_varint::encode_slice(values, dst)? + self.0)
        }
        fn decode(&self, src: &[u8], _: &mut [u8]) -> Result<usize, CodecError> {
            Ok(src.len())
        }
    }
    for claim in [0, 1, usize::MAX / 2] {
        let report = Sweep::new().exhaustive().max_failures(0).run(&Lazy(claim)).unwrap();
        assert_eq!((report.values, report.failures), (256, 256), "{claim}");
    }
}
