//! Faults of decoders of single values are found.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use every_input::byte_strings::{DecodingError, ErrorKind, Outcome};
use every_input::{ByteStrings, Ending, FailureKind, Interval, Report, Sweep};

use super::{Single, decode, is_canonical, placement, report, structured};

/// Returns a decoder that passes the bytes, the policy and the correct outcome to a function, which may
/// change the outcome.
fn faulty(fault: impl Fn(&[u8], bool, Outcome<u64>) -> Outcome<u64> + Sync + 'static) -> Single<u64> {
    let decode = move |src: &[u8], canonical| fault(src, canonical, decode(src, canonical));
    Single { decode: Box::new(decode), ..Single::correct() }
}

/// Returns the report on such a decoder, which must have disagreements.
fn found(fault: impl Fn(&[u8], bool, Outcome<u64>) -> Outcome<u64> + Sync + 'static) -> Report {
    let report = report(&structured(2).threads(1).max_failures(2000), faulty(fault));
    assert!(report.failures > 0, "the fault was not found");
    assert_eq!(report.ending, if report.complete { Ending::Complete } else { Ending::Failures });
    report
}

/// Returns the bytes, the expected and the actual outcome of the first disagreement about a string
/// that was decoded alone.
fn first(report: &Report) -> (&str, &str, &str) {
    let mut alone = report.first_failures.iter().filter(|one| placement(one) == "one value");
    let first = alone.next().expect("a string by itself");
    (&first.value, &first.expected, &first.got)
}

/// Changes the correct outcome of decoding some bytes, leniently or canonically.
type Fault = fn(&[u8], bool, Outcome<u64>) -> Outcome<u64>;

#[test]
fn every_kind_of_fault_is_found() {
    use ErrorKind::{NonCanonical, Overflow, Truncated};
    let faults: [(Fault, [&str; 3]); 9] = [
        (
            |src, _, outcome| match outcome {
                Err(DecodingError { kind: Overflow, offset: 9 }) if src[9] == 2 => Ok((7, 10)),
                other => other,
            },
            ["80808080808080808002", "Overflow at byte 9", "value 7 in 10 bytes"],
        ),
        (
            |src, _, outcome| match outcome {
                Err(DecodingError { kind: Overflow, .. }) if src[9] >= 128 && src.get(10) == Some(&0) => {
                    Ok((0, 11))
                }
                other => other,
            },
            ["8080808080808080808000", "Overflow at byte 9", "value 0 in 11 bytes"],
        ),
        (
            |src, canonical, outcome| match src {
                [0x80, 0x00, ..] if canonical => Ok((0, 2)),
                _ => outcome,
            },
            ["8000", "NonCanonical at byte 1", "value 0 in 2 bytes"],
        ),
        (
            // Other strings are edge cases, which are checked first.
            |src, _, outcome| match outcome {
                Err(DecodingError { kind: Truncated, offset }) if src.len() == 6 => {
                    Err(DecodingError { kind: Truncated, offset: offset - 1 })
                }
                other => other,
            },
            ["808080808080", "Truncated at byte 6", "Truncated at byte 5"],
        ),
        (
            |_, _, outcome| match outcome {
                Err(DecodingError { kind: NonCanonical, offset: 4 }) => {
                    Err(DecodingError { kind: Overflow, offset: 4 })
                }
                other => other,
            },
            ["8080808000", "NonCanonical at byte 4", "Overflow at byte 4"],
        ),
        (
            |_, _, outcome| outcome.map(|(value, len)| (value, len + usize::from(len == 9))),
            ["808080808080808000", "value 0 in 9 bytes", "value 0 in 10 bytes"],
        ),
        (
            |_, _, outcome| outcome.map(|(value, len)| (value & !(1 << 63), len)),
            ["80808080808080808001", "value 9223372036854775808 in 10 bytes", "value 0 in 10 bytes"],
        ),
        (
            |src, _, outcome| if src == [0xb7, 0x3c] { Ok((1, 2)) } else { outcome },
            ["b73c", "value 7735 in 2 bytes", "value 1 in 2 bytes"],
        ),
        (
            |src, _, outcome| {
                assert!(src != [0xff, 0x80], "out of luck");
                outcome
            },
            ["ff80", "Truncated at byte 2", "panic: out of luck"],
        ),
    ];
    for (fault, expected) in faults {
        let report = found(fault);
        assert_eq!(first(&report), expected.into());
        // A fault of canonical decoding is found in no other.
        let only_canonical = matches!(expected[0], "8000" | "8080808000");
        assert_eq!(report.first_failures.iter().all(is_canonical), only_canonical);
        // The last two, once leniently and once canonically: in streams, other bytes follow the string.
        assert!(!["b73c", "ff80"].contains(&expected[0]) || (report.failures, report.complete) == (2, true));
    }
}

#[test]
fn a_disagreement_that_does_not_occur_again_is_marked_as_not_reproducible() {
    // After a panic, the string is not known.
    for (panics, value, expected) in
        [(false, "05", "value 5 in 1 bytes"), (true, "ff", "Truncated at byte 1")]
    {
        let has_failed = AtomicBool::new(false);
        let report = found(move |src, _, outcome| {
            if src != [0x05] || has_failed.swap(true, Relaxed) {
                return outcome;
            }
            assert!(!panics, "once");
            Ok((7, 1))
        });
        let failure = &report.first_failures[0];
        assert_eq!((report.failures, failure.kind), (1, FailureKind::NotReproducible));
        assert_eq!(first(&report), (value, expected, "another result, only the first time"));
    }
}

#[test]
fn a_sample_of_a_range_draws_from_the_range_only() {
    // Strings of three bytes, of which the first is a continuation byte.
    let half = Interval { first: 65_793 + (1 << 23), last: 65_793 + (1 << 24) - 1 };
    let outside = |src: &[u8], _: bool, outcome: Outcome<u64>| {
        assert!(src.len() != 3 || src[0] >= 128, "outside");
        outcome
    };
    let sweep = Sweep::of(ByteStrings::structured(3)).ranges([half]).sample(Some(1 << 17));
    let report = report(&sweep, faulty(outside));
    assert_eq!((report.failures, report.strata[0].sampled), (0, 1 << 17), "{report}");
}
