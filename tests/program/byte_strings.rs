//! The options, reports and messages of `sweep bytes`.

use std::process::Output;

use zigzag_varint::Kernel;

use crate::support::{document, err, in_folder, program};

fn sweep(arguments: &[&str]) -> Output {
    program().arg("bytes").args(arguments).output().expect("the program starts")
}

#[test]
fn the_report_is_printed_as_text_and_json() {
    let decoders = ["--type", "u8,i16", "--decoder", "single,bulk", "--kernel", "scalar"];
    let output = sweep(&[&["--len", "1", "--exhaustive", "--json", "-"], &decoders[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    let report = document(&output.stdout);
    assert_eq!(report["type"], "byte strings of up to 1 bytes");
    assert_eq!(report["codec"], "single, bulk as u8, i16");
    assert_eq!((&report["kernel"], &report["complete"]), (&"scalar".into(), &true.into()));
    assert_eq!((&report["by_length"]["1"], &report["failures"]), (&"256".into(), &"0".into()));
    let text = err(&output);
    assert!(text.contains("sweep of byte strings of up to 1 bytes by decoders single, bulk "), "{text}");
    assert!(text.contains("OK: no failure in 1,155,205 strings, which is all of them"), "{text}");
}

#[test]
fn what_does_not_fit_the_budget_is_sampled() {
    let output = sweep(&["--budget", "0.001ms", "--type", "u8", "--decoder", "pieces", "--json", "-"]);
    assert_eq!(output.status.code(), Some(0));
    let report = document(&output.stdout);
    assert_eq!((&report["mode"], &report["strata"][0]["length"]), (&"sample".into(), &3.into()));
}

/// For `u32` and `u64`, a weekly check has longer strings.
#[test]
fn every_decoder_of_the_crate_is_correct_on_every_kernel() {
    let output = sweep(&["--len", "2", "--exhaustive", "--type", "u8,u16,i64", "--json", "-", "--quiet"]);
    let report = document(&output.stdout);
    assert_eq!((&report["failures"], &report["complete"]), (&"0".into(), &true.into()), "{report}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!((&report["by_length"]["2"], &report["values"]), (&"65536".into(), &"1220625".into()));
    let kernels: Vec<_> = Kernel::available().map(Kernel::name).collect();
    assert_eq!(report["kernel"], kernels.join(", "));
    let decoders = "bulk, free, single, reader, decoder, pieces, chunks, io, bulk-io as u8, u16, i64";
    assert_eq!(report["codec"], decoders);
}

#[test]
fn a_list_of_failures_can_be_checked_again() {
    let record = |value: &str| {
        format!(
            r#"{{"type":"byte strings of up to 2 bytes","codec":"decoders","value":"{value}","kind":"disagreement","expected":"","got":"","block":1}}"#
        )
    };
    let path = in_folder();
    let list = path("failures.jsonl");
    std::fs::write(&list, record("8000") + "\n" + &record("ff") + "\n").expect("a file");
    let replay =
        ["--len", "2", "--type", "u8", "--decoder", "single", "--quiet", "--json", "-", "--replay", &list];
    assert_eq!(document(&sweep(&replay).stdout)["values"], "2");
    let other = sweep(&["--len", "1", "--replay", &list]);
    assert_eq!(other.status.code(), Some(2));
    let words = "of byte strings of up to 2 bytes, not of byte strings of up to 1 bytes";
    assert!(err(&other).contains(words), "{}", err(&other));
}
