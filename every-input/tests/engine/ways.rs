//! Whichever way a sweep goes, its report is the same: in one run, on other numbers of threads, as
//! shards whose reports are merged in any order, and interrupted and resumed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use every_input::merge::merge;
use every_input::{
    Check, Integer, Interval, Mode, Report, Scalars, Shard, Space, Sweep, Ulps, Watch, Worst, agrees, all,
    exhaustive,
};
use proptest::prelude::*;

use crate::Folder;

/// Returns the union of the shards of a sweep, merged in this order. Of an exhaustive sweep, two are
/// merged before.
fn merged<S: Space>(sweep: &Sweep<S>, check: &impl Check<S::Item>, order: &[u64]) -> Report {
    let (folder, of) = (Folder::new(), order.len() as u64);
    let mut files = Vec::new();
    for index in order {
        let shard = sweep.clone().shard(Shard::new(*index, of).unwrap());
        files.push(folder.put(&index.to_string(), &shard.report("x", check).unwrap()));
    }
    let merged = merge(&files);
    let merged = match merged.report.as_ref().map(|report| report.mode) {
        Some(Mode::Exhaustive) => {
            let two = files.split_off(files.len() - 2);
            files.push(folder.put("two", &merge(&two).report.unwrap()));
            merge(&files)
        }
        _ => merged,
    };
    assert_eq!(merged.findings, []);
    merged.report.unwrap()
}

/// Returns the report of a sweep that is stopped at calls with these numbers, and resumed each time.
fn resumed<T: Integer, C: Check<T>>(
    sweep: &Sweep<Scalars<T>>,
    check: impl Fn(Call) -> C,
    stops: &[u64],
) -> Report {
    let folder = Folder::new();
    let run = |stop| {
        let (watch, calls) = (Arc::new(Watch::new()), AtomicU64::new(0));
        let stopped = Arc::clone(&watch);
        let call = move || {
            if calls.fetch_add(1, Relaxed) == stop {
                stopped.stop();
            }
        };
        sweep.report_watched("x", &check(Arc::new(call)), &watch, Some(&mut folder.checkpoint())).unwrap()
    };
    stops.iter().for_each(|&stop| drop(run(stop)));
    run(u64::MAX)
}

/// Is called for each input.
type Call = Arc<dyn Fn() + Send + Sync>;

fn order_of(shards: u64) -> impl Strategy<Value = Vec<u64>> {
    Just((1..=shards).collect::<Vec<_>>()).prop_shuffle()
}

/// Returns the worst input of `f32` numbers that deviate by these units in the last place.
fn worst(report: &Report) -> (f64, String) {
    let worst = report.worst.as_ref().expect("a deviation");
    (worst.deviation, worst.value.clone())
}

/// Returns the worst input of each class, and that of all.
fn all_worst(report: &Report) -> (BTreeMap<String, Worst>, (f64, String)) {
    (report.worst_by_class.clone(), worst(report))
}

/// The last numbers whose encodings have one byte, two bytes and so on.
const LAST: [u32; 4] = [(1 << 7) - 1, (1 << 14) - 1, (1 << 21) - 1, (1 << 28) - 1];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Many inputs have the greatest deviation, edge cases among them.
    #[test]
    fn the_worst_input_is_the_same_whichever_way_a_sweep_goes(
        first in 0u32..1 << 22,
        period in 2u32..900_000,
        phase in 0u32..900_000,
        panics in any::<bool>(),
        threads in 2usize..5,
        order in order_of(7),
        stops in prop::collection::vec(0u64..2_500_000, 1..4),
    ) {
        let deviates = |bits: u32| bits % period == phase % period || bits == first || bits.is_multiple_of(1 << 23);
        let check = |call: Call| {
            let function = move |bits: u32| {
                call();
                assert!(!panics || bits % 77_777 != 5, "not this one");
                // Inputs with the same deviation.
                f32::from_bits((1 << 30) + if deviates(bits) { 2 } else { bits % 2 })
            };
            agrees(function, |_: u32| f32::from_bits(1 << 30), Ulps(2.0))
        };
        let none = || check(Arc::new(|| ()));
        let range = [Interval { first: first.into(), last: i128::from(first) + 2_000_000 }];
        let sweep = Sweep::of(all::<u32>()).ranges(range).exhaustive().max_failures(0).threads(1);
        let one = sweep.report("x", &none()).unwrap();
        let expected = (first..).find(|bits| deviates(*bits)).unwrap();
        prop_assert_eq!(worst(&one), (2.0, expected.to_string()));
        let one = all_worst(&one);
        for (length, (start, last)) in (1..).zip(LAST.map(|last| last / 128 + 1).into_iter().zip(LAST)) {
            let start = if length == 1 { 0 } else { start };
            let numbers = start.max(first)..=last.min(first + 2_000_000);
            let deviation = |&bits: &u32| match (deviates(bits), bits % 2, panics && bits % 77_777 == 5) {
                (.., true) => -1,
                (true, ..) => 2,
                (_, odd, _) => odd as i32,
            };
            let expected = numbers.rev().max_by_key(deviation).map(|bits| (deviation(&bits).into(), bits));
            let found = one.0.get(&format!("{length} bytes, +"));
            let found = found.map(|worst| (worst.deviation, worst.value.parse().unwrap()));
            prop_assert_eq!(found, expected, "{} bytes", length);
        }
        let more = sweep.clone().threads(threads);
        prop_assert_eq!(all_worst(&more.report("x", &none()).unwrap()), one.clone());
        prop_assert_eq!(all_worst(&merged(&more, &none(), &order)), one.clone());
        prop_assert_eq!(all_worst(&resumed(&more, check, &stops)), one);
    }

    #[test]
    fn the_worst_input_of_a_sample_is_the_same_whichever_way_it_goes(
        seed: u64,
        period in 2u64..900_000,
        threads in 2usize..5,
        order in order_of(7),
        stops in prop::collection::vec(0u64..400_000, 1..4),
    ) {
        let check = |call: Call| {
            let function = move |value: u64| {
                call();
                f64::from_bits((1 << 62) + 2 * u64::from(value.is_multiple_of(period)))
            };
            agrees(function, |_: u64| f64::from_bits(1 << 62), Ulps(2.0))
        };
        let none = || check(Arc::new(|| ()));
        let plan = [Interval { first: 1 << 34, last: 1 << 60 }];
        let sweep = Sweep::of(all::<u64>()).ranges(plan).sample(Some(300_000)).seed(seed).threads(1);
        let one = all_worst(&sweep.report("x", &none()).unwrap());
        prop_assert_eq!(one.0.len(), 5, "encodings of five to nine bytes");
        let more = sweep.clone().threads(threads);
        prop_assert_eq!(all_worst(&more.report("x", &none()).unwrap()), one.clone());
        prop_assert_eq!(all_worst(&merged(&more, &none(), &order)), one.clone());
        prop_assert_eq!(all_worst(&resumed(&more, check, &stops)), one);
    }
}

/// Returns the JSON of a report without times, threads and the number of merged reports.
fn lasting(report: &Report) -> String {
    let mut json = serde_json::to_value(report).unwrap();
    let times =
        ["seconds", "cpu_seconds", "cpu_by_thread", "cpus", "values_per_second", "exhaustive_seconds"];
    for name in times.iter().chain(&["threads", "merged"]) {
        json.as_object_mut().expect("a report").remove(*name);
    }
    json.to_string()
}

/// Returns the report of a sweep that is stopped and resumed, as [`resumed`] does.
fn one_by_one(
    sweep: &Sweep<Scalars<i64>>,
    fails: impl Fn(i64) -> bool + Copy + Sync,
    stops: &[u64],
) -> Report {
    resumed(
        sweep,
        |call| {
            move |value: i64| {
                call();
                !fails(value)
            }
        },
        stops,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Ranges, of which some cross the ends of shards, and single values, edge cases among them.
    #[test]
    fn complete_exhaustive_sweeps_have_equal_reports_whichever_way_they_go(
        first in -3_000_000i64..0,
        ranges in prop::collection::vec((0i64..2_500_000, 0i64..700_000), 0..4),
        period in 1000i64..1_500_000,
        limit in prop::sample::select(vec![0u64, 10_000]),
        threads in 2usize..5,
        order in order_of(7),
        stops in prop::collection::vec(0u64..2_500_000, 1..4),
    ) {
        let fails = |value: i64| {
            let place = value - first;
            place % period == 0 || ranges.iter().any(|(start, len)| (*start..start + len).contains(&place))
        };
        let plan = [Interval { first: first.into(), last: i128::from(first) + 2_500_000 }];
        let sweep = Sweep::of(all::<i64>()).ranges(plan).exhaustive().max_failures(limit).threads(1);
        let check = |value: i64| !fails(value);
        let one = sweep.report("x", &check).unwrap();
        prop_assume!(one.complete);
        let more = sweep.clone().threads(threads);
        prop_assert_eq!(lasting(&more.report("x", &check).unwrap()), lasting(&one));
        prop_assert_eq!(lasting(&merged(&more, &check, &order)), lasting(&one));
        prop_assert_eq!(lasting(&one_by_one(&more, fails, &stops)), lasting(&one));
    }

    #[test]
    fn complete_samples_have_equal_reports_whichever_way_they_go(
        seed: u64,
        edge in 34u32..60,
        len in 1i64..9000,
        period in 3000i64..900_000,
        threads in 2usize..5,
        order in order_of(7),
        stops in prop::collection::vec(0u64..400_000, 1..4),
    ) {
        let fails = |value: i64| ((1 << edge) - len..(1 << edge) + len).contains(&value) || value % period == 0;
        let plan = [Interval { first: 1 << 34, last: 1 << 60 }];
        let sweep = Sweep::of(all::<i64>()).ranges(plan).sample(Some(300_000)).seed(seed).threads(1);
        let sweep = sweep.max_failures(10_000);
        let check = |value: i64| !fails(value);
        let one = sweep.report("x", &check).unwrap();
        prop_assert!(one.complete);
        let more = sweep.clone().threads(threads);
        prop_assert_eq!(lasting(&more.report("x", &check).unwrap()), lasting(&one));
        prop_assert_eq!(lasting(&merged(&more, &check, &order)), lasting(&one));
        prop_assert_eq!(lasting(&one_by_one(&more, fails, &stops)), lasting(&one));
    }
}

/// A report whose greatest deviation is infinite was written, and could not be read.
#[test]
fn an_infinite_deviation_is_merged_and_resumed() {
    let check = agrees(|x: f32| if x == 1.5 { f32::NAN } else { x }, |x| x, Ulps(1.0));
    let sweep = exhaustive(1.0f32..=2.0);
    let report = merged(&sweep, &check, &[2, 3, 1]);
    assert_eq!((worst(&report), report.failures), ((f64::INFINITY, "1.5".into()), 1));
    let folder = Folder::new();
    for _ in 0..2 {
        let again = sweep.report_watched("x", &check, &Watch::new(), Some(&mut folder.checkpoint())).unwrap();
        assert_eq!(worst(&again), worst(&report));
    }
}
