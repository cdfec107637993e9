//! `--regressions`: earlier failures are checked first, and new ones are added to a folder.

use std::fs;
use std::path::Path;

#[cfg(unix)]
use crate::exec::child::command;
use crate::support::{assert_refused, err, json, out, sweep};

/// A range in which the codec of the article fails for 1,097 of 2,001 values.
const FAILING: &str = "4_611_686_018_427_387_000..=4_611_686_018_427_389_000";

/// Returns the names of the files in a folder, with the number of their lines.
fn files(folder: &Path) -> Vec<(String, usize)> {
    let file = |entry: Result<fs::DirEntry, _>| {
        let path = entry.expect("readable").path();
        let lines = fs::read_to_string(&path).expect("text").lines().count();
        (path.file_name().expect("a name").to_string_lossy().into_owned(), lines)
    };
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(file).collect();
    files.sort();
    files
}

#[test]
fn each_of_several_codecs_has_a_file_and_fails_at_once_the_next_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("new/folder");
    let kept_text = kept.to_str().expect("text");
    let codecs = ["--codec", "article2015", "--codec", "single", "--regressions", kept_text];
    let (reports, code) = json(&[&codecs[..], &["--max-failures", "0", FAILING]].concat());
    assert_eq!(
        (code, &reports[0]["values"], &reports[1]["values"]),
        (Some(1), &"2001".into(), &"2001".into())
    );
    assert_eq!(files(&kept), [("i64-article2015-leb128.jsonl".to_owned(), 1)]);
    let (reports, code) = json(&[&codecs[..], &["--budget", "200ms"]].concat());
    assert_eq!((code, &reports[0]["ending"]), (Some(1), &"regressions".into()));
    assert_eq!((&reports[0]["values"], &reports[0]["exit_code"]), (&"1097".into(), &1.into()));
    assert_eq!((&reports[1]["ending"], &reports[1]["mode"]), (&"complete".into(), &"sample".into()));

    // The file can be replayed, with others.
    let file = kept.join("i64-article2015-leb128.jsonl");
    let other = folder.path().join("other");
    let content = fs::read_to_string(&file).expect("text");
    fs::write(&other, content.replace("4611686018427389000", "4611686018427389500")).expect("a file");
    let [one, two] = [&file, &other].map(|path| path.to_str().expect("text"));
    let (replayed, _) = json(&["--replay", one, "--codec", "single"]);
    let (several, _) = json(&["--replay", one, "--replay", two, "--codec", "single"]);
    let values =
        |report: &serde_json::Value| report["values"].as_str().and_then(|text| text.parse::<u64>().ok());
    assert!(values(&several) > values(&replayed), "{several:#} {replayed:#}");
    fs::write(&other, content.replace("article2015", "single")).expect("a file");
    let words = "has failures of several codecs, article2015 and single; check it alone";
    assert_refused(&["--replay", one, "--replay", two], 3, &[words]);

    // Its files are no outputs, and a command that is refused does not remove them.
    for option in ["--json", "--failures"] {
        assert_refused(
            &[&codecs[..], &[option, one]].concat(),
            2,
            &["--regressions and ", "name the same file"],
        );
        assert_eq!(fs::read_to_string(&file).expect("text"), content);
    }

    // Failures of another subject are never mixed with them.
    fs::write(&file, content.replace("article2015", "single")).expect("a file");
    let before = fs::read(&file).expect("a file");
    assert_refused(&codecs, 3, &["i64-article2015-leb128.jsonl", "restore the file, or remove it"]);
    assert_eq!(fs::read(&file).expect("a file"), before);
    assert_refused(&[&codecs[..], &["--replay", one]].concat(), 2, &["--regressions"]);
}

#[test]
fn more_than_a_thousand_ranges_are_announced() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().to_str().expect("text");
    let arguments = ["--codec", "article2015", "--max-failures", "0", "--regressions", kept];
    let output = sweep(&[&arguments[..], &["--sample", "200000", "--seed", "1"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    assert!(err(&output).contains("more failures were found than the 1,000 ranges in"), "{}", err(&output));
    // Some of them are neighbours.
    assert!((900..=1000).contains(&files(folder.path())[0].1));
}

#[cfg(unix)]
#[test]
fn byte_strings_functions_and_programs_have_files_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (wrong, right) = (command("is-wrong", 2071), command("right", 0));
    let kept = folder.path().join("kept");
    let kept_text = kept.to_str().expect("text");
    let strings = ["bytes", "--exec", &right, "--len", "1", "--exhaustive"];
    let function = ["function", "--type", "i16", "--exec", &wrong, "--reference", &right, "2000..=2100"];
    let near = command("is-wrong", 300);
    let codec = ["--exec", &near, "250..=350"];
    for (arguments, count) in [(&strings[..], 1), (&function, 2), (&codec, 3)] {
        let run = || {
            let options = ["--regressions", kept_text, "--json", "-"];
            let output = sweep(&[arguments, &options].concat());
            let report = serde_json::from_slice(&output.stdout);
            let report: serde_json::Value =
                report.unwrap_or_else(|error| panic!("{error}: {}", err(&output)));
            (report, output.status.code())
        };
        let (first, code) = run();
        assert_eq!((code, first["ending"] != "regressions"), (Some(1), true), "{first:#}");
        let (second, code) = run();
        assert_eq!((code, &second["ending"]), (Some(1), &"regressions".into()), "{second:#}");
        assert_eq!(files(&kept).len(), count);
    }
}
