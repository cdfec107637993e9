//! A sweep as its caller watches it: the status file, and the CPU time in the report.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use varint_sweep::{Codec, Interval, StatusFile, Sweep, Text, Watch, codec_from_fns};

use crate::leb128;
use crate::waiting::{PATIENCE, wait_for};

/// A codec that waits at 1000 until it is let through.
fn gated(gate: &Arc<AtomicBool>) -> impl Codec<i64> + use<> {
    let gate = Arc::clone(gate);
    codec_from_fns(
        "gated",
        move |value: i64, dst| {
            while value == 1000 && !gate.load(Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            leb128::encode(value, dst)
        },
        leb128::decode,
    )
}

/// Never torn: a status file that exists is complete.
fn status(path: &Path) -> Option<Value> {
    fs::read(path).ok().map(|text| serde_json::from_slice(&text).expect("a status"))
}

#[test]
fn trouble_with_the_status_file_is_told_once_and_the_sweep_goes_on() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let file = folder.join("status.json");
    let (tell, told) = channel();
    let (gate, watch) = (Arc::new(AtomicBool::new(false)), Arc::new(Watch::new()));
    let keeper = StatusFile::keep(&file, Arc::clone(&watch), move |line| {
        let _ = tell.send(line.to_owned());
    });
    let keeper = keeper.unwrap();
    thread::scope(|scope| {
        let swept = scope.spawn(|| {
            let sweep = Sweep::new().ranges([Interval { first: 0, last: 5000 }]).threads(1);
            sweep.run_watched(&gated(&gate), &watch, None)
        });
        wait_for(|| fs::remove_dir_all(&folder).ok()); // not while it is being written to
        let line = told.recv_timeout(PATIENCE).expect("it is told");
        assert!(line.contains("status.json") && line.contains("the sweep goes on"), "{line}");
        fs::create_dir(&folder).unwrap();
        wait_for(|| status(&file));
        gate.store(true, Relaxed);
        let report = swept.join().unwrap().unwrap();
        assert_eq!((report.values, report.failures), (5001, 0));
    });
    drop(keeper);
    assert_eq!(status(&file).unwrap()["state"], "complete");
    assert!(told.try_recv().is_err(), "once");
}

#[cfg(unix)]
#[test]
fn the_report_has_the_cpu_time_of_every_thread() {
    let report = Sweep::<i64>::new()
        .ranges([Interval { first: 0, last: 3_000_000 }])
        .threads(3)
        .run(&codec_from_fns("right", leb128::encode, leb128::decode))
        .unwrap();
    let (all, threads) = (report.cpu_seconds.unwrap(), &report.thread_cpu_seconds);
    assert_eq!(threads.len(), 3);
    let sum: f64 = threads.iter().sum();
    // Of the whole there is more: the boundaries of the plan, the report itself.
    assert!(sum > 0.0 && sum <= all * 1.05 + 0.05, "{threads:?} of {all}");
    let text = Text(&report).to_string();
    assert!(text.contains(" %), per thread "), "{text}");
}
