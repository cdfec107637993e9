//! Checks the claims of docs/profiling.md about its codecs. They are correct on the article's ranges
//! and fail on varints of ten bytes, and each allocates less than the previous one.

#[allow(dead_code)] // only the command line of `sweep` uses the names and descriptions
#[path = "../../src/bin/sweep/arguments/presets.rs"]
mod presets;
#[path = "../../examples/journey/specimens.rs"]
mod specimens;

use every_input::{Codec, Interval, Sweep, all};

use self::presets::Preset;

#[test]
fn all_codecs_pass_on_varints_of_at_most_nine_bytes() {
    for codec in specimens::all() {
        let boundaries = (0..62).flat_map(|bit| [1i128 << bit, -(1 << bit)]);
        let around = boundaries.map(|value| Interval { first: value - 300, last: value + 300 });
        let fitting = around.map(|range| Interval {
            first: range.first.max(-(1 << 62)),
            last: range.last.min((1 << 62) - 1),
        });
        let article = Preset::Article2015
            .intervals()
            .into_iter()
            .map(|range| Interval { last: range.first + 9_999, ..range });
        let report =
            Sweep::of(all::<i64>()).ranges(fitting.chain(article)).exhaustive().run(&*codec).unwrap();
        assert_eq!(report.failures, 0, "{}: {:?}", codec.name(), report.first_failures);
    }
}

#[test]
fn all_codecs_fail_on_varints_of_ten_bytes() {
    for codec in specimens::all() {
        let ranges = [i64::MIN, -(1 << 62) - 1000, 1 << 62, i64::MAX - 999]
            .map(|first| Interval { first: first.into(), last: i128::from(first) + 999 });
        let sweep = Sweep::of(all::<i64>()).ranges(ranges).exhaustive().max_failures(0);
        let report = sweep.run(&*codec).unwrap();
        assert_eq!((report.values, report.failures), (4000, 4000), "{}", codec.name());
        assert_eq!(report.first_failures[0].got, "more than eight bytes");
    }
}

/// Returns the allocations of a call that decodes 1,000 values of 5 bytes, and of one that encodes
/// them.
fn allocations(codec: &dyn Codec<i64>) -> (u64, u64) {
    let values: Vec<i64> = (800_000_001..).take(1000).collect();
    let (mut bytes, mut decoded) = (vec![0; 10_000], vec![0; 1000]);
    let mut len = 0;
    let encoding = allocation_counter::measure(|| len = codec.encode(&values, &mut bytes).unwrap());
    let decoding = allocation_counter::measure(|| {
        codec.decode(&bytes[..len], &mut decoded).unwrap();
    });
    assert_eq!((len, decoded), (5000, values));
    (decoding.count_total, encoding.count_total)
}

#[test]
fn decoding_a_value_allocates_twice_then_once_then_never() {
    let counts: Vec<(u64, u64)> = specimens::all().iter().map(|codec| allocations(&**codec)).collect();
    // The baseline encodes all values through one buffer.
    assert_eq!(counts, [(2000, 1), (1000, 0), (0, 0)]);
}
