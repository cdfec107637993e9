//! What a sweep writes can be read again, however many failures, ranges and classes it has, and however
//! long their texts are.

use std::fs;
use std::sync::Arc;

use every_input::replay::Replay;
use every_input::{
    Check, Checkpoint, Class, Ending, FailureList, Interval, Report, Space, Sweep, Ulps, Watch, agrees, all,
    exhaustive,
};

use crate::Folder;

/// Checks a function with all files that a sweep writes, and reads them.
fn written<S: Space>(sweep: &Sweep<S>, check: impl Check<S::Item>) -> Report {
    let folder = Folder::new();
    let list = Arc::new(FailureList::open(&folder.path("list")).unwrap());
    let watch = Watch::new().list_failures(Arc::clone(&list));
    let report = sweep.report_watched("own", &check, &watch, Some(&mut folder.checkpoint())).unwrap();
    assert_eq!(list.error(), None);
    let json = folder.path("report.json");
    fs::write(&json, serde_json::to_string_pretty(&report).unwrap()).unwrap();
    for file in [&json, &folder.path("sweep.json")] {
        assert!(fs::metadata(file).unwrap().len() < 160 << 20);
        assert_eq!(Report::read(file).as_ref(), Ok(&report));
    }
    let again = Checkpoint::open(&folder.path("sweep.json")).unwrap();
    assert_eq!(again.report(), Some(&report));
    if report.failures > 0 {
        assert_eq!(Replay::read(&json).unwrap().value_type, report.value_type);
        let replay = Replay::read(&folder.path("list")).unwrap();
        assert_eq!(replay.values.count(), report.failures.into(), "the list has all of them");
    }
    report
}

#[test]
fn a_million_failures_end_a_sweep_that_lists_ten_thousand() {
    let sweep = exhaustive(all::<i32>()).ranges([Interval { first: 0, last: 9_000_000 }]);
    let report = written(&sweep.max_failures(500_000), |value| value % 3 != 0);
    assert_eq!((report.ending, report.first_failures.len()), (Ending::Failures, 10_000));
    assert!((500_000..1 << 20).contains(&report.failures), "{}", report.failures);
    let text = report.to_string();
    assert!(text.contains("failures, of which 10,000 are listed"), "{}", &text[text.len() - 300..]);
}

#[test]
fn messages_of_a_megabyte_are_cut() {
    let sweep = exhaustive(all::<u16>()).threads(2);
    let report = written(&sweep.max_failures(100), |value| {
        assert!(value % 600 != 9, "{}", "\u{1}".repeat(1 << 20));
        true
    });
    let failures = &report.first_failures;
    assert!((1..100).contains(&failures.len()), "{}", failures.len());
    assert!(failures.iter().all(|failure| failure.got.ends_with(" more bytes)")));
}

/// Numbers with texts, and with classes of which each has a name.
#[derive(Clone)]
pub(crate) struct Texts {
    pub(crate) text: String,
    pub(crate) name: String,
    pub(crate) classes: u64,
}

impl Space for Texts {
    type Item = u64;

    fn name(&self) -> String {
        self.text.clone()
    }

    fn count(&self) -> u128 {
        100_000
    }

    fn at(&self, number: u64) -> u64 {
        number
    }

    fn show(&self, number: u64) -> String {
        format!("{}{number}", self.text)
    }

    fn classes(&self) -> Vec<Class> {
        let size = 100_000 / self.classes;
        let class = |index: u64| Class {
            name: format!("{}{index}", self.name),
            numbers: index * size..=(index + 1) * size - 1,
        };
        (0..self.classes).map(class).collect()
    }
}

#[test]
fn inputs_and_names_of_a_megabyte_are_cut() {
    let text = "\u{1}".repeat(1 << 20);
    let space = Texts { name: text.clone(), text, classes: 2 };
    let report = written(&exhaustive(space).max_failures(0), |value| value % 9000 != 8);
    assert_eq!((report.failures, report.complete), (12, true));
    assert!(report.value_type.ends_with(" more bytes)"));
}

/// A report and a checkpoint have an input for each of up to 4,096 classes.
#[test]
fn long_worst_inputs_of_thousands_of_classes_are_cut() {
    let space = Texts { text: "\u{1}".repeat(1 << 16), name: String::new(), classes: 4000 };
    let far = agrees(|value: u64| 1.0 + value as f64, |_| 1.0, Ulps(f64::MAX));
    let report = written(&exhaustive(space), far);
    assert_eq!((report.failures, report.complete, report.worst_by_class.len()), (0, true, 4000));
    assert!(report.worst_by_class.values().all(|worst| worst.value.ends_with(" more bytes)")));
}

#[test]
fn a_hundred_thousand_classes_are_read() {
    let space = Texts { text: "text".into(), name: "name".repeat(100), classes: 100_000 };
    let report = written(&exhaustive(space).max_failures(0), |value| value % 100 != 7);
    assert_eq!((report.failures, report.complete, report.by_length.len()), (1000, true, 100_000));
}

#[test]
fn more_than_a_million_ranges_are_read() {
    let range = |index: i128| Interval { first: (1 << 60) + 3 * index, last: (1 << 60) + 3 * index };
    let sweep = exhaustive(all::<i64>()).ranges((0..1_100_000).map(range));
    let report = written(&sweep.max_failures(0), |value| value % 100_000 != 3);
    let ranges = report.long_plan.as_ref().map(|long| long.ranges);
    assert_eq!((ranges, report.values, report.complete), (Some(1_100_000), 1_100_000, true));
}
