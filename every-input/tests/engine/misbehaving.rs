//! Codecs with faults that do not appear when each value is checked alone.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use every_input::{Breakdown, Codec, CodecError, Ending, FailureKind, Report, Sweep, all, codec_from_fns};

use crate::byte_properties::sets::count;
use crate::{Blocks, Folder, exhaustive_in, leb128};

#[test]
fn a_fault_that_occurs_only_within_a_block_is_reported_with_the_block() {
    let lanes = Blocks("lanes", leb128::encode_slice, |src: &[u8], values: &mut [u32]| {
        let bytes = leb128::decode_slice(src, values)?;
        // The fourth lane is broken for one value, as in a vector kernel.
        if let Some(lane) = values.get_mut(3).filter(|value| **value == 2051) {
            *lane = 7;
        }
        Ok(bytes)
    });
    let report = exhaustive_in(0..=9999).run(&lanes).unwrap();
    assert_eq!(report.failures, 1);
    let failure = &report.first_failures[0];
    let found = (failure.value.as_str(), failure.kind, failure.got.as_str());
    assert_eq!(found, ("2051", FailureKind::WrongValue, "7"));
    assert!(failure.block > 1);
}

#[test]
fn a_fault_that_does_not_occur_again_counts_and_is_marked_as_not_reproducible() {
    let wrong = |value: &mut i16| {
        *value ^= 1;
        Ok(())
    };
    type Fail = fn(&mut i16) -> Result<(), CodecError>;
    let faults: [(Fail, &str); 3] = [
        (wrong, "a failure"),
        (|_| panic!("ouch"), "ouch"),
        (|_| Err(Breakdown::new("no answer").into()), "no answer"),
    ];
    for (fail, first) in faults {
        // An edge case is checked alone, and others in a block.
        for min_len in [1, 2] {
            // The first call with at least this many values fails.
            let (has_failed, list) = (AtomicBool::new(false), Folder::new());
            let codec = Blocks("flaky", leb128::encode_slice, |src: &[u8], values: &mut [i16]| {
                let bytes = leb128::decode_slice(src, values)?;
                if values.len() >= min_len && !has_failed.swap(true, Relaxed) {
                    fail(&mut values[0])?;
                }
                Ok(bytes)
            });
            let sweep = Sweep::of(all()).exhaustive().threads(1);
            let report = sweep.run_watched(&codec, &list.watch(), None).unwrap();
            assert_eq!((report.failures, report.complete), (1, true), "{first}");
            let failure = &report.first_failures[0];
            assert_eq!((failure.kind, failure.block > 1), (FailureKind::NotReproducible, min_len > 1));
            let text = failure.to_string();
            assert!(text.contains("not reproducible: expected the same result each time, got "), "{text}");
            assert!(text.contains(first) && text.ends_with(", only the first time"), "{text}");
            assert_eq!(list.lines(), report.first_failures);
            let json = serde_json::to_value(&report).unwrap();
            assert_eq!(json["first_failures"][0]["kind"], "not_reproducible");
            let junit = Report::junit(std::slice::from_ref(&report));
            assert!(junit.contains("<failure type=\"not_reproducible\""), "{junit}");
        }
    }
}

#[test]
fn the_text_of_a_panic_has_the_value_once() {
    let decode = |src: &[u8]| {
        let (value, len) = leb128::decode::<i64>(src)?;
        assert!(value != 3000 && !(77_777..=77_779).contains(&value), "not this one");
        Ok((value, len))
    };
    let codec = codec_from_fns("panics", |value: i64, dst: &mut [u8]| leb128::encode(value, dst), decode);
    let report = exhaustive_in(0..=100_000).threads(1).run(&codec).unwrap();
    let mut texts: Vec<String> = report.first_failures.iter().map(ToString::to_string).collect();
    texts.sort();
    let range = "77777..=77779 (3 inputs): decode panicked: not this one for the first";
    assert_eq!(texts, ["3000: decode panicked: not this one", range]);
}

/// A payload of a panic that panics in `drop`, as does the payload of that panic.
struct PanicsAgain(u8);

impl Drop for PanicsAgain {
    fn drop(&mut self) {
        if let Some(left) = self.0.checked_sub(1) {
            std::panic::panic_any(Self(left));
        }
    }
}

#[test]
fn a_panic_whose_payload_panics_in_drop_is_a_failure_of_its_input() {
    for depth in [0, 1, 2] {
        let check = |value: u16| {
            if (700..=702).contains(&value) {
                std::panic::panic_any(PanicsAgain(depth));
            }
            value != 9000
        };
        let report = every_input::exhaustive(all()).report("panics", &check).unwrap();
        assert_eq!((report.values, report.failures, report.complete), (1 << 16, 4, true));
        let found = report.first_failures.iter().map(|one| (&*one.value, one.kind, &*one.got));
        let panics = ("700", FailureKind::Panic, "panic: (no message)");
        assert_eq!(found.collect::<Vec<_>>(), [panics, ("9000", FailureKind::WrongValue, "false")]);
    }
}

#[test]
fn codecs_that_decode_nothing_or_return_wrong_lengths_fail() {
    for claim in [0, 1, usize::MAX / 2] {
        let encode =
            |values: &[u8], dst: &mut [u8]| Ok::<_, CodecError>(leb128::encode_slice(values, dst)? + claim);
        let lazy = Blocks("lazy", encode, |src: &[u8], _: &mut [u8]| Ok(src.len()));
        let report = Sweep::of(all()).exhaustive().max_failures(0).run(&lazy).unwrap();
        assert_eq!((report.values, report.failures), (256, 256), "{claim}");
    }
}

/// Returns a codec that breaks down on one value, unless that is alone and this is allowed. It counts its
/// calls, and breaks down for good after the maximum of them.
fn breaking(bad: i64, not_alone: bool, calls: &AtomicU64, max_calls: u64) -> impl Codec<i64> {
    let encode = move |values: &[i64], dst: &mut [u8]| {
        if calls.fetch_add(1, Relaxed) >= max_calls {
            return Err(Breakdown::new("over").permanent().into());
        }
        if values.contains(&bad) && !(not_alone && values.len() == 1) {
            return Err(Breakdown::new("ouch").into());
        }
        leb128::encode_slice(values, dst)
    };
    Blocks("breaking", encode, leb128::decode_slice)
}

#[test]
fn a_breakdown_is_located_by_bisection() {
    let sweep = exhaustive_in(69 << 10..=(69 << 10) + 1023).threads(1);
    for bad in [70_658, 71_156, 71_656] {
        let calls = AtomicU64::new(0);
        let report = sweep.run(&breaking(bad, false, &calls, u64::MAX)).unwrap();
        let failure = &report.first_failures[0];
        assert_eq!((report.failures, failure.value.as_str()), (1, &*bad.to_string()));
        let found = (failure.kind, failure.got.as_str(), failure.block);
        assert_eq!(found, (FailureKind::EncodeBreakdown, "ouch", 1));
        // Four edges, the block, and two calls for each of ten bisections.
        assert!(report.complete && calls.into_inner() <= 4 + 1 + 20);
    }
    let report = sweep.run(&breaking(71_156, true, &AtomicU64::new(0), u64::MAX)).unwrap();
    let failure = &report.first_failures[0];
    assert_eq!((report.failures, failure.block), (1, 2));
    let words = "call with 2 values, the first 71156: encode broke down: expected an answer, got ouch";
    assert_eq!(failure.to_string(), words);
}

#[test]
fn a_breakdown_for_good_ends_the_sweep_and_the_rest_is_not_covered() {
    // From the start of a unit on, so that all calls after the edges have whole blocks.
    let sweep = exhaustive_in(1 << 18..=1 << 22).max_failures(0);
    for threads in [1, 3] {
        let calls = AtomicU64::new(0);
        let codec = breaking(0, false, &calls, 500);
        let report = sweep.clone().threads(threads).run(&codec).unwrap();
        assert_eq!((report.complete, report.ending), (false, Ending::Breakdown));
        assert!((1..=threads as u64).contains(&report.failures), "{}", report.failures);
        assert_eq!(report.values, count(&report.covered));
        assert!(report.values <= 500 * 1024, "{}", report.values);
        assert_eq!((&*report.first_failures[0].got, report.first_failures[0].block), ("over", 1024));
    }
}
