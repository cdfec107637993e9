//! Neighbours that fail alike are one failure with exact ends, on any number of threads and for the
//! limit of failures. The tests of spaces divide and resume sweeps with ranges.

use every_input::{Codec, Ending, codec_from_fns};

use crate::{Blocks, Folder, exhaustive_in, leb128, ranges_of as ranges};

/// Returns a codec whose decoder returns 0 for these values.
fn zero_for(bad: impl Fn(i64) -> bool + Sync) -> impl Codec<i64> {
    codec_from_fns("zero", leb128::encode, move |src: &[u8]| {
        let (value, len) = leb128::decode(src)?;
        Ok((if bad(value) { 0 } else { value }, len))
    })
}

#[test]
fn neighbours_that_fail_are_one_range_on_any_number_of_threads() {
    // The range contains several units. Another value fails alone.
    let codec = zero_for(|value| (-900_000..-100_000).contains(&value) || value == 21);
    for threads in [1, 4] {
        let sweep = exhaustive_in(-1_000_000..=30).threads(threads).max_failures(0);
        let report = sweep.run(&codec).unwrap();
        assert_eq!((report.values, report.failures), (1_000_031, 800_001));
        assert_eq!(ranges(&report), [("-900000", Some("-100001")), ("21", None)]);
        let text = report.to_string();
        let range = "-900000..=-100001 (800,000 inputs): wrong value: expected -900000, got 0 for the first";
        assert!(text.contains(range), "{text}");
    }
}

#[test]
fn the_limit_of_failures_counts_ranges_and_a_function_that_fails_everywhere_ends() {
    for threads in [1, 3] {
        // Nine failures, one of which continues in several units, do not reach the limit of ten.
        let nine = zero_for(|value| value % 650_000 == 5 || (2_000_000..2_700_000).contains(&value));
        let sweep = exhaustive_in(0..=20 << 18).threads(threads);
        let report = sweep.run(&nine).unwrap();
        assert_eq!((report.ending, report.first_failures.len()), (Ending::Complete, 9), "{report:?}");
        let ten = zero_for(|value| value > 1_000_000 && value % 7 < 2);
        let report = sweep.run(&ten).unwrap();
        assert_eq!((report.ending, report.first_failures.len()), (Ending::Failures, 10));
        // Other threads go on until they learn that the limit is reached, which depends on their turns.
        assert!(threads > 1 || report.failures < 7000, "{}", report.failures);

        let report = sweep.run(&zero_for(|value| value > 0)).unwrap();
        assert_eq!(report.ending, Ending::Failures);
        assert_eq!(ranges(&report)[0].0, "1");
        // The edge cases reach the limit; the inputs after them are checked for another second.
        assert!(report.failures > 1000, "{}", report.failures);
        assert!(threads > 1 || report.failures < 8 << 18, "{}", report.failures);
        let text = report.to_string();
        assert!(text.contains("failures in "), "{text}");
        // Fewer than ten edge cases fail here, so the limit of failing inputs ends the run, not a clock.
        let report = sweep.run(&zero_for(|value| value >= 3_000_000)).unwrap();
        assert_eq!(report.ending, Ending::Failures);
        assert!(report.failures >= 1 << 20, "{}", report.failures);
        assert!(threads > 1 || report.failures < 8 << 18, "{}", report.failures);
        let all = sweep.max_failures(0).run(&zero_for(|value| value > 0)).unwrap();
        assert_eq!((all.failures, ranges(&all)), (20 << 18, vec![("1", Some("5242880"))]));
    }
}

#[test]
fn an_edge_case_that_fails_alone_or_with_its_unit_is_counted_and_reported_once() {
    // It refuses an edge case in a call of its own, and another one in any call.
    let encode = |values: &[i64], dst: &mut [u8]| {
        let is_refused = values == [7] || values.contains(&999_999);
        if is_refused { Err("refused".into()) } else { leb128::encode_slice(values, dst) }
    };
    let refusing = Blocks("refusing", encode, leb128::decode_slice);
    for threads in [1, 3] {
        let (sweep, list) = (exhaustive_in(7..=999_999).threads(threads), Folder::new());
        let report = sweep.run_watched(&refusing, &list.watch(), None).unwrap();
        assert_eq!((report.complete, report.failures, report.values), (true, 2, 999_993));
        assert_eq!(ranges(&report), [("7", None), ("999999", None)]);
        assert_eq!(list.values(), [[7, 7], [999_999, 999_999]]);
    }
}
