//! `sweep merge`: exit codes, and bounded memory for reports of any content.

#[cfg(target_os = "linux")]
use std::fs;

#[cfg(target_os = "linux")]
use every_input::Report;

use crate::support::{err, in_folder, out, sweep};
#[cfg(target_os = "linux")]
use crate::support::{json, program_in_limited_memory};

#[test]
fn only_a_complete_merge_without_failures_exits_with_0() {
    let path = in_folder();
    let files = ["1/2", "2/2"].map(|shard| {
        let file = path(&shard.replace('/', "-"));
        sweep(&["--exhaustive", "0..=5_000_000", "--shard", shard, "--json", &file]);
        file
    });
    let [one, two] = files.each_ref().map(String::as_str);
    let failed = "\nFAILED: 1 problem with the reports; no failure in 5,000,001 values";
    for (files, code, words, problems) in [
        (&[one, two][..], 0, "5,000,001 values, which is all of them\n", &[][..]),
        (&[one, two], 0, " from 2 reports", &[]),
        (&[two], 1, "\nINCOMPLETE: no failure in 2,", &["gap: no report covers 0..=2", "shard 1/2"]),
        (&[two, "/no/such/report"], 3, "\nFAILED: 3 problems with the reports; no failure in 2,", &["gap"]),
        (&[one, two, "/no/such/report"], 3, failed, &["/no/such/report"]),
        (&[one, two, two], 1, failed, &["duplicate"]),
        (&["/no/such/report"], 3, "FAILED: ", &["/no/such/report"]),
    ] {
        let output = sweep(&[&["merge"], files].concat());
        let (out, err) = (out(&output), err(&output));
        assert_eq!((output.status.code(), err.is_empty()), (Some(code), code == 0), "{files:?}: {err}");
        assert!(out.contains(words) && problems.iter().all(|words| err.contains(words)), "{out}{err}");
    }
    let none = "FAILED: 1 problem with the reports, none of which could be merged\n";
    assert_eq!(out(&sweep(&["merge", "/no/such/report"])), none);
}

/// Runs the merge in half a GiB of address space. Each case is a content and a part of the message.
#[cfg(target_os = "linux")]
#[test]
fn reports_of_any_content_take_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (report, _) = json(&["0..=999"]);
    let report = Report::parse("report", report.to_string().as_bytes()).unwrap();
    let report = serde_json::to_string(&report).unwrap(); // with the fields in order
    let with = |field: &str, value: String| format!("{{\"{field}\":{value},{}", &report[1..]);
    let instead = |from: &str, to: String| {
        assert!(report.contains(from), "{from}");
        report.replacen(from, &to, 1)
    };
    let many = |what: &str, bytes: usize| {
        let mut items = format!("{what},").repeat(bytes / (what.len() + 1));
        items.pop();
        items
    };
    const LARGE: usize = 180 << 20;
    let check = |content: String, words: &str| {
        let path = folder.path().join("report.json");
        fs::write(&path, content).unwrap();
        let output = program_in_limited_memory().arg("merge").arg(&path).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{:?}: {message}", output.status);
        assert!(message.contains(words) && message.len() < 1000, "no {words:?} in {message:?}");
    };
    // One after another, because each takes memory.
    check("{".to_owned() + &" ".repeat(193 << 20), "too large");
    check(with("checkpoint", format!("[{}]", many("1", LARGE))), "not a checkpoint");
    check(with("checkpoint", "[".repeat(LARGE)), "not a report of this program");
    check(with("more", format!("[{}]", many("{}", LARGE))), "");
    check(instead("\"shard\":null", format!("\"shard\":\"{}/9\"", many("1", LARGE))), "invalid shard '1,1");
    check(instead("\"type\":\"i64\"", format!("\"type\":\"{}\"", "i".repeat(LARGE))), "unknown type 'iii");
    let plan = |bytes| instead("[[\"0\",\"999\"]]", format!("[{}]", many("[\"1\",\"1\"]", bytes)));
    check(plan(LARGE), "expected a list of at most 1048576 items");
    check(plan(10 << 20), "its plan is not a set of i64 values");
    check(with("errors", format!("[{}]", many("\"\"", LARGE))), "expected a list of at most 1048576 items");
}
