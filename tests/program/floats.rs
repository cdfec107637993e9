//! `sweep --type f32`, `f64`, `f16` and `bf16`: functions of `--exec` on ranges and samples of floats,
//! by bytes or by units in the last place.

use serde_json::Value;

use crate::exec::child::command;
use crate::support::{assert_refused, document, err, in_folder, json, json_file, out, sweep};

/// Returns the options for a function with this role, of which the reference is right, or wide.
fn functions(role: &str, reference: &str) -> [String; 6] {
    let [function, reference] = [command(role, 3000), command(reference, 0)];
    ["--type", "f32", "--exec", &function, "--reference", &reference].map(str::to_owned)
}

fn words<'w>(functions: &'w [String; 6], more: &[&'w str]) -> Vec<&'w str> {
    functions.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

#[test]
fn ranges_are_of_floats_in_their_order() {
    let right = functions("right", "right");
    for (range, values) in [
        ("1.0..=1.0000004", "4"),
        ("-1e-44..1e-44", "15"),
        ("-0.0..=0.0", "2"),
        ("0x3f800000..0x3f800010", "16"),
        ("MAX..=inf", "2"),
        ("-inf..=MIN", "2"),
        ("0x7fffff00..", "256"),
        ("..-nan", "4194303"),
    ] {
        let more: &[&str] = if values.len() > 4 { &["--sample", "100"] } else { &[] };
        let (report, code) = json(&words(&right, &[&[range][..], more].concat()));
        assert_eq!(code, Some(0), "{range}: {report}");
        let plan = report["plan"].as_array().expect("a list");
        let count = |interval: &Value| {
            let number =
                |at: usize| interval[at].as_str().expect("a number").parse::<i128>().expect("a number");
            number(1) - number(0) + 1
        };
        assert_eq!(plan.iter().map(count).sum::<i128>().to_string(), values, "{range}");
    }
    for (range, problem) in [
        ("1.0..=-1.0", "is reversed"),
        ("1.0..1.0", "is empty"),
        ("0..=1e39", "'1e39' is not an f32; write it as 0.5"),
        ("zero..=one", "'zero' is not an f32"),
    ] {
        assert_refused(&words(&right, &[range]), 2, &[problem]);
    }
}

#[test]
fn floats_of_16_bits_are_checked_on_all_values_by_bytes_or_with_a_wider_reference() {
    let [right, wrong, wide] = ["right", "is-wrong", "wide"].map(|role| command(role, 3008));
    let run = |float: &str, [function, reference]: [&str; 2], more: &[&str]| {
        let functions = ["--type", float, "--exec", function, "--reference", reference];
        json(&[&functions[..], &["--exhaustive"], more].concat())
    };
    for float in ["f16", "bf16"] {
        let (same, code) = run(float, [&right, &right], &[]);
        assert_eq!(
            (code, &same["values"], &same["type"]),
            (Some(0), &"65536".into(), &float.into()),
            "{same}"
        );
    }
    let (report, code) = run("bf16", [&wrong, &right], &[]);
    let failure = &report["first_failures"][0];
    assert_eq!((code, &report["failures"], &failure["value"]), (Some(1), &"1".into(), &"3008.0".into()));
    assert_eq!(failure["got"], "1004.0 (0x447b), from the bits 0x453c");
    let (cut, code) = run("bf16", [&right, &wide], &["--ulps", "1", "0.0..=MAX"]);
    let worst = &cut["worst"]["deviation"];
    assert!(code == Some(0) && worst.as_f64().is_some_and(|worst| (0.6..1.0).contains(&worst)), "{cut}");
    assert!(cut["worst_by_class"].as_object().is_some_and(|classes| classes.len() == 255), "{cut}");
    for (float, range, problem) in [
        ("f16", "1.0..=MIN", "is reversed"),
        (
            "f16",
            "0..=1e5",
            "'1e5' is not an f16; write it as 0.5, -1e-3, 2^10, inf or nan, or its bits as 0x3c00",
        ),
        ("bf16", "0..=1e39", "'1e39' is not a bf16"),
    ] {
        let functions = ["--type", float, "--exec", &right, "--reference", &right, range];
        assert_refused(&functions, 2, &[problem]);
    }
}

#[test]
fn failures_are_floats_with_their_bits_and_are_replayed() {
    let path = in_folder();
    let [report, list] = ["report.json", "failures.jsonl"].map(&path);
    let wrong = functions("is-wrong", "right");
    let output = sweep(&words(&wrong, &["2999.5..=3000.5", "--json", &report, "--failures", &list]));
    assert_eq!(output.status.code(), Some(1));
    let line = "  3000.0: wrong value: expected 1000.0 (0x447a0000), got 1000.00006 (0x447a0001), from the bits \
                0x453b8000\n";
    assert!(out(&output).contains(line), "{}", out(&output));
    assert_eq!(json_file(&report)["type"], "f32");
    let without_type = &wrong.each_ref().map(String::as_str)[2..];
    for file in [&report, &list] {
        let (again, code) = json(&[without_type, &["--replay", file]].concat());
        assert_eq!((code, &again["values"], &again["failures"]), (Some(1), &"1".into(), &"1".into()));
        let (by_ulps, code) = json(&[without_type, &["--replay", file, "--ulps", "1"]].concat());
        assert_eq!((code, &by_ulps["worst"]["value"]), (Some(0), &"3000.0".into()), "{by_ulps}");
    }
    assert_refused(&["--replay", &report], 2, &["give --exec again"]);
}

#[test]
fn shards_and_checkpoints_of_floats_are_merged_with_the_worst_input() {
    let path = in_folder();
    let wide = functions("is-wrong", "wide");
    let run = |more: &[&str]| {
        // Four units of 2^18 floats and one more float, so that both shards have some.
        let arguments = ["2872.0..=3128.0", "--exhaustive", "--ulps", "2", "--no-progress"];
        json(&words(&wide, &[&arguments[..], more].concat()))
    };
    let (whole, code) = run(&[]);
    assert_eq!((code, &whole["worst"]["value"]), (Some(0), &"3000.0".into()), "{whole}");
    let files = ["1/2", "2/2"].map(|shard| {
        let (report, checkpoint) = (path(&format!("{}.json", &shard[..1])), path(&shard[..1]));
        for _ in 0..2 {
            let (part, code) = run(&["--shard", shard, "--checkpoint", &checkpoint]);
            assert_eq!(code, Some(0), "{part}");
            std::fs::write(&report, part.to_string()).expect("a file");
        }
        [report, checkpoint]
    });
    for at in [0, 1] {
        let output = sweep(&["merge", "--json", "-", &files[0][at], &files[1][at]]);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let merged = document(&output.stdout);
        for field in ["worst", "worst_by_class", "values", "by_length", "failures", "codec"] {
            assert_eq!(merged[field], whole[field], "{field}");
        }
    }
}

#[test]
fn floats_without_functions_and_units_without_floats_are_refused() {
    let right = command("right", 0);
    for (arguments, words) in [
        (
            &["--type", "f64"][..],
            "--type f64: floats are for functions of programs; add --exec and --reference",
        ),
        (&["--type", "f32", "--exec", &right], "add --exec and --reference"),
        (&["--ulps", "1"], "--reference <COMMAND>"),
        (&["--exec", &right, "--reference", &right, "--ulps", "1"], "--ulps: integers have no units"),
        (&["--type", "f32", "--exec", &right, "--reference", &right, "--ulps", "-1"], "unexpected argument"),
        (&["--type", "f32", "--exec", &right, "--reference", &right, "--ulps", "nan"], "such as 0.5 or 2"),
        (&["bytes", "--type", "f32"], "invalid value 'f32'"),
    ] {
        assert_refused(arguments, 2, &[words]);
    }
}
