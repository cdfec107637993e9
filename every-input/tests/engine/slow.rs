//! Slow checks: a sweep stops within an answer, saves what it has checked, and keeps to its budget. Calls
//! are slow at first only, so that a sweep that does not stop ends in a moment.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use every_input::merge::merge_reports;
use every_input::{Breakdown, Check, Ending, Fault, Mode, Report, Shard, Sweep, Watch, all, exhaustive};

use crate::byte_properties::sets::count;
use crate::{Folder, exhaustive_in};

/// Calls of a check.
#[derive(Default)]
struct Calls {
    count: AtomicU64,
    inputs: AtomicU64,
}

impl Calls {
    /// Counts a call, and takes time for it if it is not late. Returns its number.
    fn add(&self, inputs: usize, time: Duration) -> u64 {
        let call = self.count.fetch_add(1, Relaxed) + 1;
        self.inputs.fetch_add(inputs as u64, Relaxed);
        if call < 3000 {
            thread::sleep(time);
        }
        call
    }

    fn count(&self) -> u64 {
        self.count.load(Relaxed)
    }
}

/// A check whose calls take this time, however many inputs they have. Values from `fails` on fail.
struct Slow<'c> {
    calls: &'c Calls,
    time: Duration,
    fails: i64,
    then: &'c (dyn Fn(u64) + Sync),
}

impl Check<i64> for Slow<'_> {
    type Memory = ();

    fn explain(&self, values: &[i64], (): &mut ()) -> Result<Option<Fault>, Breakdown> {
        (self.then)(self.calls.add(values.len(), self.time));
        let at = values.iter().position(|value| *value >= self.fails);
        Ok(at.map(|at| Fault::new("", "late").at(at)))
    }
}

const PAUSE: Duration = Duration::from_millis(20);

#[test]
fn a_sweep_of_slow_inputs_stops_within_an_answer_of_each_thread() {
    for threads in [1, 3] {
        let (watch, calls) = (Watch::new(), Calls::default());
        let check = |_: i64| {
            if calls.add(1, PAUSE) == 40 {
                watch.stop();
            }
            true
        };
        let sweep = exhaustive_in(0..=3 << 18).threads(threads);
        let report = sweep.report_watched("slow", &check, &watch, None).unwrap();
        assert_eq!((report.ending, report.values), (Ending::Interrupted, count(&report.covered)));
        assert!(calls.count() <= 40 + 4 * threads as u64, "{} on {threads} threads", calls.count());
    }
}

#[test]
fn a_sweep_of_slow_inputs_ends_with_its_time_limit() {
    let calls = Calls::default();
    let sweep = exhaustive_in(0..=1 << 18).threads(1).time_limit(Duration::from_millis(300));
    let report = sweep.report("slow", &|_: i64| calls.add(1, PAUSE) > 0).unwrap();
    assert_eq!(report.ending, Ending::TimeLimit);
    assert!((1..=20).contains(&report.values), "{}", report.values);
}

#[test]
fn a_sweep_whose_calls_are_slow_has_many_inputs_in_each() {
    let calls = Calls::default();
    let check = Slow { calls: &calls, time: 3 * PAUSE, fails: i64::MAX, then: &|_| () };
    let report = exhaustive_in(0..=20_000).threads(1).report("slow", &check).unwrap();
    assert!(report.complete);
    // Fewer than 100 on a machine that does nothing else, and 20,001 with one input each.
    assert!(calls.count() < 1000, "{} calls", calls.count());
}

#[test]
fn the_search_for_the_inputs_that_fail_stops_within_a_call_and_is_repeated() {
    let sweep = exhaustive_in(0..=3000).threads(1).max_failures(0);
    let run = |stop_at: u64, folder: &Folder| {
        let (watch, calls) = (folder.watch(), Calls::default());
        let then = |call| {
            if call == stop_at {
                watch.stop();
            }
        };
        let check = Slow { calls: &calls, time: Duration::from_millis(2), fails: 2500, then: &then };
        let report = sweep.report_watched("slow", &check, &watch, Some(&mut folder.checkpoint())).unwrap();
        (report, calls.count())
    };
    let (undisturbed, calls) = run(u64::MAX, &Folder::new());
    assert_eq!((undisturbed.failures, undisturbed.complete), (501, true));
    for stop_at in [30, 40, 100, calls - 3] {
        let folder = Folder::new();
        let (stopped, calls) = run(stop_at, &folder);
        assert_eq!((stopped.ending, calls), (Ending::Interrupted, stop_at));
        let (resumed, _) = run(u64::MAX, &folder);
        assert_eq!((resumed.failures, resumed.values), (501, 3001), "{stop_at}");
        assert_eq!(resumed.first_failures, undisturbed.first_failures, "{stop_at}");
        assert_eq!(folder.values(), [[2500, 3000]], "{stop_at}");
    }
}

/// The file is copied while the sweep runs, as it is after a kill.
#[test]
fn a_sweep_of_slow_inputs_that_is_killed_has_saved_nearly_all_answers() {
    let (folder, killed) = (Folder::new(), Folder::new());
    let (watch, calls) = (Watch::new(), Calls::default());
    let are_saved_soon = |answers: u64| {
        (0..100).any(|_| {
            thread::sleep(PAUSE);
            let copied = std::fs::copy(folder.path("sweep.json"), killed.path("sweep.json"));
            copied.is_ok()
                && killed.checkpoint().report().is_some_and(|report| report.values >= answers.into())
        })
    };
    let check = |_: i64| {
        let call = calls.add(1, Duration::from_millis(10));
        // If the system interrupts a call, the next claim may have more inputs than it should.
        if call % 60 == 0 && are_saved_soon(call - 10) {
            watch.stop();
        }
        true
    };
    // Few values are edge cases, which are saved one by one anyway.
    let sweep = exhaustive_in(140_000..=200_000).threads(1);
    let mut checkpoint = folder.checkpoint().save_every(Duration::from_millis(20));
    sweep.report_watched("slow", &check, &watch, Some(&mut checkpoint)).unwrap();
    let (saved, calls) = (killed.checkpoint().report().unwrap().values, u128::from(calls.count()));
    assert!((calls - 20..calls).contains(&saved), "{saved} of {calls} answers are saved");
    let resumed = sweep.report_watched("slow", &|_: i64| true, &watch, Some(&mut killed.checkpoint()));
    assert_eq!(resumed.unwrap().values, saved, "the watch is stopped");
    let resumed =
        sweep.report_watched("slow", &|_: i64| true, &Watch::new(), Some(&mut killed.checkpoint())).unwrap();
    assert_eq!((resumed.values, resumed.complete), (60_001, true));
}

#[test]
fn a_budget_ends_a_sample_of_slow_inputs_and_the_report_says_how_far_it_came() {
    let calls = Calls::default();
    let sample = Sweep::of(all::<u64>()).sample(None).budget(Duration::from_secs(1)).threads(2);
    let report = sample.report("slow", &|_: u64| calls.add(1, Duration::from_millis(1)) > 0).unwrap();
    assert_eq!((report.ending, report.mode), (Ending::Complete, Mode::Sample));
    let neighbours = report.neighbours.expect("not all boundaries");
    assert!((1..1 << 10).contains(&neighbours), "{neighbours}");
    assert!(report.values < 3000, "{}", report.values);
    let text = report.to_string();
    assert!(
        text.contains(&format!("(boundaries, {neighbours} of 16,384 values on each side of them)")),
        "{text}"
    );
    // What took no time was not left out. A round of draws is not finished if the calls before seem slow, as
    // on a busy machine.
    let fast = Sweep::of(all::<u64>()).sample(None).budget(Duration::from_secs(2)).threads(2);
    let mut runs = (0..10).map(|_| fast.report("fast", &|_: u64| true).unwrap());
    let is_balanced = |report: &Report| {
        assert!(report.complete && report.neighbours.is_none());
        let drawn: Vec<_> = report.strata.iter().map(|stratum| stratum.sampled).collect();
        drawn[0] > 0 && drawn.iter().all(|&share| share == drawn[0])
    };
    assert!(runs.any(|report| is_balanced(&report)));
}

#[test]
fn a_small_space_of_slow_inputs_keeps_to_the_budget() {
    let calls = Calls::default();
    let sweep = Sweep::of(all::<u16>()).budget(Duration::from_millis(200)).threads(1);
    let report = sweep.report("slow", &|_: u16| calls.add(1, Duration::from_millis(1)) > 0).unwrap();
    assert_eq!((report.ending, report.mode), (Ending::Complete, Mode::Sample));
    assert!((1..=400).contains(&report.values) && report.neighbours.is_some(), "{}", report.values);
    let text = report.to_string();
    assert!(text.contains("OK: no failure in ") && !text.contains("confidence"), "{text}");
    // Fast ones are all checked.
    let report = sweep.budget(Duration::from_secs(60)).report("fast", &|_: u16| true).unwrap();
    assert_eq!((report.mode, report.values), (Mode::Exhaustive, 1 << 16));
}

#[test]
fn a_sweep_without_time_checks_something() {
    for space in [0..=7u64, 0..=u64::MAX] {
        let calls = Calls::default();
        let sweep = Sweep::of(space).sample(None).budget(Duration::ZERO);
        let report = sweep.report("slow", &|_: u64| calls.add(1, PAUSE) > 0).unwrap();
        assert!((1..100).contains(&report.values), "{}", report.values);
    }
    let fails = exhaustive(0..=u64::MAX);
    let report = fails.sample(None).budget(Duration::ZERO).report("fails", &|_: u64| false).unwrap();
    assert!(report.failures > 0);
}

#[test]
fn shards_whose_budgets_end_at_different_boundaries_are_merged() {
    let shard = |index, millis| {
        let calls = Calls::default();
        let sample = Sweep::of(all::<u64>()).sample(None).seed(1).budget(Duration::from_millis(millis));
        let sample = sample.shard(Shard::new(index, 2).unwrap()).threads(1);
        sample.report("slow", &|_: u64| calls.add(1, Duration::from_micros(300)) > 0).unwrap()
    };
    let reports = [shard(1, 300), shard(2, 900)];
    let least = reports.iter().filter_map(|report| report.neighbours).min().expect("not all boundaries");
    let merged = merge_reports(reports.clone().map(|report| (report.shard.clone().unwrap(), Ok(report))));
    assert_eq!(merged.findings, []);
    let union = merged.report.unwrap();
    assert!(union.complete);
    assert_eq!(union.neighbours, Some(least));
    let json = serde_json::to_vec(&union).unwrap();
    assert_eq!(Report::parse("merged", &json).unwrap(), union);
    // A report that claims more boundaries than it covers is refused.
    let mut claims_more = serde_json::to_value(&union).unwrap();
    claims_more["neighbours"] = (2 * least).into();
    let refused = Report::parse("more", claims_more.to_string().as_bytes()).unwrap_err();
    assert!(refused.problem.contains("covers less than its plan"), "{refused}");
}
