//! Watching a sweep: the status file.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use every_input::{StatusFile, Watch};
use serde_json::Value;

use crate::exhaustive_in;
use crate::waiting::{PATIENCE, wait_for};

/// Reads the status, if the file exists. It must be complete.
fn status(path: &Path) -> Option<Value> {
    fs::read(path).ok().map(|text| serde_json::from_slice(&text).expect("a status"))
}

#[test]
fn a_status_file_that_cannot_be_written_is_reported_once_and_the_sweep_continues() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("folder");
    fs::create_dir(&folder).unwrap();
    let file = folder.join("status.json");
    let (sender, messages) = channel();
    let (gate, watch) = (AtomicBool::new(false), Arc::new(Watch::new()));
    let keeper = StatusFile::keep(&file, Arc::clone(&watch), move |line| {
        let _ = sender.send(line.to_string());
    });
    let keeper = keeper.unwrap();
    thread::scope(|scope| {
        let swept = scope.spawn(|| {
            let sweep = exhaustive_in(0..=5000).threads(1);
            let check = |value: i64| {
                while value == 1000 && !gate.load(Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
                true
            };
            sweep.report_watched("gated", &check, &watch, None)
        });
        wait_for(|| fs::remove_dir_all(&folder).ok()); // fails while a file is being written to it
        let line = messages.recv_timeout(PATIENCE).expect("a message");
        assert!(line.contains("status.json") && line.contains("the sweep continues"), "{line}");
        fs::create_dir(&folder).unwrap();
        wait_for(|| status(&file));
        gate.store(true, Relaxed);
        let report = swept.join().unwrap().unwrap();
        assert_eq!((report.values, report.failures), (5001, 0));
    });
    drop(keeper);
    assert_eq!(status(&file).unwrap()["report"]["ending"], "complete");
    assert!(messages.try_recv().is_err(), "a single message");
}
