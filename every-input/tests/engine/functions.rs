//! Sweeps of functions: any function of integers, floats and inputs of a space of one's own, against
//! a reference, and as one line of a test.

use std::collections::HashSet;
use std::env;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use every_input::merge::{FindingKind, merge};
use every_input::replay::Replay;
use every_input::{
    ByteString, ByteStrings, FailureKind, Interval, Mode, Report, Shard, Space, Status, Sweep, Ulps, Watch,
    agrees, all, exhaustive,
};

use crate::{Folder, ranges_of as ranges};

#[test]
fn nan_infinities_and_both_zeros_are_inputs() {
    let sweep = Sweep::of(all::<f32>()).exhaustive().max_failures(0);
    let report = sweep.report("is a number", &|x: f32| !x.is_nan()).unwrap();
    assert_eq!((report.values, report.failures), (1 << 32, 2 * ((1 << 23) - 1)));
    let nan = [("0xffffffff", Some("0xff800001")), ("0x7f800001", Some("0x7fffffff"))];
    assert_eq!(ranges(&report), nan);
    let sweep = exhaustive(-f32::MIN_POSITIVE..=f32::MIN_POSITIVE).max_failures(0);
    let zeros = sweep.report("no zero", &|x: f32| x != 0.0).unwrap();
    assert_eq!(ranges(&zeros), [("-0.0", Some("0.0"))]);
    let infinite = exhaustive(f64::MAX..=f64::INFINITY).report("finite", &f64::is_finite).unwrap();
    assert_eq!((infinite.values, ranges(&infinite)), (2, vec![("inf", None)]));
}

#[test]
fn the_worst_input_is_reported_on_any_number_of_threads_and_of_draws() {
    // Off by three units at one input, and by one at others.
    let function = |x: f32| {
        let off = if x.to_bits() == 0x3fa0_1234 { 3 } else { x.to_bits() % 1000 / 999 };
        f32::from_bits(x.to_bits() + off)
    };
    for threads in [1, 3] {
        let sweep = exhaustive(1.0f32..=1.5).threads(threads);
        let report = sweep.report("off", &agrees(function, f64::from, Ulps(3.0))).unwrap();
        let worst = report.worst.as_ref().expect("a deviation");
        let input = f32::from_bits(0x3fa0_1234).to_string();
        assert_eq!((report.failures, worst.deviation, &worst.value), (0, 3.0, &input));
        assert!(report.to_string().contains(&format!("worst deviation: 3.000 at {input}")), "{report}");
        let report = sweep.report("off", &agrees(function, f64::from, Ulps(2.9))).unwrap();
        assert_eq!(ranges(&report), [(&*input, None)]);
        assert!(report.first_failures[0].got.ends_with(", 3.000 away"), "{report:?}");
    }
    let drawn = Sweep::of(all::<f64>()).sample(Some(300_000));
    let report = drawn.report("half", &agrees(|x: f64| x, |x| x, Ulps(0.0))).unwrap();
    let deviation = report.worst.map(|worst| worst.deviation);
    assert_eq!((report.mode, report.failures, deviation), (Mode::Sample, 0, Some(0.0)));
}

#[test]
fn a_sample_of_floats_draws_from_each_class_of_exponents() {
    // The fault is rare among all floats, but common among those with its exponents.
    let check = |x: f64| !(1.0e-300..1.0e-290).contains(&x) || !x.to_bits().is_multiple_of(3);
    let report = Sweep::of(all::<f64>()).sample(Some(200_000)).report("rare", &check).unwrap();
    assert!(report.failures >= 10, "{}", report.failures);
    let report = Sweep::of(all::<f64>()).sample(Some(200_000)).report("right", &|_| true).unwrap();
    assert!(report.complete && report.strata.iter().all(|stratum| stratum.sampled > 0));
    let text = report.to_string();
    let (_, table) = text.split_once("\n\n").expect("a table");
    let heading: Vec<_> = table.lines().next().expect("a heading").split_whitespace().collect();
    assert_eq!(heading[..3], ["class", "values", "drawn"], "{text}");
    assert!(
        text.contains("+ 2^-15 to 2^0") && text.contains("confidence for all classes together"),
        "{text}"
    );
}

/// Numbers as pairs of the thousands and the rest. One of them cannot be made.
#[derive(Clone)]
struct Pairs {
    count: u128,
}

const BROKEN: u64 = (1 << 40) - 1;

impl Space for Pairs {
    type Item = (u64, u64);

    fn name(&self) -> String {
        "pairs".into()
    }

    fn count(&self) -> u128 {
        self.count
    }

    fn at(&self, number: u64) -> (u64, u64) {
        assert_ne!(number, BROKEN, "the last one");
        (number / 1000, number % 1000)
    }
}

/// The tests of spaces merge such reports.
#[test]
fn reports_of_a_space_of_ones_own_are_replayed_by_their_table() {
    let check = |(a, b): (u64, u64)| !(300..=600).contains(&a) && a * b != 91;
    let (folder, sweep) = (Folder::new(), exhaustive(Pairs { count: 1_000_000 }).max_failures(0));
    // The range is in several units.
    let whole = sweep.report("product", &check).unwrap();
    assert!(Report::junit(std::slice::from_ref(&whole)).contains("(13, 7) #13007"));
    assert!(ranges(&whole).contains(&("(300, 0) #300000", Some("(600, 999) #600999"))), "{whole:?}");
    let mut json = serde_json::to_value(&whole).unwrap();
    let replay = Replay::read(&folder.put("report", &json)).unwrap();
    let is_range = |range| range == Ok(Interval { first: 300_000, last: 600_999 });
    assert!(replay.values.iter().any(is_range), "{replay:?}");
    let again = sweep.clone().within(replay.values).report("product", &check).unwrap();
    assert_eq!((again.failures, ranges(&again)), (whole.failures, ranges(&whole)));

    json["space"]["classes"][0]["numbers"][0][0] = "1".into();
    let findings = merge(&[folder.put("report", &json)]).findings;
    assert!(findings[0].to_string().contains("its classes overlap"), "{findings:?}");
    let part = sweep.shard(Shard::new(2, 3).unwrap()).report("product", &check).unwrap();
    let missing = merge(&[folder.put("part", &part)]);
    let kinds: Vec<_> = missing.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::Gap, FindingKind::Shards]);
    let text = missing.to_string();
    assert!(text.contains("\nFAILED: ") && !text.contains("problems with the reports"), "{text}");
}

#[test]
fn spaces_may_have_one_number_or_every_number() {
    let one = exhaustive(Pairs { count: 1 }).report("never", &|_| false).unwrap();
    assert_eq!((one.values, ranges(&one)), (1, vec![("(0, 0) #0", None)]));
    let sample = Sweep::of(Pairs { count: 1 << 64 }).sample(Some(1000)).report("always", &|_| true).unwrap();
    assert_eq!((sample.complete, sample.strata[0].values), (true, 1 << 64));
}

#[test]
fn a_space_that_panics_ends_the_sweep_on_all_threads() {
    // The last input is an edge case.
    let sweep = exhaustive(Pairs { count: u128::from(BROKEN) + 1 }).threads(3);
    let swept = thread::spawn(move || sweep.report("panics", &|_| true));
    let panic = swept.join().expect_err("a panic");
    assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("the last one")));
}

#[test]
fn a_function_of_byte_strings_and_one_that_panics_are_checked() {
    let check = |bytes: ByteString| match &bytes[..] {
        [0xc3, 0x28] => panic!("not this one"),
        [first, .., last] => first.wrapping_sub(*last) != 7 || bytes.len() != 2,
        _ => true,
    };
    let report = exhaustive(ByteStrings::new(2)).max_failures(1000).report("bytes", &check).unwrap();
    assert_eq!(report.failures, 257);
    let panicked = report.first_failures.iter().find(|failure| failure.kind == FailureKind::Panic).unwrap();
    assert_eq!((&*panicked.value, &*panicked.got), ("c328", "panic: not this one"));
}

#[test]
fn failing_byte_strings_that_are_text_are_shown_as_text_too() {
    let check =
        |bytes: ByteString| !matches!(&bytes[..], b"ab" | b"z" | b"\x01" | [0xff, 0xfe] | [0xc3, 0x9f]);
    let watch = Watch::new();
    let report = exhaustive(ByteStrings::new(2)).report_watched("picky", &check, &watch, None).unwrap();
    let values: Vec<&str> = report.first_failures.iter().map(|failure| &*failure.value).collect();
    let hex = ["01", "7a", "6162", "c39f", "fffe"];
    assert_eq!(HashSet::from(hex), values.into_iter().collect());
    let texts = [hex[0], "7a \"z\"", "6162 \"ab\"", "c39f \"\u{df}\"", hex[4]];
    let document = Report::junit(std::slice::from_ref(&report)).replace("&quot;", "\"");
    for shown in [report.to_string(), document, Status::of(&watch).failures.join("\n")] {
        for text in texts {
            assert!(shown.contains(&format!("{text}: wrong value: expected true")), "{text} in {shown}");
        }
    }
    let range = |bytes: ByteString| bytes.len() != 1 || !bytes[0].is_ascii_lowercase();
    let report = exhaustive(ByteStrings::new(1)).report("picky", &range).unwrap();
    assert!(report.to_string().contains("  61 \"a\"..=7a \"z\" (26 inputs): wrong value"), "{report}");
}

#[test]
#[ignore = "other tests run it as a child process"]
fn one_line() {
    exhaustive(all::<i16>())
        .check(|x| if (-300..=-200).contains(&x) || x == 77 { Err("small") } else { Ok(()) });
}

#[test]
fn one_line_prints_ranges_and_a_line_that_checks_only_these() {
    let run = |only: Option<&str>| {
        let mut test = Command::new(env::current_exe().unwrap());
        test.args(["--exact", "functions::one_line", "--ignored", "--nocapture"]);
        if let Some(only) = only {
            test.env("SWEEP_ONLY", only);
        }
        let output = test.output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (passed, text) = run(None);
    let range = "-300..=-200 (101 inputs): wrong value: expected Ok, got small";
    assert!(!passed && text.contains(range), "{text}");
    let line = "to check only these: SWEEP_ONLY='-300..=-200 | 77' cargo test functions::one_line";
    assert!(text.contains(line), "{text}");
    let (passed, text) = run(Some("-300..=-200 | 77"));
    assert!(!passed && text.contains("FAILED: 102 failures in 102 values"), "{text}");
    assert!(run(Some("5..=70")).0);
    let (passed, text) = run(Some("x"));
    assert!(!passed && text.contains("SWEEP_ONLY: 'x' is not an input of i16"), "{text}");
    let (passed, text) = run(Some("5 | 70..=5"));
    assert!(!passed && text.contains("SWEEP_ONLY: '70..=5' is reversed; write the smaller bound"), "{text}");
}

#[test]
#[ignore = "other tests run it as a child process"]
fn slow_line() {
    Sweep::of(all::<u64>()).budget(Duration::from_secs(2)).check(|x| x.swap_bytes().swap_bytes() == x);
}

/// Returns the test above as a process of its own.
fn slow_line_as_a_process() -> Command {
    let mut test = Command::new(env::current_exe().unwrap());
    test.args(["--exact", "functions::slow_line", "--ignored"]).stdout(Stdio::null());
    test
}

#[test]
fn the_progress_of_one_line_is_printed_if_the_test_runner_does_not_hide_it() {
    let printed = |arguments: &[&str]| {
        let output = slow_line_as_a_process().args(arguments).output().unwrap();
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(printed(&[]), "");
    let text = printed(&["--nocapture"]);
    let line = text.lines().next().expect("a line");
    let (title, progress) = line.split_once(": ").expect("a title");
    assert_eq!(title, "sweep of u64 by function functions::slow_line");
    assert!(progress.contains(" %, ") && progress.ends_with(" remaining"), "{line}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_progress_of_one_line_is_drawn_on_a_terminal_even_if_the_test_runner_hides_what_is_printed() {
    let (lines, status) = crate::terminal::drawn_lines(slow_line_as_a_process(), 80);
    assert!(status.success(), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(" %, ") && line.ends_with(" remaining")), "{lines:?}");
    assert!(lines.iter().all(|line| line.len() <= 80), "{lines:?}");
}
