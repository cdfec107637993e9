//! `sweep` with several codecs: each one is swept in turn, and a table shows their speed.

#[cfg(unix)]
use std::process::Stdio;

use serde_json::{Value, json as value};

#[cfg(unix)]
use crate::exec::child;
#[cfg(unix)]
use crate::support::signals;
use crate::support::{assert_refused, document, json, listed, out, program, sweep};

/// The properties of a report that do not depend on time.
const RESULTS: [&str; 9] =
    ["codec", "type", "mode", "seed", "plan", "covered", "values", "by_length", "failures"];

fn reports(all: &Value) -> &Vec<Value> {
    all.as_array().expect("a report for each codec")
}

#[test]
fn each_codec_has_the_result_of_a_sweep_alone() {
    for plan in [
        &["MIN..=-9_223_372_036_854_775_000"][..],
        &["--sample", "50000"],
        &["--sample", "9000", "--seed", "5"],
    ] {
        let arguments = [plan, &["--max-failures", "0"]].concat();
        let (all, code) = json(&[&arguments[..], &["--codec", "single", "--codec", "article2015"]].concat());
        assert_eq!(code, Some(1));
        // All samples have the seed that was drawn for the first.
        let seed = reports(&all)[0]["seed"].as_str();
        let seed = seed.filter(|_| !plan.contains(&"--seed"));
        let seed = seed.map(|seed| vec!["--seed", seed]).unwrap_or_default();
        for (report, codec) in reports(&all).iter().zip(["single", "article2015"]) {
            let (alone, _) = json(&[&arguments[..], &seed, &["--codec", codec]].concat());
            for field in RESULTS {
                assert_eq!(report[field], alone[field], "{field} of {codec} on {plan:?}");
            }
        }
    }
}

#[test]
fn a_codec_that_fails_does_not_stop_the_others_and_has_no_rate() {
    let codecs = ["article2015", "single", "io"];
    let output =
        sweep(&[&codecs.map(|codec| ["--codec", codec]).concat()[..], &["--sample", "90000"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let text = out(&output);
    let rows: Vec<Vec<_>> = text.lines().rev().take(3).map(|row| row.split_whitespace().collect()).collect();
    let [io, single, article] = &rows[..] else { panic!("{text}") };
    assert_eq!(article[..3], ["article2015", "-", "-"], "{text}");
    let number = |cell: &str| cell.replace(',', "").parse::<f64>().expect("a number");
    let [io, single] = [io, single].map(|row| (number(row[1]), number(row[2])));
    let fastest = io.0.max(single.0);
    for (rate, relative) in [io, single] {
        assert!((relative * rate / fastest - 1.0).abs() < 0.02, "{text}");
    }
}

#[test]
fn each_kernel_is_swept() {
    let kernels = listed("kernels");
    let mut arguments = vec!["--codec", "bulk", "--codec", "single", "0..=3000"];
    kernels.iter().for_each(|kernel| arguments.extend(["--kernel", kernel]));
    let (all, code) = json(&arguments);
    assert_eq!(code, Some(0));
    let name = |report: &Value| (report["codec"].clone(), report["kernel"].clone());
    let expected: Vec<_> = kernels.iter().map(|kernel| (value!("bulk"), value!(kernel))).collect();
    let expected = [expected, vec![(value!("single"), Value::Null)]].concat();
    assert_eq!(reports(&all).iter().map(name).collect::<Vec<_>>(), expected);
}

#[cfg(unix)]
#[test]
fn built_in_codecs_and_commands_are_swept() {
    let (right, wrong) = (child::command("right", 0), child::command("is-wrong", 300));
    let arguments =
        ["--exec", &right, "--codec", "bulk", "--exec", &wrong, "1..=5000", "--max-failures", "0"];
    let (all, code) = json(&arguments);
    assert_eq!(code, Some(1));
    let results = reports(&all).iter().map(|report| (&report["codec"], &report["failures"]));
    let expected = [value!("bulk"), value!(format!("exec: {right}")), value!(format!("exec: {wrong}"))];
    assert!(results.eq(expected.iter().zip([&value!("0"), &value!("0"), &value!("1")])), "{all:#}");
}

#[test]
fn a_checkpoint_and_kernels_of_no_codec_are_refused() {
    let codecs = ["--codec", "io", "--codec", "single"];
    assert_refused(&[&codecs[..], &["--checkpoint", "file"]].concat(), 2, &["not available with several"]);
    assert_refused(&[&codecs[..], &["--kernel", "scalar"]].concat(), 2, &["(codecs: io, single)"]);
}

#[test]
fn codecs_share_the_time_limit() {
    let arguments = ["--codec", "bulk", "--codec", "io", "--exhaustive", "--time-limit", "2"];
    let (all, code) = json(&arguments);
    assert_eq!(code, Some(124));
    for report in reports(&all) {
        assert_eq!(report["ending"], "time_limit");
        assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds >= 1.0), "{report:#}");
        assert_ne!(report["values"], "0", "{report:#}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_sweeps_of_all_codecs() {
    let program = program()
        .args(["--codec", "bulk", "--codec", "single", "--exhaustive", "--json", "-", "--quiet"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    signals::wait_until_interrupts_are_handled(&program);
    signals::send("-INT", &program);
    let output = program.wait_with_output().expect("the program exits");
    assert_eq!(output.status.code(), Some(130));
    let all = document(&output.stdout);
    assert_eq!(reports(&all).len(), 2);
    assert!(reports(&all).iter().all(|report| report["ending"] == "interrupted"));
}
