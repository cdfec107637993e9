//! `sweep` with several codecs: all check the same values, and the outputs have one row for each.

use std::fs;
#[cfg(unix)]
use std::process::Stdio;

use serde_json::{Value, json as value};

#[cfg(unix)]
use crate::exec::child;
#[cfg(unix)]
use crate::support::signals;
use crate::support::{json, listed, program};

/// The properties of a report that do not depend on time.
const RESULTS: [&str; 13] = [
    "type",
    "mode",
    "seed",
    "draws",
    "repeat",
    "shard",
    "complete",
    "ending",
    "plan",
    "covered",
    "values",
    "by_length",
    "failures",
];

fn codecs(report: &Value) -> &Vec<Value> {
    report["codecs"].as_array().expect("codecs")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Each codec of a comparison has the report of a sweep with this codec alone: for a small plan, for
/// a plan that is divided among the rounds, and for a sample.
#[test]
fn each_codec_has_the_result_of_a_sweep_alone() {
    for (plan, each_round) in [
        (&["MIN..=-9_223_372_036_854_775_000"][..], "plan"),
        (
            &["--exhaustive", "--threads", "1", "4_611_686_018_426_387_904..=4_611_686_018_427_388_904"],
            "shard",
        ),
        (&["--sample", "50000", "--threads", "1"], "shard"),
    ] {
        let arguments = [plan, &["--max-failures", "0"]].concat();
        let chosen = ["--codec", "single", "--codec", "article2015"];
        let (report, code) = json(&[&arguments[..], &chosen].concat());
        assert_eq!((code, &report["failing_codecs"]), (Some(1), &value!(1)));
        assert_eq!(
            (&report["each_round"], &report["complete"]),
            (&each_round.into(), &true.into()),
            "{plan:?}"
        );
        // All codecs of a sample have the seed that was drawn for the first.
        let seed = codecs(&report)[0]["report"]["seed"].as_str();
        let seed = seed.map(|seed| vec!["--seed", seed]).unwrap_or_default();
        for (compared, codec) in codecs(&report).iter().zip(["single", "article2015"]) {
            let (alone, _) = json(&[&arguments[..], &seed, &["--codec", codec]].concat());
            for field in RESULTS {
                assert_eq!(compared["report"][field], alone[field], "{field} of {codec} on {plan:?}");
            }
            assert_eq!(
                (&compared["report"]["codec"], compared["speed"].is_null()),
                (&codec.into(), codec != "single")
            );
        }
        let fails = |compared: &Value| compared["report"]["first_failures"] != value!([]);
        assert_eq!(codecs(&report).iter().map(fails).collect::<Vec<_>>(), [false, true]);
    }
}

#[test]
fn the_speed_is_measured_in_every_round() {
    let arguments = ["--codec", "bulk", "--codec", "io", "--codec", "single", "--budget", "1s"];
    let (report, code) = json(&[&arguments[..], &["0..=300_000"]].concat());
    assert_eq!((code, &report["failing_codecs"]), (Some(0), &value!(0)));
    let rounds = report["rounds"].as_u64().expect("a number") as usize;
    let mut least = f64::MAX;
    for compared in codecs(&report) {
        let speed = &compared["speed"];
        let mut rates: Vec<f64> =
            speed["values_per_second"].as_array().expect("rates").iter().map(number).collect();
        assert_eq!(rates.len(), rounds);
        rates.sort_by(f64::total_cmp);
        assert_eq!(number(&speed["min_values_per_second"]), rates[0]);
        assert_eq!(number(&speed["max_values_per_second"]), rates[rounds - 1]);
        let median = number(&speed["median_values_per_second"]);
        assert!(rates[0] <= median && median <= rates[rounds - 1]);
        let fastest = codecs(&report).iter().map(|other| number(&other["speed"]["median_values_per_second"]));
        let expected = fastest.fold(0.0, f64::max) / median;
        assert!((number(&speed["relative_time"]) / expected - 1.0).abs() < 1e-9);
        least = least.min(number(&speed["relative_time"]));
    }
    assert_eq!(least, 1.0);
}

#[test]
fn a_codec_that_fails_does_not_stop_the_others() {
    let (report, code) = json(&["--codec", "article2015", "--codec", "bulk", "--sample", "1000000"]);
    assert_eq!((code, &report["complete"]), (Some(1), &false.into()));
    let [faulty, correct] = &codecs(&report)[..] else { panic!("two codecs") };
    assert_eq!((&faulty["report"]["ending"], &faulty["speed"]), (&"failures".into(), &Value::Null));
    assert_ne!(faulty["report"]["first_failures"], value!([]));
    assert_eq!(
        (&correct["report"]["ending"], &correct["report"]["failures"]),
        (&"complete".into(), &"0".into())
    );
    assert!(number(&correct["speed"]["relative_time"]) == 1.0);
}

#[test]
fn kernels_are_compared() {
    let kernels = listed("kernels");
    let mut arguments = vec!["--codec", "bulk", "--codec", "single", "0..=3000"];
    kernels.iter().for_each(|kernel| arguments.extend(["--kernel", kernel]));
    let (report, code) = json(&arguments);
    assert_eq!(code, Some(0));
    let name = |compared: &Value| (compared["report"]["codec"].clone(), compared["report"]["kernel"].clone());
    let expected: Vec<_> = kernels.iter().map(|kernel| (value!("bulk"), value!(kernel))).collect();
    let expected = [expected, vec![(value!("single"), Value::Null)]].concat();
    assert_eq!(codecs(&report).iter().map(name).collect::<Vec<_>>(), expected);
}

#[test]
fn the_table_is_printed() {
    let output = program()
        .args(["--codec", "single", "--codec", "article2015", "--max-failures", "3"])
        .args(["MIN..=-9_223_372_036_854_775_000", "--no-progress"])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout);
    for words in [
        "comparison of 2 codecs on i64",
        "codec  ",
        "relative time",
        "values for each codec: all 809\n",
        "article2015: ",
        "  -9223372036854775808: decode panicked",
        "use --max-failures 0 to count them all",
        "FAILED: 1 of 2 codecs",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
}

#[cfg(unix)]
#[test]
fn built_in_codecs_and_commands_are_compared() {
    let (right, wrong) = (child::command("right", 0), child::command("is-wrong", 300));
    let arguments =
        ["--exec", &right, "--codec", "bulk", "--exec", &wrong, "1..=5000", "--max-failures", "0"];
    let (report, code) = json(&arguments);
    assert_eq!(code, Some(1));
    let results = codecs(&report)
        .iter()
        .map(|compared| (&compared["report"]["codec"], &compared["report"]["failures"]));
    let expected = [value!("bulk"), value!(format!("exec: {right}")), value!(format!("exec: {wrong}"))];
    assert!(results.eq(expected.iter().zip([&value!("0"), &value!("0"), &value!("1")])), "{report:#}");
}

#[test]
fn options_for_one_codec_are_refused() {
    let two = ["--codec", "bulk", "--codec", "single", "0..=9"];
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    let file = file.to_str().expect("text");
    for (arguments, code, words) in [
        (&["--checkpoint", file][..], 2, "--checkpoint: not available with several codecs"),
        (&["--shard", "1/2"], 2, "--shard: not available with several codecs"),
        (&["--status", file], 2, "--status: not available with several codecs"),
        (&["--http", "0"], 2, "--http: not available"),
        (&["--kernel", "x"], 2, "'x'"),
    ] {
        let output = program().args(two).args(arguments).output().expect("the program starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.contains(words) && output.stdout.is_empty(), "{arguments:?}: {message}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let arguments = ["--codec", "io", "--codec", "single", "--kernel", "scalar"];
    let output = program().args(arguments).output().expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("(codecs: io, single)") && output.stdout.is_empty(), "{message}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_reports_the_rounds_so_far() {
    let program = program()
        .args(["--codec", "bulk", "--codec", "single", "--exhaustive", "--json", "-", "--quiet"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    signals::wait_until_interrupts_are_handled(&program);
    signals::send("-INT", &program);
    let output = program.wait_with_output().expect("the program exits");
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["complete"], codecs(&report).len()), (&false.into(), 2));
    assert!(codecs(&report).iter().all(|compared| compared["report"]["ending"] == "interrupted"));
}
