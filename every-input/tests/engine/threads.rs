//! The CPU time by thread, in statuses and reports. Other tests run in the same process, so these look
//! at threads with names of their own.

use std::fs;
use std::thread::{self, Builder, ScopedJoinHandle};

use every_input::{Ending, Report, Status, ThreadCpu, Watch};

use crate::waiting::wait_for;
use crate::{Folder, exhaustive_in};

/// Returns the CPU time of this thread in hundredths of a second, as proc(5) describes it.
fn own_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/stat").expect("Linux");
    let (_, fields) = stat.rsplit_once(") ").expect("a name");
    fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

/// Returns whether a thread of this process has the name.
fn is_alive(name: &str) -> bool {
    let threads = fs::read_dir("/proc/self/task").expect("Linux").flatten();
    threads
        .flat_map(|thread| fs::read_to_string(thread.path().join("comm")))
        .any(|found| found.trim() == name)
}

/// Uses CPU time.
fn burn(ticks: u64) {
    let end = own_ticks() + ticks;
    while own_ticks() < end {}
}

fn seconds(threads: &[ThreadCpu], name: &str, worker: bool) -> f64 {
    let found = threads.iter().find(|thread| thread.name == name && thread.worker == worker);
    found.map_or(0.0, |thread| thread.cpu_seconds)
}

fn start<'s>(
    scope: &'s thread::Scope<'s, '_>,
    name: &str,
    work: impl FnOnce() + Send + 's,
) -> ScopedJoinHandle<'s, ()> {
    Builder::new().name(name.into()).spawn_scoped(scope, work).expect("a thread")
}

#[test]
fn a_thread_that_is_not_a_worker_is_named_even_after_its_end() {
    let watch = Watch::new();
    let check = |value: i64| {
        if value == 500 {
            burn(20);
            thread::scope(|scope| {
                // The status is made before the threads end, and the report afterwards.
                scope.spawn(|| {
                    burn(30);
                    let status = Status::of(&watch);
                    assert!(seconds(&status.threads, "unnamed", false) >= 0.28, "{:?}", status.threads);
                });
                start(scope, "helper", || {
                    burn(30);
                    let status = Status::of(&watch);
                    assert!(seconds(&status.threads, "helper", false) >= 0.28, "{:?}", status.threads);
                    assert!(status.report.expect("the sweep has begun").cpu_by_thread.is_empty());
                });
            });
        }
        true
    };
    let sweep = exhaustive_in(0..=1000).threads(1);
    let mut report = sweep.report_watched("helped", &check, &watch, None).expect("a report");
    let threads = report.cpu_by_thread.clone();
    assert_eq!(report.failures, 0, "{report}");
    assert!(seconds(&threads, "sweep-1", true) >= 0.18, "{threads:?}");
    assert!(seconds(&threads, "helper", false) >= 0.28, "{threads:?}");
    assert_eq!(Status::of(&watch).threads, threads);

    report.seconds = 1.0;
    report.cpu_by_thread.iter_mut().filter(|one| one.name == "helper").for_each(|one| one.cpu_seconds = 0.45);
    assert!(
        report.to_string().contains("threads besides the workers used CPU: ")
            && report.to_string().contains("helper 45 %"),
        "{report}"
    );
}

#[test]
fn threads_that_nobody_observed_are_counted_as_ended() {
    // The times of all threads are rounded.
    let time = 100 + 2 * fs::read_dir("/proc/self/task").expect("Linux").count() as u64;
    let check = |value: i64| {
        if value == 500 {
            thread::scope(|scope| _ = start(scope, "short", || burn(time)));
            wait_for(|| (!is_alive("short")).then_some(())); // it ends shortly after its work
        }
        true
    };
    let report = exhaustive_in(0..=1000).threads(1).report("short", &check).expect("a report");
    let threads = &report.cpu_by_thread;
    assert!(seconds(threads, "ended", false) >= 0.9, "{threads:?}");
    assert!(threads.iter().all(|thread| thread.name != "short"));
}

#[test]
fn a_resumed_sweep_has_the_times_of_its_earlier_runs() {
    let folder = Folder::new();
    let run = |watch: &Watch| {
        let check = |value: i64| {
            if value == 500 || value == 600_000 {
                burn(30);
                watch.stop();
            }
            true
        };
        let sweep = exhaustive_in(0..=1_000_000).threads(1);
        sweep.report_watched("slow", &check, watch, Some(&mut folder.checkpoint())).expect("a report")
    };
    let time = |report: &Report| seconds(&report.cpu_by_thread, "sweep-1", true);
    let [first, second] = [run(&Watch::new()), run(&Watch::new())];
    assert_eq!(first.ending, Ending::Interrupted);
    assert!(time(&first) >= 0.28 && time(&second) >= time(&first) + 0.28, "{first}\n{second}");
}
