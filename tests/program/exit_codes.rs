//! If several causes of exit codes apply, the program, its JSON and its JUnit report agree.

use std::fs;

#[cfg(unix)]
use serde_json::json as value;

use crate::support::{err, in_folder, json, json_file, out, sweep};

/// A sweep of some values that fail, and one of values of which some fail.
const FAILING: [&str; 4] = ["--codec", "article2015", "--max-failures", "0"];
const SHORT: &str = "4_611_686_018_427_387_000..=4_611_686_018_427_389_000";

#[test]
fn json_and_junit_have_the_exit_code_of_the_program() {
    let help = out(&sweep(&["--help"]));
    let order = "If several of them apply, the first of 3, 130, 1, 124 and 4 is returned.";
    assert!(help.contains(order), "{help}");
    let path = in_folder();
    let (report, junit) = (path("report.json"), path("junit.xml"));
    let slow = ["--min-rate", "2^60"];
    let mut cases = vec![
        (vec![SHORT], &*junit, 0, ""),
        (vec!["--time-limit", "1h", "--exhaustive", "--min-rate", "1", "0..=9"], &junit, 0, ""),
        ([&slow[..], &[SHORT]].concat(), &junit, 4, " values/s is less than 1152921504606846976"),
        ([&FAILING[..], &slow, &[SHORT]].concat(), &junit, 1, "--min-rate: "),
        ([&slow[..], &["--time-limit", "1s", "--exhaustive"]].concat(), &junit, 124, "time limit"),
        ([&FAILING[..], &["--time-limit", "1s", "--exhaustive"]].concat(), &junit, 1, "<failure"),
    ];
    if cfg!(target_os = "linux") {
        cases.push((vec![SHORT], "/dev/full", 3, ""));
        let listed = [&FAILING[..], &["--failures", "/dev/full", SHORT]].concat();
        cases.push((listed, &junit, 3, "the list of failures is not complete"));
    }
    for (arguments, junit, expected, words) in cases {
        let output = sweep(&[&arguments[..], &["--json", &report, "--junit", junit]].concat());
        let code = output.status.code();
        let in_report = json_file(&report)["exit_code"].as_i64();
        assert_eq!((code, in_report), (Some(expected), Some(expected.into())), "{arguments:?}");
        if expected == 4 {
            assert!(err(&output).contains("error: --min-rate: "), "{}", err(&output));
        }
        assert_eq!(out(&output).contains("INCOMPLETE: no failure"), expected == 124, "{}", out(&output));
        if junit != "/dev/full" {
            let xml = fs::read_to_string(junit).expect("a JUnit report");
            let has_problem = xml.contains("<failure") || xml.contains("<error");
            assert_eq!((has_problem, xml.contains(words)), (expected != 0, true), "{arguments:?}: {xml}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_crashes_too_often_ends_the_sweep_with_a_code_that_is_not_that_of_an_interruption() {
    let command = crate::exec::child::command("always-exits", 0);
    let arguments = ["--exec", &command, "--max-failures", "1000", "70_000..=90_000"];
    let (report, code) = json(&arguments);
    assert_eq!((code, &report["exit_code"], &report["ending"]), (Some(1), &value!(1), &value!("breakdown")));
    assert_eq!(report["limit"], value!({ "of": "crashes", "number": 100 }));
    let help = out(&sweep(&["--help"]));
    assert!(help.contains("1  failures found, or the program of --exec crashed or hung too often"), "{help}");
}

#[test]
fn each_of_several_codecs_has_its_exit_code_and_the_program_returns_the_first() {
    let codes = |rate: &str| {
        let (reports, code) = json(&["--codec", "bulk", "--codec", "article2015", "--min-rate", rate, SHORT]);
        let codes =
            reports.as_array().expect("two reports").iter().map(|report| report["exit_code"].as_i64());
        (codes.collect::<Vec<_>>(), code)
    };
    assert_eq!(codes("1"), (vec![Some(0), Some(1)], Some(1)));
    assert_eq!(codes("2^60"), (vec![Some(4), Some(1)], Some(1)));
}
