//! The failures of a folder are checked first, and new ones are added to it.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use every_input::replay::Replay;
use every_input::{Checkpoint, Ending, Interval, Mode, Report, Sweep, Watch, all, exhaustive};

use crate::failure_list::{TestList, expected, passes, sweep};

/// Returns the ranges of values in the only file of a folder, in its order.
fn values(folder: &Path) -> Vec<[i64; 2]> {
    let mut files = fs::read_dir(folder).unwrap();
    let content = fs::read_to_string(files.next().unwrap().unwrap().path()).unwrap();
    assert!(files.next().is_none(), "one subject, one file");
    let lines = content.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let number = |number: &serde_json::Value| number.as_str().unwrap().parse().unwrap();
    lines.map(|line| [0, 1].map(|end| number(&line["numbers"][end]))).collect()
}

#[test]
fn earlier_failures_are_checked_first_and_new_ones_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = sweep().threads(3).regressions(folder.path());
    assert_eq!(sweep.report("test", &passes).unwrap().ending, Ending::Complete);
    assert_eq!(values(folder.path()), expected());
    // Of the range of 600,000 values, both ends are checked.
    let again = sweep.report("test", &passes).unwrap();
    assert_eq!(
        (again.ending, again.complete, u128::from(again.failures)),
        (Ending::Regressions, false, again.values)
    );
    assert_eq!(again.values, 2 * 2048 + expected().len() as u128 - 1);
    assert!(again.to_string().contains("failures of an earlier sweep occurred again"), "{again}");
    let junit = Report::junit(&[again]);
    assert!(junit.contains("<error") && junit.contains("<failure"), "{junit}");
    // A fix, and another fault.
    let fixed = sweep.report("test", &|value: i64| value != 7 && value != 899_999).unwrap();
    assert_eq!((fixed.ending, fixed.failures), (Ending::Regressions, 1));
    let fixed = sweep.report("test", &|value: i64| value != 7).unwrap();
    assert_eq!((fixed.ending, fixed.failures, fixed.values), (Ending::Complete, 1, 5_000_001));
    assert_eq!(values(folder.path()), [vec![[5, 5], [7, 7]], expected()[1..].to_vec()].concat());
    // The failures of another function have a file of their own.
    assert_eq!(sweep.report("other", &|value: i64| value != 5).unwrap().ending, Ending::Complete);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_sample_checks_them_first_too_and_keeps_its_plan() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::of(all::<i64>()).sample(Some(20_000)).seed(5).regressions(folder.path());
    let report = sweep.report("test", &|value: i64| value >> 40 != 3).unwrap();
    assert!(report.failures > 0 && report.mode == Mode::Sample);
    let again = sweep.report("test", &|value: i64| value >> 40 != 3).unwrap();
    assert_eq!((again.ending, again.mode), (Ending::Regressions, Mode::Exhaustive));
    let passed = sweep.report("test", &|_| true).unwrap();
    assert_eq!((passed.values, passed.fingerprint), (report.values, report.fingerprint));
    // Values outside the plan are not checked.
    let elsewhere =
        sweep.ranges([Interval { first: 0, last: 9 }]).report("test", &|value: i64| value >> 40 != 3);
    assert_eq!(elsewhere.unwrap().ending, Ending::Complete);
}

#[test]
fn an_interrupted_or_killed_sweep_has_added_what_its_checkpoint_counts() {
    let (folder, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let open = |folder: &Path| {
        Checkpoint::open(&folder.join("checkpoint")).unwrap().save_every(Duration::from_millis(1))
    };
    let (watch, checked) = (Watch::new(), AtomicU64::new(0));
    let check = |value: i64| {
        if value == 2_000_000 {
            thread::sleep(Duration::from_millis(50));
            fs::copy(folder.path().join("checkpoint"), killed.path().join("checkpoint")).unwrap();
            let file = "regressions/i64-test.jsonl";
            fs::create_dir_all(killed.path().join("regressions")).unwrap();
            fs::copy(folder.path().join(file), killed.path().join(file)).unwrap();
            watch.stop();
        }
        checked.fetch_add(1, Relaxed);
        passes(value)
    };
    let of = |folder: &Path| sweep().threads(1).regressions(folder.join("regressions"));
    let report = of(folder.path()).report_watched("test", &check, &watch, Some(&mut open(folder.path())));
    assert_eq!(report.unwrap().ending, Ending::Interrupted);
    // They fail again, but a sweep that resumes does not end because of that.
    for folder in [&folder, &killed] {
        let checkpoint = &mut open(folder.path());
        let report = of(folder.path()).report_watched("test", &passes, &Watch::new(), Some(checkpoint));
        assert_eq!(report.unwrap().ending, Ending::Complete);
        assert_eq!(values(&folder.path().join("regressions")), expected());
    }
}

#[test]
fn the_first_part_can_be_interrupted_and_has_its_failures_in_the_list() {
    let (folder, list) = (tempfile::tempdir().unwrap(), TestList::new());
    let sweep = sweep().regressions(folder.path());
    sweep.report_watched("test", &passes, &list.watch(), None).unwrap();
    let fails = |value: i64| value != 5;
    let report = sweep.report_watched("test", &fails, &list.watch(), None).unwrap();
    assert_eq!((report.ending, list.values()), (Ending::Regressions, vec![[5, 5]]));
    let watch = Watch::new();
    watch.stop();
    let report = sweep.report_watched("test", &fails, &watch, None).unwrap();
    assert_eq!((report.ending, report.values), (Ending::Interrupted, 0));
}

#[test]
fn a_test_in_rust_can_keep_its_failures() {
    let folder = tempfile::tempdir().unwrap();
    let message = |fails: fn(u16) -> bool| {
        let test = || exhaustive(all::<u16>()).regressions(folder.path()).check(fails);
        catch_unwind(test).unwrap_err().downcast::<String>().unwrap()
    };
    assert!(message(|value| value != 500).contains("FAILED: 1 failure in 65,536 values"));
    assert!(message(|value| value != 500).contains("FAILED: 1 failure in 1 value\n"));
    exhaustive(all::<u16>()).regressions(folder.path()).check(|_| true);
    let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    assert_eq!(Replay::read(&file).unwrap().values, [Interval { first: 500, last: 500 }]);
    // A folder that cannot be written is an error before the sweep.
    let refused = sweep().regressions(file).report("test", &passes).unwrap_err();
    assert!(refused.to_string().contains("name a writable folder"), "{refused}");
}
