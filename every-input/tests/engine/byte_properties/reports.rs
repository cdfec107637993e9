//! The property `reports`: a report or a checkpoint is consistent and can be displayed, merged and
//! resumed, or it is refused.

use std::fs;
use std::time::Duration;

use every_input::merge::merge_reports;
use every_input::{
    Checkpoint, Interval, Mode, Report, Scalars, Shard, Space, Sweep, Watch, all, codec_from_fns,
};
use serde_json::Value;
use twox_hash::XxHash64;

use super::sets::{count, difference, union};
use crate::leb128;
use crate::property::Property;

pub const PROPERTY: Property = Property { name: "reports", check, examples };

#[test]
fn any_bytes_are_a_consistent_report_or_refused() {
    crate::property::random::check(PROPERTY);
}

/// Checks a file, several files with zeros between them, or the content of a checkpoint, to which a
/// checksum is added. The first byte chooses which.
fn check(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    match choice % 4 {
        0 => read(bytes),
        1 => merge(bytes),
        _ => read(&sealed(bytes)),
    }
}

fn read(content: &[u8]) {
    match Report::parse("0", content) {
        Ok(report) => check_report(&report),
        Err(error) => printable(&error.to_string()),
    }
    checkpoint(content);
}

/// Checks that the counts of a report match the values that it covers, and that writing and reading
/// it does not change it.
fn check_report(report: &Report) {
    let drawn: u128 = report.strata.iter().map(|stratum| u128::from(stratum.sampled)).sum();
    match &report.long_plan {
        Some(long) => assert_eq!(report.values, count(&long.covered)),
        None => {
            assert_eq!(report.values, count(&report.covered) + drawn);
            assert_eq!(difference(&report.covered, &report.plan), []);
        }
    }
    assert_eq!(union(report.covered.iter().copied()), report.covered);
    printable(&report.to_string());
    let written = serde_json::to_vec(report).expect("a report is written");
    assert_eq!(Report::parse("0", &written).as_ref(), Ok(report), "read, written and read again");
}

/// Checks that the union of any files is a valid report, and that it covers only values that some
/// file covers.
fn merge(bytes: &[u8]) {
    let files: Vec<_> = bytes.split(|&byte| byte == 0).map(|file| Report::parse("0", file)).collect();
    let named = (0..).zip(&files).map(|(number, file): (u32, _)| (number.to_string(), file.clone()));
    let merged = merge_reports(named);
    for finding in &merged.findings {
        printable(&finding.to_string());
    }
    let Some(report) = merged.report else {
        return assert!(files.iter().all(Result::is_err), "readable reports without a union");
    };
    check_report(&report);
    let all = union(files.iter().flatten().flat_map(|report| report.covered.iter().copied()));
    assert_eq!(difference(&report.covered, &all), []);
}

/// Checks that a sweep of a known type resumes from a file with this content, or refuses it.
fn checkpoint(content: &[u8]) {
    // Others are refused as by `Report::parse`, and files take time.
    if !serde_json::from_slice::<Value>(content).is_ok_and(|json| json.get("content").is_some()) {
        return;
    }
    // In memory if possible, because checkpoints wait for the disk.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder");
    let path = folder.path().join("checkpoint");
    fs::write(&path, content).expect("a file");
    let checkpoint = match Checkpoint::open(&path) {
        Ok(checkpoint) => checkpoint,
        Err(error) => return printable(&error.to_string()),
    };
    match checkpoint.report().map(|report| &*report.value_type) {
        Some("i64") => resume(all::<i64>(), checkpoint),
        Some("u64") => resume(all::<u64>(), checkpoint),
        Some("i8") => resume(all::<i8>(), checkpoint),
        Some("f32") => resume(all::<f32>(), checkpoint),
        Some("char") => resume(all::<char>(), checkpoint),
        _ => {}
    }
}

/// Checks that a resumed sweep, in which all further values fail, ends with a consistent report.
fn resume(space: impl Space, mut checkpoint: Checkpoint) {
    let Some(before) = checkpoint.report().filter(|report| !report.complete).cloned() else { return };
    let sweep = Sweep::of(space).ranges(before.plan.iter().copied()).budget(Duration::ZERO);
    let sweep = sweep.threads(1).max_failures(1).seed(before.seed.unwrap_or_default());
    let sweep = match before.mode {
        Mode::Exhaustive => sweep.exhaustive(),
        Mode::Sample => sweep.sample(before.draws),
    };
    let shard = before.shard.map_or(Ok(Shard::WHOLE), |shard| shard.parse());
    let Ok(sweep) = shard.map(|shard| sweep.shard(shard)) else { return };
    let watch = Watch::for_program(before.program);
    match sweep.report_watched(&before.codec, &|_| false, &watch, Some(&mut checkpoint)) {
        Ok(after) => {
            check_report(&after);
            assert!(after.complete || after.failures > 0, "a value failed after the checkpoint");
        }
        Err(error) => printable(&error.to_string()),
    }
}

/// Returns a checkpoint file with this content and a correct checksum.
pub fn sealed(content: &[u8]) -> Vec<u8> {
    let sum = format!("{:016x}", XxHash64::oneshot(0, content));
    [format!("{{\"checkpoint\":4,\"xxhash64\":\"{sum}\",\"content\":").as_bytes(), content, b"}"].concat()
}

/// Checks that a text has no control characters, which could change the state of a terminal.
fn printable(text: &str) {
    let odd = text.chars().find(|&char| char.is_control() && char != '\n');
    assert_eq!(odd, None, "in {text:?}");
}

fn examples() -> Vec<Vec<u8>> {
    let sweep = |first, last| Sweep::of(all::<i64>()).threads(1).ranges([Interval { first, last }]);
    let whole = run(sweep(-300, 5000).exhaustive());
    let shards = [1, 2].map(|k| run(sweep(0, 600_000).exhaustive().shard(Shard::new(k, 2).expect("K of 2"))));
    let sample = run(sweep(1 << 34, 1 << 40).sample(Some(1000)).seed(1));
    let failed = run(sweep(FAULT - 2, FAULT + 2).exhaustive());
    let reports = [&whole, &shards[0], &shards[1], &sample, &failed].map(json);
    let mut examples: Vec<_> = reports.iter().map(|report| [&[0], &report[..]].concat()).collect();
    for pair in [[1, 2], [1, 1], [0, 3], [4, 1]] {
        examples.push([&[1], &pair.map(|n| &reports[n][..]).join(&0)[..]].concat());
    }
    for (report, failures) in [(&whole, 0), (&shards[0], 3), (&sample, u64::MAX), (&failed, 1)] {
        let mut unfinished = report.clone();
        unfinished.complete = false;
        examples.push([&[2], &saved(&unfinished, failures)[..]].concat());
    }
    examples.push([&[0], &sealed(&examples[9][1..])[..]].concat());
    // Reports of a space without a name that is known have its classes and edges.
    let pairs = Sweep::of((all::<i8>(), 0..=3u8)).exhaustive().threads(1);
    let own = pairs.report("own", &|pair: (i8, u8)| pair != (64, 0));
    let own = json(&without_times(own.expect("a thread")));
    examples.push([&[0], &own[..]].concat());
    examples.push([&[1], &own[..], &[0], &own[..]].concat());
    // More ranges than a report lists.
    let alone = (0..70_000).map(|number| Interval { first: 2 * number - 60_000, last: 2 * number - 60_000 });
    let long = Sweep::of(all::<i64>()).threads(1).ranges(alone).exhaustive();
    let long = [1, 2].map(|k| json(&run(long.clone().shard(Shard::new(k, 2).expect("K of 2")))));
    examples.push([&[0], &long[0][..]].concat());
    examples.push([&[1], &long[0][..], &[0], &long[1][..]].concat());
    let failed_once = FAILED_ONCE.map(|(example, from, to)| changed(&examples[example], from, to));
    examples.extend(failed_once);
    examples
}

/// Changes of examples that once caused a panic, or control characters in a text.
const FAILED_ONCE: [(usize, &str, &str); 8] = [
    (0, r#""codec":"example""#, r#""codec":"\u001b[2J""#),
    (3, r#""sampled":""#, r#""sampled":"18446744073709551"#),
    (5, r#""codec":"example""#, r#""codec":"\u001b[2J""#),
    (5, r#"{"format":2,"#, r#"{"format":2,"merged":18446744073709551615,"#),
    (9, r#""values":""#, r#""values":"\u001b[2J"#),
    (9, r#""failures":"0","failed_edges""#, r#""failures":"18446744073709551615","failed_edges""#),
    (10, r#""shard":"1/2""#, r#""shard":"\u001b/2""#),
    (11, r#""finished":[["0","0"]]"#, r#""finished":[["0","18446744073709551614"]]"#),
];

/// Replaces the first occurrence of a text in an example.
fn changed(example: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = std::str::from_utf8(example).expect("JSON");
    assert!(text.contains(from), "no {from} in {text}");
    text.replacen(from, to, 1).into_bytes()
}

/// The value that the codec of the examples gets wrong.
const FAULT: i128 = 70_000;

/// Runs a sweep and returns its report with fixed times, so that it is the same every time.
fn run(sweep: Sweep<Scalars<i64>>) -> Report {
    let decode = |src: &[u8]| {
        let (value, len) = leb128::decode::<i64>(src)?;
        Ok((if i128::from(value) == FAULT { 0 } else { value }, len))
    };
    without_times(sweep.run(&codec_from_fns("example", leb128::encode, decode)).expect("a thread"))
}

/// Returns a report with fixed times.
fn without_times(mut report: Report) -> Report {
    (report.seconds, report.cpu_seconds, report.values_per_second) = (1.0, Some(1.0), report.values as f64);
    report.cpus = Some(1);
    report.exhaustive_seconds = report.exhaustive_seconds.map(|_| 2.0);
    report
}

fn json(report: &Report) -> Vec<u8> {
    serde_json::to_vec(report).expect("a report is written")
}

/// Returns the content of a checkpoint.
fn saved(report: &Report, failures: u64) -> Vec<u8> {
    let state = format!(
        "{{\"finished\":[[\"0\",\"0\"]],\"failures\":\"{failures}\",\"failed_edges\":[],\"listed\":{{}}}}"
    );
    [&b"{\"report\":"[..], &json(report), b",\"state\":", state.as_bytes(), b"}"].concat()
}
