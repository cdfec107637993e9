//! Plans of more ranges than a report lists: every value of them is checked, in bounded memory, and their
//! reports, checkpoints and shards say exactly which were.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use every_input::merge::{FindingKind, merge};
use every_input::replay::Replay;
use every_input::{
    Ending, FailureList, Interval, Report, Scalars, Shard, Sweep, SweepError, Watch, all, exhaustive,
};

use crate::Folder;

const RANGES: i64 = 100_000;
const STEP: i64 = 40_000_000_000_001;

/// Returns the value of the range with this number. They are alone, and both negative and positive.
fn value(number: i64) -> i64 {
    (number - RANGES / 2) * STEP
}

fn number(value: i64) -> i64 {
    value / STEP + RANGES / 2
}

fn ranges() -> impl DoubleEndedIterator<Item = Interval> {
    (0..RANGES).map(value).map(|value| Interval { first: value.into(), last: value.into() })
}

fn sweep() -> Sweep<Scalars<i64>> {
    exhaustive(all::<i64>()).ranges(ranges()).max_failures(0)
}

/// Every hundredth value fails.
fn passes(value: i64) -> bool {
    number(value) % 100 != 7
}

fn run(sweep: &Sweep<Scalars<i64>>) -> Report {
    sweep.report("own", &passes).unwrap()
}

/// Returns the places of the values that were checked.
fn places(report: &Report) -> Vec<[i128; 2]> {
    let long = report.long_plan.as_ref().expect("a long plan");
    long.covered.iter().map(|range| [range.first, range.last]).collect()
}

#[test]
fn every_value_is_checked_in_any_order_of_the_ranges() {
    for is_reversed in [false, true] {
        let sweep = exhaustive(all::<i64>());
        let sweep = if is_reversed { sweep.ranges(ranges().rev()) } else { sweep.ranges(ranges()) };
        let (checked, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
        let report = sweep.report("own", &|own: i64| {
            checked.fetch_add(1, Relaxed);
            wrong.fetch_add((value(number(own)) != own).into(), Relaxed);
            true
        });
        let report = report.unwrap();
        // The edge cases are checked first, and again.
        assert!((100_000..100_200).contains(&checked.into_inner()));
        assert_eq!((wrong.into_inner(), report.values, report.complete), (0, 100_000, true));
        assert_eq!(places(&report), [[0, 99_999]]);
        assert!(report.to_string().contains("100,000 values, which is all of them"));
        let sum = report.by_length.values().sum::<u64>();
        assert_eq!((sum, report.plan.len(), report.covered.len()), (100_000, 100, 100));
    }
}

#[test]
fn a_list_of_failures_in_any_order_is_replayed() {
    let folder = Folder::new();
    let watch = Watch::new().list_failures(Arc::new(FailureList::open(&folder.path("list")).unwrap()));
    let report = sweep().report_watched("own", &|_: i64| false, &watch, None).unwrap();
    assert_eq!(report.failures, 100_000);
    let text = fs::read_to_string(folder.path("list")).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 100_000, "none has a neighbour");
    let sorted = Replay::read(&folder.path("list")).unwrap();
    let half = lines.split_off(50_001);
    let mixed: String = half.iter().chain(lines.iter().rev()).flat_map(|line| [line, "\n"]).collect();
    fs::write(folder.path("mixed"), mixed).unwrap();
    let mixed = Replay::read(&folder.path("mixed")).unwrap();
    assert_eq!(mixed, sorted);
    assert_eq!((mixed.values.count(), mixed.values.len()), (100_000, 100_000));
    assert!(mixed.values.iter().map(Result::unwrap).eq(ranges()));
    let again = run(&exhaustive(all::<i64>()).within(mixed.values).max_failures(0));
    assert_eq!((again.failures, again.fingerprint), (1000, report.fingerprint));
}

#[test]
fn reports_and_checkpoints_are_small_and_read_again() {
    let (folder, watch) = (Folder::new(), Watch::new());
    let report = sweep().report_watched("own", &passes, &watch, Some(&mut folder.checkpoint())).unwrap();
    for file in [folder.put("report.json", &report), folder.path("sweep.json")] {
        assert!(fs::metadata(&file).unwrap().len() < 1 << 20);
        assert_eq!(Report::read(&file).as_ref(), Ok(&report));
    }
    assert_eq!(folder.checkpoint().report(), Some(&report));
}

#[test]
fn an_interrupted_sweep_continues_and_another_plan_is_refused() {
    let (folder, watch) = (Folder::new(), Watch::new());
    let stopping = |own: i64| {
        if number(own) == 60_000 {
            watch.stop();
        }
        passes(own)
    };
    let one = sweep().threads(1);
    let part = one.report_watched("own", &stopping, &watch, Some(&mut folder.checkpoint())).unwrap();
    assert_eq!((part.ending, part.complete), (Ending::Interrupted, false));
    let checked: i128 = places(&part).iter().map(|[first, last]| last - first + 1).sum();
    assert_eq!((part.values as i128, part.values < 100_000), (checked, true));
    assert!(Report::read(&folder.path("sweep.json")).is_ok());

    let other = exhaustive(all::<i64>()).ranges(ranges().skip(1)).max_failures(0);
    let refused = other.report_watched("own", &passes, &Watch::new(), Some(&mut folder.checkpoint()));
    let Err(SweepError::File(error)) = refused else { panic!("{refused:?}") };
    assert!(error.problem.contains("its plan is 100,000 values in 100,000 ranges, "), "{error}");

    let again = AtomicU64::new(0);
    let counting = |own: i64| {
        again.fetch_add(1, Relaxed);
        passes(own)
    };
    let whole = one.report_watched("own", &counting, &Watch::new(), Some(&mut folder.checkpoint())).unwrap();
    assert!(again.into_inner() < 60_000, "it continues");
    let expected = run(&sweep());
    assert_eq!((whole.values, whole.failures, &whole.by_length), (100_000, 1000, &expected.by_length));
    assert_eq!((whole.complete, whole.first_failures), (true, expected.first_failures));
}

#[test]
fn shards_find_the_same_and_merge_to_the_whole() {
    let folder = Folder::new();
    let shard = |index| run(&sweep().shard(Shard::new(index, 7).unwrap()));
    let shards: Vec<Report> = (1..=7).map(shard).collect();
    let files = shards.iter().enumerate();
    let files: Vec<_> = files.map(|(index, report)| folder.put(&format!("{index}.json"), report)).collect();
    let merged = merge(&files);
    assert_eq!(merged.findings, []);
    let (merged, whole) = (merged.report.unwrap(), run(&sweep()));
    assert_eq!((merged.complete, merged.failures, places(&merged)), (true, 1000, vec![[0, 99_999]]));
    assert_eq!((merged.values, &merged.by_length), (whole.values, &whole.by_length));
    assert_eq!((&merged.fingerprint, &merged.covered), (&whole.fingerprint, &whole.covered));
    assert_eq!(merged.first_failures, whole.first_failures);
    assert_eq!(Report::read(&folder.put("merged.json", &merged)), Ok(merged));

    let half = merge(&files[1..4]);
    let messages: Vec<_> = half.findings.iter().map(ToString::to_string).collect();
    let (end, start) = (places(&shards[0])[0][1], places(&shards[4])[0][0]);
    let gap = format!("gap: no report covers places 0..={end} {start}..=99999 (");
    assert!(messages[0].starts_with(&gap), "{messages:?}");
    let rest = [&files[..1], &files[4..], &[folder.put("half.json", &half.report.unwrap())]].concat();
    assert_eq!(merge(&rest).findings, []);

    let twice = merge(&[&files[..], &files[2..3]].concat());
    assert!(matches!(&twice.findings[..], [one] if one.kind == FindingKind::Duplicate), "{twice:?}");
    let other = exhaustive(all::<i64>()).ranges(ranges().skip(1)).max_failures(0);
    let other = folder.put("other.json", &run(&other.shard(Shard::new(1, 7).unwrap())));
    let other = merge(&[&files[..], &[other]].concat());
    assert!(matches!(&other.findings[..], [one] if one.kind == FindingKind::Unrelated), "{other:?}");
}

#[test]
fn reports_that_contradict_themselves_are_refused() {
    let (folder, report) = (Folder::new(), run(&sweep()));
    let changes: [fn(&mut Report); 7] = [
        |report| report.long_plan = None,
        |report| report.long_plan.as_mut().unwrap().hash = "0123456789abcdef".into(),
        |report| report.long_plan.as_mut().unwrap().ranges += 1,
        |report| report.long_plan.as_mut().unwrap().values += 1,
        |report| report.long_plan.as_mut().unwrap().covered[0].last += 1,
        |report| report.long_plan.as_mut().unwrap().covered[0].last -= 1,
        |report| report.values -= 1,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut changed = report.clone();
        change(&mut changed);
        let read = Report::read(&folder.put("changed.json", &changed));
        assert!(read.unwrap_err().problem.contains("contradicts itself"), "change {index}");
    }
}

/// A report of a sample lists all of its ranges.
#[test]
fn a_sample_of_many_ranges_is_read_and_one_of_a_million_is_refused() {
    let range = |index: i128| Interval { first: index << 40, last: (index << 40) + (1 << 39) };
    let sample = |ranges| Sweep::of(all::<i64>()).ranges((0..ranges).map(range)).sample(Some(1000)).seed(1);
    let folder = Folder::new();
    let report = sample(100_000).report("right", &|_: i64| true).unwrap();
    assert_eq!((report.plan.len(), report.complete), (100_000, true));
    assert_eq!(Report::read(&folder.put("report", &report)), Ok(report));
    let refused = sample(1_000_000).report("right", &|_: i64| true).unwrap_err().to_string();
    let message = "ranges: a sample of 1,000,000 ranges is not possible, at most of 524,288; \
                   check all values with Sweep::exhaustive";
    assert_eq!(refused, message);
}

#[test]
fn a_failing_range_may_go_on_where_an_interrupted_sweep_ended() {
    let last = Interval { first: 1 << 62, last: (1 << 62) + 5_000_000 };
    let sweep = exhaustive(all::<i64>()).ranges(ranges().chain([last])).max_failures(0).threads(1);
    let watch = Watch::new();
    let check = |own: i64| {
        if own == (1 << 62) + 1_000_000 {
            watch.stop();
        }
        own < 1 << 62
    };
    let part = sweep.report_watched("own", &check, &watch, None).unwrap();
    assert!(!part.complete && part.to_string().contains("a range may end where checking ended"), "{part}");
    let whole = sweep.report("own", &|own: i64| own < 1 << 62).unwrap();
    assert!(whole.complete && !whole.to_string().contains("where checking ended"), "{whole}");
}
