//! The list of failures has each failure once: while the sweep runs, after it was killed and resumed,
//! and if the disk is full.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use every_input::replay::Replay;
use every_input::{Ending, Failure, FailureList, Sweep, SweepError, Watch};

use crate::{Folder, exhaustive_in};

/// The functions for the list of failures in a folder.
impl Folder {
    /// Returns a watch that writes the list.
    pub(crate) fn watch(&self) -> Watch {
        Watch::new().list_failures(Arc::new(FailureList::open(&self.path("list")).unwrap()))
    }

    pub(crate) fn lines(&self) -> Vec<Failure> {
        let lines = fs::read_to_string(self.path("list")).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the first and last value of each line, in order.
    pub(crate) fn values(&self) -> Vec<[i64; 2]> {
        let value = |text: &str| text.parse().unwrap();
        let ends = |line: &Failure| {
            let first = value(&line.value);
            [first, line.last.as_deref().map_or(first, value)]
        };
        let mut values: Vec<_> = self.lines().iter().map(ends).collect();
        values.sort_unstable();
        values
    }
}

/// The failures of the sweeps below: single values, ranges across units, and edge cases.
pub(crate) fn passes(value: i64) -> bool {
    value % 100_003 != 5 && !(300_000..900_000).contains(&value) && value != 1 << 20
}

/// What the list of [`passes`] on 0..=5,000,000 has.
pub(crate) fn expected() -> Vec<[i64; 2]> {
    let single = |value: &i64| !passes(*value) && !(300_000..900_000).contains(value);
    let mut expected: Vec<_> = (0..=5_000_000).filter(single).map(|value| [value, value]).collect();
    expected.push([300_000, 899_999]);
    expected.sort_unstable();
    expected
}

pub(crate) fn sweep() -> Sweep<every_input::Scalars<i64>> {
    exhaustive_in(0..=5_000_000).max_failures(0)
}

#[test]
fn each_failure_is_listed_once_and_ranges_are_joined_and_replayed() {
    for threads in [1, 3] {
        let list = Folder::new();
        let report = sweep().threads(threads).report_watched("test", &passes, &list.watch(), None).unwrap();
        assert_eq!(list.values(), expected());
        let replay = Replay::read(&list.path("list")).unwrap();
        assert_eq!(replay.values.count(), report.failures.into());
    }
}

/// The edge cases are found with their neighbours too, and a range in several parts.
#[test]
fn a_list_of_40_mib_is_sorted_and_joined() {
    let list = Folder::new();
    let passes = |value: i64| match value {
        600_000..700_000 => Err("a range".to_owned()),
        _ if value % 3 == 0 && value < 60_000 => {
            Err(value.to_string().repeat(2000 / value.to_string().len()))
        }
        _ => Ok(()),
    };
    let sweep = exhaustive_in::<i64>(0..=800_000).max_failures(0).threads(2);
    let report = sweep.report_watched("test", &passes, &list.watch(), None).unwrap();
    assert!(fs::metadata(list.path("list")).unwrap().len() > 40 << 20);
    let lines = list.lines();
    let first = |line: &Failure| line.value.parse::<i64>().unwrap();
    let expected = (0..60_000).step_by(3).chain([600_000]);
    assert!(lines.iter().map(first).eq(expected), "each once, and sorted");
    assert_eq!(lines.iter().map(Failure::inputs).sum::<u64>(), report.failures);
    assert_eq!(fs::read_dir(list.path(".")).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn a_failure_is_in_the_file_while_the_sweep_runs() {
    let list = Folder::new();
    let (path, is_seen) = (list.path("list"), AtomicBool::new(false));
    let check = |value: i64| {
        if value == 1_000_000 {
            let content = fs::read_to_string(&path).unwrap();
            let is_listed = content.lines().any(|line| line.contains("\"value\":\"600000\""));
            is_seen.store(is_listed && content.ends_with('\n'), Relaxed);
        }
        value != 600_000
    };
    let sweep = sweep().threads(1);
    sweep.report_watched("test", &check, &list.watch(), None).unwrap();
    assert!(is_seen.into_inner());
}

/// Files are copied while the sweep runs, as they are after a kill: the checkpoint first, so that the
/// list has failures that the checkpoint does not count.
#[test]
fn a_killed_sweep_continues_its_list_without_a_gap_or_a_duplicate() {
    for stop_at in [1_100_000, 2_500_000, 4_600_000] {
        let (list, killed) = (Folder::new(), Folder::new());
        let open = |list: &Folder| list.checkpoint().save_every(Duration::from_millis(1));
        let copy_after_a_while = |name| {
            thread::sleep(Duration::from_millis(50));
            fs::copy(list.path(name), killed.path(name)).unwrap();
        };
        let check = |value: i64| {
            match value {
                _ if value == stop_at => copy_after_a_while("sweep.json"),
                _ if value == stop_at + 350_000 => copy_after_a_while("list"),
                _ => {}
            }
            passes(value)
        };
        let sweep = sweep().threads(1);
        sweep.report_watched("test", &check, &list.watch(), Some(&mut open(&list))).unwrap();
        assert_eq!(list.values(), expected());
        // The write of the last line may be cut.
        let content = fs::read(killed.path("list")).unwrap();
        fs::write(killed.path("list"), &content[..content.len() - 3]).unwrap();
        sweep.report_watched("test", &passes, &killed.watch(), Some(&mut open(&killed))).unwrap();
        assert_eq!(killed.values(), expected(), "{stop_at}");
        // A sweep that is complete leaves the list as it is.
        sweep.report_watched("test", &passes, &killed.watch(), Some(&mut open(&killed))).unwrap();
        assert_eq!(killed.values(), expected());
    }
}

#[test]
fn the_list_of_another_sweep_is_not_continued() {
    let list = Folder::new();
    let watch = list.watch();
    let stopping = |value: i64| {
        if value == 3_000_000 {
            watch.stop();
        }
        passes(value)
    };
    let report =
        sweep().threads(1).report_watched("one", &stopping, &watch, Some(&mut list.checkpoint())).unwrap();
    assert_eq!(report.ending, Ending::Interrupted);
    let content = fs::read_to_string(list.path("list")).unwrap();
    fs::write(list.path("list"), content.replace("\"codec\":\"one\"", "\"codec\":\"two\"")).unwrap();
    let resumed = sweep().report_watched("one", &passes, &list.watch(), Some(&mut list.checkpoint()));
    let Err(SweepError::File(error)) = resumed else { panic!("{resumed:?}") };
    assert!(error.problem.contains("has failures of several codecs, one and two"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_ends_the_sweep() {
    let list = Arc::new(FailureList::open("/dev/full".as_ref()).unwrap());
    let watch = Watch::new().list_failures(Arc::clone(&list));
    let fails = |value: i64| value % 2 == 0;
    let report = sweep().threads(1).report_watched("test", &fails, &watch, None).unwrap();
    assert_eq!(report.ending, Ending::Interrupted);
    assert!(list.error().unwrap().to_string().contains("free some space"));
}
