//! The program `history`, what it reads, and what is read from criterion's files.

use std::fs;
use std::process::Output;
use std::time::{Duration, SystemTime};

use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::{TempDir, tempdir};
use zigzag_varint_benches::history::{Run, machine, record};
use zigzag_varint_benches::results::{Group, Measurement, read};
use zigzag_varint_benches::table::tables;

fn measurement(set: &str, contender: &str, nanoseconds: f64, allocations: u32) -> Measurement {
    let group = Group::parse(&format!("decode/u64/{set}")).unwrap();
    Measurement { group, contender: contender.into(), values: 100, samples: 40, nanoseconds, allocations }
}

/// Returns a folder with a history of runs of codes, each with a benchmark that took this time.
fn history(runs: &[(&str, f64)]) -> TempDir {
    let folder = tempdir().unwrap();
    for (committed, (code, time)) in (1..).zip(runs) {
        let results = vec![measurement("mix", "ours-avx2", *time, 0), measurement("mix", "plain", 2.0, 0)];
        let run = Run { code: (*code).into(), committed, machine: machine(), results };
        record(&folder.path().join("history"), &run).unwrap();
    }
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    let file = folder.path().join("history");
    cargo_bin_cmd!("history").arg("--file").arg(file).args(arguments).output().unwrap()
}

/// Returns what the program prints without an error.
fn output(folder: &TempDir, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Checks the exit code of a failed run, and returns its message.
fn failure(folder: &TempDir, arguments: &[&str], code: i32) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_table_compares_our_best_with_the_best_peer_and_the_limit() {
    let results = [
        measurement("mix", "plain", 8.0, 0),
        measurement("mix", "memcpy", 0.25, 0),
        measurement("1B", "prost", 1.0, 3),
        measurement("mix", "prost", 4.0, 12),
        measurement("mix", "ours-scalar", 2.0, 0),
        measurement("1B", "ours-avx2", 0.5, 0),
        measurement("mix", "ours-avx2", 0.5, 0),
    ];
    let tables = tables(&results);
    let expected = "\
decode u64: nanoseconds per value, minimum of 40 samples; 100 values per operation
                        1B   mix
ours-avx2             0.50  0.50
ours-scalar              -  2.00
prost                 1.00  4.00
plain                    -  8.00
memcpy                   -  0.25
best peer / our best   2.0   8.0
our best / memcpy        -   2.0
prost allocations        3    12
";
    assert_eq!(tables[0].to_string(), expected);
    assert!(tables[0].figures().contains("\nfigure: decode u64=best peer / our best; 1B=2.0; mix=8.0\n"));
    assert_eq!(tables.len(), 1);
}

#[test]
fn the_last_commits_stand_side_by_side() {
    let (old, new) = ("a".repeat(40), format!("{}-dirty", "b".repeat(40)));
    let folder = history(&[(&old, 1.5), (&old, 1.25), (&new, 1.0)]);
    let text = output(&folder, &["show", "ours"]);
    let words: Vec<&str> = text.lines().skip(1).flat_map(str::split_whitespace).collect();
    let expected = "aaaaaaa bbbbbbb-dirty runs 2 1 decode/u64/mix/ours-avx2 1.250 1.000";
    assert_eq!(words.join(" "), expected);
    assert!(!output(&folder, &["show", "--last", "1"]).contains("aaaaaaa"));
    assert!(output(&folder, &["figures"]).contains("figure: decode u64=best peer / our best; mix=2.0\n"));
}

#[test]
fn a_difference_is_shown_if_the_runs_do_not_overlap() {
    for (a, b, expected) in [
        ([1.00, 1.01, 1.02, 1.03, 1.04], [1.04, 1.05, 1.06, 1.07, 1.08], "no difference shown"),
        ([1.00, 1.01, 1.02, 1.03, 1.04], [1.06, 1.05, 1.09, 1.07, 1.08], "slower"),
        ([1.06, 1.05, 1.09, 1.07, 1.08], [1.00, 1.01, 1.02, 1.03, 1.04], "faster"),
        ([1.0000; 5], [1.0001; 5], "no difference shown"),
    ] {
        let (a, b) = (a.map(|time| ("aaa", time)), b.map(|time| ("bbb", time)));
        let text = output(&history(&[a, b].concat()), &["compare", "a", "b", "ours"]);
        assert!(text.ends_with(&format!("  {expected}\n1 {expected}\n")), "{text}");
        let text = output(&history(&[&a[1..], &b].concat()), &["compare", "a", "b"]);
        assert!(text.contains("2 too few runs\n"), "{text}");
    }
}

#[test]
fn unknown_commits_and_results_are_named() {
    let folder = history(&[("aaa1", 1.0), ("aaa2", 1.0), ("bbb-dirty", 1.0)]);
    for name in ["ccc", "aaa", "bbb", ""] {
        let text = failure(&folder, &["compare", name, "aaa1"], 2);
        assert_eq!(
            text,
            format!("history: no results of a commit '{name}' (recorded: aaa1, aaa2, bbb-dirty)\n")
        );
    }
    assert!(failure(&folder, &["show", "nothing"], 3).contains("use another filter"));
    assert!(failure(&tempdir().unwrap(), &["show"], 3).contains("run `cargo bench` first"));
}

#[test]
fn files_that_are_no_history_are_refused_and_stay_as_they_are() {
    let folder = history(&[("aaa", 1.0)]);
    let file = folder.path().join("history");
    let text = fs::read_to_string(&file).unwrap() + "another line\n";
    fs::write(&file, &text).unwrap();
    let message = failure(&folder, &["show"], 3);
    assert!(
        message.contains("history: line 2 is no run (") && message.ends_with("; remove it\n"),
        "{message}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let new = Run { code: "new".into(), committed: 0, machine: machine(), results: vec![] };
    assert!(record(&file, &new).unwrap_err().to_string().contains("permissions"));
    assert!(failure(&folder, &["show"], 3).contains(&file.display().to_string()));
}

/// Writes a result of `decode/u64/mix/prost` as criterion does.
fn write(dir: &TempDir, samples: &str) {
    let new = dir.path().join("decode_u64_mix/prost/new");
    fs::create_dir_all(&new).unwrap();
    fs::write(new.join("sample.json"), samples).unwrap();
}

#[test]
fn the_minimum_time_per_value_is_read_from_the_files_of_criterion() {
    let dir = tempdir().unwrap();
    // The second sample has the smallest time per iteration, although its total is greater.
    write(&dir, r#"{"sampling_mode":"Flat","iters":[1.0,10.0,2.0],"times":[90.0,500.0,180.0]}"#);
    let benchmarks = ["prost", "plain"].map(|contender| measurement("mix", contender, 0.0, 7));
    let results = read(dir.path(), SystemTime::UNIX_EPOCH, &benchmarks).unwrap();
    assert_eq!(results, [Measurement { samples: 3, ..measurement("mix", "prost", 0.5, 7) }]);
    let later = SystemTime::now() + Duration::from_secs(60);
    assert_eq!(read(dir.path(), later, &benchmarks).unwrap(), []);

    write(&dir, "{\"iters\": [1.0,");
    let error = read(dir.path(), SystemTime::UNIX_EPOCH, &benchmarks).unwrap_err().to_string();
    assert!(error.contains("prost/new") && error.contains("remove criterion's folder"), "{error}");
}
