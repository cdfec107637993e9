//! The `ratios` program, on artificial results.

mod common;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use common::result;
use tempfile::TempDir;

/// Returns results of two kernels and two peers on two sets of 100 values.
fn results() -> TempDir {
    let dir = TempDir::new().unwrap();
    let add = |set: &str, contender: &str, samples: &[(f64, f64)]| {
        result(dir.path(), &format!("decode/u64/{set}"), contender, 100, samples);
    };
    // The second sample has the smallest time per iteration, although its total is greater.
    add("mix", "ours-avx2", &[(1.0, 90.0), (10.0, 500.0), (2.0, 180.0)]);
    add("mix", "ours-scalar", &[(1.0, 400.0)]);
    add("mix", "prost", &[(1.0, 300.0)]);
    add("mix", "plain", &[(1.0, 200.0)]);
    add("1B", "ours-avx2", &[(1.0, 50.0)]);
    add("1B", "ours-scalar", &[(1.0, 25.0)]);
    add("1B", "prost", &[(1.0, 100.0)]);
    dir
}

fn ratios(dir: &Path, arguments: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_ratios")).arg("--criterion").arg(dir).args(arguments).assert()
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn minimum_times_per_value_are_compared_with_the_best_peer() {
    let run = ratios(results().path(), &[]).success();
    let text = stdout(&run);
    let table = "\
### decode u64 (100 values)

|  | 1B | mix |
|---|--:|--:|
| best peer | prost 1.00 | plain 2.00 |
| ours-avx2 | 0.50 (2.0×) | **0.50 (4.0×)** |
| ours-scalar | **0.25 (4.0×)** | 4.00 (0.5×) |
";
    assert!(text.ends_with(table), "{text}");
    assert!(text.contains("minimum of 1 to 3 samples"), "{text}");
    assert!(text.contains("rustc"), "{text}");
    assert!(text.contains("`cargo run -p zigzag-varint-benches --bin ratios -- --criterion"), "{text}");
    assert_eq!(stderr(&run), "");
}

#[test]
fn every_peer_has_a_row_with_the_option_peers() {
    let text = stdout(&ratios(results().path(), &["--peers"]).success());
    assert!(text.ends_with("| plain | – | 2.00 |\n| prost | 1.00 | 3.00 |\n"), "{text}");
}

#[test]
fn sets_and_operations_have_the_order_of_the_suite() {
    let dir = TempDir::new().unwrap();
    for group in [
        "sweep/i64/MIN",
        "decode-calls/u64-mix/16",
        "decode-calls/u64-mix/2",
        "encode/u32/rand",
        "encode/u64/1e8",
    ] {
        result(dir.path(), group, "plain", 1, &[(1.0, 1.0)]);
    }
    let text = stdout(&ratios(dir.path(), &[]).success());
    let found: Vec<&str> =
        text.lines().filter(|line| line.starts_with("###") || line.starts_with("|  |")).collect();
    let expected = [
        "### encode u64 (1 values)",
        "|  | 1e8 |",
        "### encode u32 (1 values)",
        "|  | rand |",
        "### decode-calls u64-mix (1 values)",
        "|  | 2 | 16 |",
        "### sweep i64 (1 values)",
        "|  | MIN |",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_filter_is_an_operation_or_a_group() {
    let dir = results();
    result(dir.path(), "decode/u64-L1/mix", "plain", 100, &[(1.0, 1.0)]);
    result(dir.path(), "encode/u64/mix", "plain", 100, &[(1.0, 1.0)]);
    let headings = |arguments: &[&str]| {
        let text = stdout(&ratios(dir.path(), arguments).success());
        text.lines().filter(|line| line.starts_with("###")).count()
    };
    assert_eq!(headings(&[]), 3);
    assert_eq!(headings(&["decode"]), 2);
    assert_eq!(headings(&["decode/u64"]), 1);

    let text = stderr(&ratios(dir.path(), &["decode/u63"]).failure().code(2));
    assert!(text.contains("'decode/u63'") && text.contains("decode/u64-L1"), "{text}");
}

#[test]
fn invalid_and_unrelated_files_are_named_and_skipped() {
    let dir = results();
    let add = |group: &str, contender: &str, values: u64, samples: &[(f64, f64)]| {
        result(dir.path(), group, contender, values, samples);
    };
    add("somebody_elses", "bench", 1, &[(1.0, 1.0)]);
    add("decode/u64/no-values", "x", 0, &[(1.0, 1.0)]);
    add("decode/u64/no-samples", "x", 1, &[]);
    add("decode/u64/no-iterations", "x", 1, &[(0.0, 1.0)]);
    add("decode/u64/no-time", "x", 1, &[(1.0, 0.0)]);
    add("decode/u64/cut-short", "x", 1, &[(1.0, 1.0)]);
    fs::write(dir.path().join("decode_u64_cut-short/x/new/sample.json"), "{\"iters\": [1.0,").unwrap();
    fs::create_dir_all(dir.path().join("empty/new")).unwrap();
    fs::write(dir.path().join("notes.txt"), "not a folder").unwrap();

    let run = ratios(dir.path(), &[]).success();
    let text = stderr(&run);
    for name in
        ["somebody_elses", "no-values", "no-samples", "no-iterations", "no-time", "cut-short", "empty"]
    {
        let named = text.lines().filter(|line| line.starts_with("ratios: skipped ") && line.contains(name));
        assert_eq!(named.count(), 1, "{name}: {text}");
    }
    assert_eq!(text.lines().count(), 7, "{text}");
    assert_eq!(stdout(&run).matches("###").count(), 1);
}

#[test]
fn missing_results_name_the_remedy() {
    let dir = TempDir::new().unwrap();
    for missing in [dir.path().to_owned(), dir.path().join("nowhere")] {
        let text = stderr(&ratios(&missing, &[]).failure().code(3));
        assert!(
            text.contains(&missing.display().to_string()) && text.contains("run `cargo bench` first"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

#[test]
fn the_chart_names_kernels_and_sets() {
    let dir = results();
    let file = dir.path().join("speed.svg");
    ratios(dir.path(), &["--svg", file.to_str().unwrap()]).success();
    let svg = fs::read_to_string(file).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for text in ["avx2", "scalar", "mix", "1B", "4.0", "decode u64"] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
}

#[test]
fn an_unwritable_chart_is_named() {
    let dir = results();
    let file = dir.path().join("nowhere/speed.svg");
    let text = stderr(&ratios(dir.path(), &["--svg", file.to_str().unwrap()]).failure().code(3));
    assert!(text.contains(&format!("cannot write {}", file.display())), "{text}");
}
