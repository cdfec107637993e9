//! How a sweep ends early: by an interruption, and by its time limit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use every_input::{Breakdown, Ending, Scalars, Status, Sweep, Watch, exhaustive};

use crate::byte_properties::sets::count;
use crate::{Blocks, Folder, exhaustive_in, leb128};

#[test]
fn after_an_interruption_a_hanging_codec_is_not_called_again() {
    // The plan has a few edge cases, which are checked first, then blocks. A block is bisected.
    let sweep = exhaustive_in(70_000..=90_000_000).max_failures(0).threads(1);
    for call in [1, 2, 20, 25, 40] {
        let (watch, calls) = (Watch::new(), AtomicU64::new(0));
        let encode = |_: &[i64], _: &mut [u8]| {
            if calls.fetch_add(1, Relaxed) + 1 == call {
                watch.stop();
            }
            Err(Breakdown::new("no answer").into())
        };
        let codec = Blocks("hanging", encode, |_: &[u8], _: &mut [i64]| unreachable!("nothing is encoded"));
        let report = sweep.run_watched(&codec, &watch, None).unwrap();
        assert_eq!(calls.load(Relaxed), call);
        assert_eq!((report.ending, report.complete), (Ending::Interrupted, false));
        assert_eq!(report.values, count(&report.covered));
        assert!(report.failures > 0);
    }
}

#[test]
fn neighbouring_edge_cases_are_one_failure_if_the_sweep_is_interrupted_among_them() {
    let watch = Watch::new();
    let check = |value: i64| {
        if value == 1 {
            watch.stop();
        }
        value > 1
    };
    let sweep = exhaustive(0..=1i64 << 34).max_failures(2).threads(1);
    let report = sweep.report_watched("edges", &check, &watch, None).unwrap();
    assert_eq!((report.ending, report.failures), (Ending::Interrupted, 2));
}

/// Each edge case breaks down once, and neighbours that do so are one failure. They are checked in another
/// order, in which they are more.
#[test]
fn a_sweep_of_which_nobody_asked_to_stop_is_not_interrupted() {
    for period in [2, 3, 4, 5] {
        let calls = AtomicU64::new(0);
        let encode = |values: &[i64], dst: &mut [u8]| {
            if calls.fetch_add(1, Relaxed) % period == 1 {
                return Err(Breakdown::new("no answer").into());
            }
            leb128::encode_slice(values, dst)
        };
        let report = exhaustive_in(0..=2000).run(&Blocks("flaky", encode, leb128::decode_slice)).unwrap();
        assert!(matches!(report.ending, Ending::Failures | Ending::Complete), "{period}: {report}");
    }
}

#[test]
fn a_time_limit_ends_an_exhaustive_sweep_which_can_be_resumed() {
    let folder = Folder::new();
    let sweep = exhaustive_in(0..=40 << 18).threads(2);
    let run = |sweep: &Sweep<Scalars<i64>>, pause| {
        let check = |value: i64| {
            if value % (1 << 18) == 77 {
                thread::sleep(pause);
            }
            true
        };
        sweep.report_watched("pausing", &check, &Watch::new(), Some(&mut folder.checkpoint())).unwrap()
    };
    let ended = run(&sweep.clone().time_limit(Duration::from_millis(300)), Duration::from_millis(100));
    assert_eq!((ended.ending, ended.complete), (Ending::TimeLimit, false));
    assert!(ended.values < 40 << 18);
    let resumed = run(&sweep.clone().time_limit(Duration::from_secs(1000)), Duration::ZERO);
    assert_eq!((resumed.ending, resumed.complete, resumed.values), (Ending::Complete, true, (40 << 18) + 1));
}

#[test]
fn the_progress_is_that_of_the_time_limit_if_it_comes_first() {
    let at = |value: i64, last: i64, limit: u64| {
        let (watch, status) = (Watch::new(), OnceLock::new());
        let check = |checked: i64| {
            if checked == value {
                thread::sleep(Duration::from_millis(2));
                let _ = status.set(Status::of(&watch));
                watch.stop();
            }
            true
        };
        let sweep = exhaustive_in(0..=last.into()).threads(1).time_limit(Duration::from_secs(limit));
        sweep.report_watched("stopping", &check, &watch, None).unwrap();
        let Status { part, eta_seconds, .. } = status.into_inner().expect("a status");
        (part, eta_seconds.expect("an estimate"))
    };
    let (part, left) = at(1500, 1 << 60, 100_000);
    assert!((1e-8..0.1).contains(&part) && (90_000.0..100_000.0).contains(&left), "{part} {left}");
    let (part, left) = at(2_999_990, 3_000_000, 1 << 40);
    assert!((0.5..1.0).contains(&part) && left < 1e9, "{part} {left}");
}

#[test]
fn no_more_workers_run_than_there_are_units() {
    for (values, threads) in [(256, 1), (1 << 18, 1), ((1 << 18) + 1, 2), (5 << 18, 5), (50 << 18, 8)] {
        let sweep = exhaustive_in(0..=values - 1).threads(8);
        let report = sweep.report("right", &|_: i64| true).unwrap();
        assert_eq!((report.threads, report.complete), (threads, true), "{values}");
    }
}
