//! If several causes of exit codes apply, the program, its JSON and its JUnit report agree.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::support::{json, json_file, out, program, sweep};

/// A sweep of some values that fail, and one of all values.
const FAILING: &[&str] = &["--codec", "article2015", "--max-failures", "0"];
const SHORT: &str = "4_611_686_018_427_387_000..=4_611_686_018_427_389_000";

/// Returns the order of the exit codes that the help documents.
fn order() -> Vec<i64> {
    let help = out(&sweep(&["--help"]));
    let rule = help.lines().find(|line| line.starts_with("If several of them apply")).expect("a rule");
    let numbers = rule.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
    numbers.collect()
}

/// Runs a sweep and interrupts it if asked to. Checks its outputs, of which JUnit is read unless it
/// goes to a device. `more` are the codes whose causes a report does not have.
fn check(arguments: &[&str], is_interrupted: bool, junit: Option<&str>, more: &[i64]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, own) = (folder.path().join("report.json"), folder.path().join("junit.xml"));
    let mut command = program();
    command.args(arguments).arg("--json").arg(&report).arg("--junit");
    command.arg(junit.map_or(&*own, Path::new)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let program = command.spawn().expect("the program starts");
    #[cfg(unix)]
    if is_interrupted {
        crate::support::signals::wait_until_interrupts_are_handled(&program);
        crate::support::signals::send("-INT", &program);
    }
    let output = program.wait_with_output().expect("the program exits");
    let code = output.status.code().map(i64::from);
    let report = json_file(&report);
    let mut apply = more.to_vec();
    apply.extend((report["failures"] != "0").then_some(1));
    apply.extend((report["ending"] == "interrupted").then_some(130));
    apply.extend((report["ending"] == "time_limit").then_some(124));
    let expected = order().into_iter().find(|code| apply.contains(code)).unwrap_or(0);
    let what = format!("{arguments:?}, interrupted: {is_interrupted}, of {apply:?}: {report:#}");
    assert!(!is_interrupted || apply.contains(&130), "{what}");
    assert_eq!((code, report["exit_code"].as_i64()), (Some(expected), Some(expected)), "{what}");
    if junit.is_none() {
        let xml = fs::read_to_string(own).expect("a JUnit report");
        assert_eq!(xml.contains("<failure") || xml.contains("<error"), expected != 0, "{what}: {xml}");
        let is_slow = xml.contains("--min-rate: ");
        assert_eq!(is_slow, more.contains(&4), "{what}: {xml}");
        assert_eq!(xml.contains("the list of failures is not complete"), more.contains(&3), "{what}: {xml}");
    }
}

#[test]
fn json_and_junit_have_the_exit_code_of_the_program() {
    assert_eq!(order(), [3, 130, 1, 124, 4]);
    let mut endings = vec![(&[SHORT][..], false), (&["--time-limit", "300ms", "--exhaustive"], false)];
    if cfg!(unix) {
        endings.push((&["--exhaustive"], true));
    }
    for codec in [&[][..], FAILING] {
        for (rate, slow) in [(&[][..], &[][..]), (&["--min-rate", "2^60"], &[4])] {
            for (ending, is_interrupted) in &endings {
                check(&[codec, rate, ending].concat(), *is_interrupted, None, slow);
            }
        }
    }
    if cfg!(target_os = "linux") {
        check(&[SHORT], false, Some("/dev/full"), &[3]);
        check(&[FAILING, &["--min-rate", "2^60", SHORT]].concat(), false, Some("/dev/full"), &[3, 4]);
        check(&[FAILING, &["--failures", "/dev/full", SHORT]].concat(), false, None, &[3]);
    }
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
