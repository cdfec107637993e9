//! Codecs that are wrong in ways that no single value shows.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use varint_sweep::{Breakdown, Codec, CodecError, Ending, FailureKind, Interval, Sweep, interval};

use crate::leb128;

#[test]
fn a_fault_that_shows_only_within_a_block_is_reported_as_such() {
    struct Lanes;
    impl Codec<u32> for Lanes {
        fn name(&self) -> &str {
            "lanes"
        }
        fn encode(&self, values: &[u32], dst: &mut [u8]) -> Result<usize, CodecError> {
            leb128::encode_slice(values, dst)
        }
        fn decode(&self, src: &[u8], values: &mut [u32]) -> Result<usize, CodecError> {
            let bytes = leb128::decode_slice(src, values)?;
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
            leb128::encode_slice(values, dst)
        }
        fn decode(&self, src: &[u8], values: &mut [i16]) -> Result<usize, CodecError> {
            let bytes = leb128::decode_slice(src, values)?;
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
            Ok(leb128::encode_slice(values, dst)? + self.0)
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

/// Breaks down on one value, and remembers how often it was called.
struct Breaking {
    bad: i64,
    calls: AtomicU64,
    /// Calls after which it is for good.
    most: u64,
    /// Only in the company of others.
    shy: bool,
}

impl Codec<i64> for Breaking {
    fn name(&self) -> &str {
        "breaking"
    }

    fn encode(&self, values: &[i64], dst: &mut [u8]) -> Result<usize, CodecError> {
        let calls = self.calls.fetch_add(1, Relaxed);
        if calls >= self.most {
            return Err(Breakdown::new("over").permanent().into());
        }
        if values.contains(&self.bad) && !(self.shy && values.len() == 1) {
            return Err(Breakdown::new("ouch").into());
        }
        leb128::encode_slice(values, dst)
    }

    fn decode(&self, src: &[u8], values: &mut [i64]) -> Result<usize, CodecError> {
        leb128::decode_slice(src, values)
    }
}

#[test]
fn a_breakdown_is_found_by_halves() {
    let plan = Interval { first: 70_000, last: 70_000 + 1023 };
    let sweep = Sweep::new().ranges([plan]).exhaustive().threads(1);
    for bad in [70_002, 70_500, 71_000] {
        let codec = Breaking { bad, calls: AtomicU64::new(0), most: u64::MAX, shy: false };
        let report = sweep.run(&codec).unwrap();
        let failure = &report.first_failures[0];
        assert_eq!((report.failures, failure.value.as_str()), (1, &*bad.to_string()));
        assert_eq!(
            (failure.kind, failure.got.as_str(), failure.block),
            (FailureKind::EncodeBreakdown, "ouch", 1)
        );
        // Four edges, the block, and two calls for each of ten halvings.
        assert!(report.complete && codec.calls.into_inner() <= 4 + 1 + 20);
    }
    let codec = Breaking { bad: 70_500, calls: AtomicU64::new(0), most: u64::MAX, shy: true };
    let report = sweep.run(&codec).unwrap();
    assert_eq!((report.failures, report.first_failures[0].block), (1, 2));
    assert!(report.first_failures[0].got.contains("ouch (in a call with 2 values, 70500 to 70501)"));
}

#[test]
fn a_breakdown_for_good_ends_the_sweep_and_leaves_the_rest_uncovered() {
    let plan = Interval { first: 70_000, last: 1 << 40 };
    for threads in [1, 3] {
        let codec = Breaking { bad: 0, calls: AtomicU64::new(0), most: 500, shy: false };
        let report =
            Sweep::new().ranges([plan]).exhaustive().max_failures(0).threads(threads).run(&codec).unwrap();
        assert_eq!((report.complete, report.ending), (false, Ending::Breakdown));
        assert!((1..=threads as u64).contains(&report.failures), "{}", report.failures);
        assert_eq!(report.values, interval::count(&report.covered));
        assert!(report.values <= 500 * 1024, "{}", report.values);
        assert!(report.first_failures[0].got.starts_with("over (in a call with 1024 values"));
    }
}
