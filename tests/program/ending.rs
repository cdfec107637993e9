//! The values that failed in a sweep, and the files that it writes.

use std::fs;
use std::io::Write;
#[cfg(unix)]
use std::io::{self, BufRead, BufReader};
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
#[cfg(unix)]
use std::thread;

use crate::support::{assert_refused, err, in_folder, json, out, program, sweep};
#[cfg(unix)]
use crate::support::{document, program_in_limited_memory, signals};
#[cfg(unix)]
use crate::waiting::wait_for;

/// A range in which the codec of the article fails for 1,097 of 2,001 values.
const FAILING: &str = "4_611_686_018_427_387_000..=4_611_686_018_427_389_000";

#[test]
fn all_failures_are_written_to_a_file_and_can_be_replayed() {
    let path = in_folder();
    let (failures, report) = (path("failures.jsonl"), path("report.json"));
    let article = ["--codec", "article2015", "--max-failures", "0", FAILING];
    let output = sweep(&[&article[..], &["--failures", &failures, "--json", &report]].concat());
    assert_eq!(output.status.code(), Some(1));
    let lines = fs::read_to_string(&failures).unwrap();
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(lines.starts_with(r#"{"type":"i64","codec":"article2015","#), "{lines}");

    let (replayed, code) = json(&["--replay", &failures, "--max-failures", "0"]);
    assert_eq!((code, &replayed["failures"]), (Some(1), &"1097".into()));
    assert_eq!((&replayed["codec"], &replayed["values"]), (&"article2015".into(), &"1097".into()));
    let (fixed, code) = json(&["--replay", &failures, "--codec", "single"]);
    assert_eq!((code, &fixed["values"]), (Some(0), &"1097".into()));

    // A report has only the first failures, as ranges.
    let content = fs::read_to_string(&report).unwrap();
    fs::write(&report, content.replace("\"failures\": \"1097\"", "\"failures\": \"1100\"")).unwrap();
    let output = sweep(&["--replay", &report, "--max-failures", "0"]);
    assert!(err(&output).contains("does not list 3 of its failures"), "{}", err(&output));
    assert!(out(&output).contains("FAILED: 1,097 failures in 1,097 values"), "{}", out(&output));

    let refused = |arguments: &[&str], code, words: &str| assert_refused(arguments, code, &[words]);
    refused(&["--replay", &failures, "--type", "u8"], 2, "the failures are of the type i64; remove --type");
    refused(&["--replay", &failures, "1..=2"], 2, "--replay");
    refused(&["--replay", &path("none")], 3, "cannot be read");
    fs::write(path("none"), "").unwrap();
    refused(&["--replay", &path("none")], 3, "lists no failures; name the report or list of a sweep");
    fs::write(path("u8"), lines.replace("i64", "u8")).unwrap();
    refused(&["--replay", &path("u8"), "--codec", "single"], 3, "is not one of u8");
    // No command of a file is run.
    let command = format!("exec: touch {}", path("touched"));
    fs::write(path("exec"), lines.replace("article2015", &command)).unwrap();
    refused(&["--replay", &path("exec")], 2, "give --exec again, or add --codec");
    let line =
        r#"{"type":"byte strings of up to 3 bytes","codec":"CODEC","value":"05","kind":"disagreement","#;
    let line = line.replace("CODEC", &command) + r#""expected":"value 5","got":"value 6","block":1}"#;
    fs::write(path("strings"), line).unwrap();
    refused(&["bytes", "--replay", &path("strings")], 2, "give --exec again, or add --decoder");
    assert!(!Path::new(&path("touched")).exists());
}

#[test]
fn a_replay_is_divided_into_shards_that_merge_to_the_whole() {
    let path = in_folder();
    let list = path("list");
    let far = ["9_000_000_000_000_000_000..=9_000_000_000_000_000_099", FAILING];
    sweep(&[&["--codec", "article2015", "--max-failures", "0", "--failures", &list], &far[..]].concat());
    let replay = ["--replay", &list, "--max-failures", "0"];
    let shards = ["1/2", "2/2"].map(|shard| {
        let (report, code) = json(&[&replay[..], &["--shard", shard]].concat());
        assert_eq!((code, &report["shard"]), (Some(1), &shard.into()));
        fs::write(path(&shard[..1]), report.to_string()).unwrap();
        report["values"].as_str().unwrap().parse::<u32>().unwrap()
    });
    assert_eq!((shards.iter().sum::<u32>(), shards.contains(&0)), (1197, false));
    let merged = sweep(&["merge", &path("1"), &path("2")]);
    assert!(out(&merged).contains("\nFAILED: 1,197 failures in 1,197 values"), "{}", out(&merged));
    assert_eq!(err(&merged), "");
}

/// Half of the draws fail, each alone.
#[cfg(unix)]
#[test]
fn half_a_million_failures_take_bounded_memory_and_are_read_again() {
    let path = in_folder();
    let (report, checkpoint) = (path("report.json"), path("checkpoint"));
    let article = ["--codec", "article2015", "--sample", "20M", "--seed", "1", "--max-failures", "500000"];
    let files = ["--json", &report, "--checkpoint", &checkpoint, "--failures", &path("list"), "--quiet"];
    let output = program_in_limited_memory().args(article).args(files).output().unwrap();
    assert_eq!((output.status.code(), &*err(&output)), (Some(1), ""));
    for file in [&report, &checkpoint] {
        let output = sweep(&["--replay", file, "--max-failures", "0"]);
        assert!(out(&output).contains("FAILED: "), "{}", err(&output));
        assert!(err(&output).contains("does not list"), "{}", err(&output));
    }
}

#[test]
fn outputs_and_inputs_must_be_different_files() {
    let path = in_folder();
    let (one, two) = (path("one"), path("two"));
    let (report, _) = json(&["--type", "u8"]);
    fs::write(&one, report.to_string()).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&one, path("soft")).unwrap();
    let before = fs::read(&one).unwrap();
    let refused = |arguments: &[&str]| assert_refused(arguments, 2, &["name the same file"]);
    refused(&["--json", &two, "--checkpoint", &two]);
    refused(&["--json", &two, "--status", &two]);
    refused(&["--failures", &two, "--json", &two]);
    refused(&["--junit", &two, "--json", &two]);
    refused(&["--json", &one, "--status", &one]);
    #[cfg(unix)]
    refused(&["--replay", &one, "--json", &path("soft")]);
    refused(&["merge", &one, "--json", &one]);
    #[cfg(unix)]
    refused(&["merge", &one, "--json", &path("soft")]);
    refused(&["--json", &two, "--checkpoint", &path("./two")]);
    #[cfg(feature = "profile")]
    {
        refused(&["profile", &one, "--svg", &one]);
        refused(&["--cpuprofile", &path("x.svg"), "--json", &path("x.svg")]);
    }
    assert_eq!(fs::read(&one).unwrap(), before);
    assert!(!Path::new(&two).exists());
    let devices = sweep(&["--type", "u8", "--json", "/dev/null", "--failures", "/dev/null", "--quiet"]);
    assert_eq!(devices.status.code(), Some(if cfg!(unix) { 0 } else { 3 }), "{}", err(&devices));
}

#[test]
fn each_output_can_be_standard_output() {
    let article = ["--codec", "article2015", "--max-failures", "0", FAILING];
    for (option, start) in [("--json", "{\n"), ("--junit", "<?xml"), ("--failures", "{\"type\":\"i64\"")] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("-"), "another file").unwrap();
        let output = program().args(article).args([option, "-"]).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(out(&output).starts_with(start) && !out(&output).contains("FAILED: "), "{}", out(&output));
        assert!(err(&output).contains("FAILED: 1,097 failures in 2,001 values"), "{}", err(&output));
        assert_eq!(fs::read_to_string(folder.path().join("-")).unwrap(), "another file");
        if option != "--junit" {
            let mut replay = program();
            replay
                .args(["--replay", "-", "--max-failures", "0"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped());
            let mut replay = replay.spawn().unwrap();
            replay.stdin.take().unwrap().write_all(&output.stdout).unwrap();
            let replayed = replay.wait_with_output().unwrap();
            assert!(out(&replayed).contains("FAILED: 1,097 failures in 1,097 values"), "{}", out(&replayed));
        }
    }
}

/// The pipe takes only a part of the report, so that its output is under way.
#[test]
#[cfg(unix)]
fn an_interrupt_while_outputs_are_written_leaves_them_whole() {
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("junit.xml");
    let single = |index: i64| format!("{0}..={0}", (1i64 << 62) + 10 * index);
    let mut failing = program();
    failing.args(["--codec", "article2015", "--max-failures", "1000", "--exhaustive"]);
    failing
        .args(["--json", "-", "--junit"])
        .arg(&junit)
        .args((0..900).map(single))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut failing = failing.spawn().unwrap();
    wait_for(|| junit.exists().then_some(()));
    signals::send("-INT", &failing);
    // Until its standard output is read, the program cannot end, so it has time for the message.
    let mut stderr = BufReader::new(failing.stderr.take().unwrap());
    let mut printed = String::new();
    while !printed.contains("interrupted: ") {
        assert_ne!(stderr.read_line(&mut printed).unwrap(), 0, "{printed}");
    }
    let rest = thread::spawn(move || io::copy(&mut stderr, &mut io::sink()));
    let output = failing.wait_with_output().unwrap();
    rest.join().unwrap().unwrap();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let report = document(&output.stdout);
    assert_eq!(report["first_failures"].as_array().unwrap().len(), 900);
}

#[test]
#[cfg(unix)]
fn a_limit_of_the_file_size_is_an_error_and_keeps_what_was_written() {
    let path = in_folder();
    let (report, checkpoint) = (path("r.json"), path("c"));
    fs::write(&report, "old").unwrap();
    let fails = |arguments: &[&str], words: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -f 1 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_sweep")]);
        shell.args(["--type", "i64", "--sample", "1000", "--quiet"]).args(arguments);
        let output = shell.output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", err(&output));
        assert!(err(&output).contains(words), "{}", err(&output));
    };
    fails(&["--json", &report], "cannot write the report");
    assert!(!Path::new(&report).exists(), "the report of an earlier run is no report of this one");
    fails(&["--checkpoint", &checkpoint], "cannot save the checkpoint");

    // The last line that fits is whole.
    let (list, failing) = (path("list"), (0..20).map(|index| (1i64 << 62) + 10 * index));
    let failing: Vec<_> = failing.map(|value| format!("{value}..={value}")).collect();
    let mut arguments = vec!["--codec", "article2015", "--max-failures", "0", "--failures", &list];
    arguments.extend(failing.iter().map(String::as_str));
    fails(&arguments, "the list of failures is not complete");
    let lines = fs::read_to_string(&list).unwrap();
    assert!(lines.starts_with('{') && lines.ends_with("}\n"), "{lines}");
}
