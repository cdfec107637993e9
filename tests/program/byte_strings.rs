//! The options, reports and messages of `sweep bytes`.

use std::process::Output;

use zigzag_varint::Kernel;

use crate::support::{assert_refused, document, err, in_folder, program};

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
    let refused = |arguments: &[&str], words: &str| {
        let output = sweep(&[arguments, &["--replay", &list]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(err(&output).contains(words), "{}", err(&output));
    };
    let single = ["--decoder", "single"];
    let words = "of byte strings of up to 2 bytes, not of byte strings of up to 1 bytes";
    refused(&[&single[..], &["--len", "1"]].concat(), words);
    refused(&[], "the failures are of the codec 'decoders', which is not built in; add --exec or --decoder");
    let words = "the unknown type 'byte strings of up to 2 bytes'; use `sweep bytes`";
    assert_refused(&["--replay", &list], 3, &[words]);
    std::fs::write(&list, record("05").replace("byte strings of up to 2 bytes", "i64")).expect("a file");
    refused(&single, "the failures are of i64, not of byte strings for decoders; leave out `bytes`");
}

#[test]
fn failures_are_checked_again_with_the_length_the_types_and_the_decoders_of_the_sweep() {
    let path = in_folder();
    let (report, list) = (path("report.json"), path("list"));
    let decoders = ["--type", "u8,i16", "--decoder", "single,pieces"];
    let output = sweep(&[&["--len", "1", "--exhaustive", "--json", &report], &decoders[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    let before = document(&std::fs::read(&report).expect("a report"));
    let [value_type, codec] = ["type", "codec"].map(|key| before[key].as_str().expect("a text"));
    let failure = r#""value":"05","kind":"disagreement","expected":"","got":"","block":1}"#;
    let record = |codec: &str| format!(r#"{{"type":"{value_type}","codec":"{codec}",{failure}"#);
    let replay = |codec: &str, more: &[&str]| {
        std::fs::write(&list, record(codec)).expect("a file");
        let output = sweep(&[&["--json", "-", "--replay", &list], more].concat());
        let report = document(&output.stdout);
        assert_eq!((&report["type"], &report["values"]), (&value_type.into(), &"1".into()));
        report["codec"].as_str().expect("a name").to_owned()
    };
    assert_eq!(replay(codec, &[]), "single, pieces as u8, i16");
    assert_eq!(replay(codec, &["--decoder", "io"]), "io as u8, i16");
    assert_eq!(replay(codec, &["--type", "u32"]), "single, pieces as u32");
    #[cfg(unix)]
    {
        let child = crate::exec::child::command("right", 0);
        let exec = ["--exec", &child];
        for mode in ["", ", canonical"] {
            let codec = replay(&format!("exec: old as u16{mode}"), &exec);
            assert_eq!(codec, format!("exec: {child} as u16{mode}"));
        }
        assert_eq!(replay("single as i8", &exec), format!("exec: {child} as i8"));
    }
}
