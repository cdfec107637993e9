//! Watching a long sweep: the status file and the log.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

#[cfg(unix)]
use crate::support::signals;
use crate::support::{assert_refused, document, program};
#[cfg(unix)]
use crate::waiting::wait_for;

/// Returns the content of a status file, if there is one. A file that is not complete JSON fails
/// the test.
fn status(path: &Path) -> Option<Value> {
    let text = fs::read(path).ok()?;
    Some(document(&text))
}

#[cfg(unix)]
#[test]
fn the_status_file_follows_the_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let (file, checkpoint) = (folder.path().join("status.json"), folder.path().join("checkpoint"));
    let mut child = program()
        .args(["--exhaustive", "--no-progress", "--status"])
        .arg(&file)
        .arg("--checkpoint")
        .arg(&checkpoint)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let running = wait_for(|| status(&file).filter(|status| status["report"]["by_length"]["10"].is_string()));
    let report = &running["report"];
    assert_eq!((&report["ending"], &running["of"]), (&"running".into(), &"18446744073709551616".into()));
    assert_eq!(running["pid"], child.id());
    for field in ["time", "part", "eta_seconds"] {
        assert!(!running[field].is_null(), "{field} in {running}");
    }
    assert_eq!(running["checkpoint"]["file"], fs::canonicalize(&checkpoint).unwrap().to_str().unwrap());
    assert!(running["checkpoint"]["saved"].is_string());

    let later = wait_for(|| status(&file).filter(|later| later["report"]["values"] != report["values"]));
    assert!(later["report"]["seconds"].as_f64() > report["seconds"].as_f64());

    signals::send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let ended = status(&file).unwrap();
    assert_eq!(ended["report"]["ending"], "interrupted");
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        3,
        "status, checkpoint, its lock, and no other file"
    );
}

#[cfg(unix)]
#[test]
fn a_log_has_what_is_checked_and_the_first_figure() {
    let mut child =
        program().arg("--exhaustive").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    // On a slow machine, no unit may be finished at first.
    let line = lines.find(|line| !line.starts_with("warning: ") && !line.contains(": 0 values, "));
    let line = line.expect("the progress");
    let (title, progress) = line.split_once(": ").expect("a title");
    assert!(title.starts_with("sweep of i64 by codec bulk, kernel "), "{line}");
    assert!(progress.contains(" values, ") && progress.contains("/s, 0 failures, "), "{line}");
    assert!(progress.ends_with(" years remaining"), "{line}");
    signals::send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn the_status_file_has_the_ending() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.json");
    let path = file.to_str().unwrap();
    let ended = |arguments: &[&str]| {
        let output = program().args(["--quiet", "--status", path]).args(arguments).output().unwrap();
        (status(&file).unwrap(), output.status.code())
    };
    let (complete, code) = ended(&["--type", "i16"]);
    assert_eq!((&complete["report"]["ending"], code), (&"complete".into(), Some(0)));
    assert_eq!(
        (&complete["report"]["values"], &complete["part"], &complete["of"]),
        (&"65536".into(), &1.0.into(), &"65536".into())
    );
    assert_eq!(complete["report"]["by_length"], serde_json::json!({"1": "128", "2": "16256", "3": "49152"}));

    let (failures, code) = ended(&["--codec", "article2015", "4611686018427387904..=4611686018427387904"]);
    assert_eq!((&failures["report"]["failures"], code), (&"1".into(), Some(1)));
    assert_eq!(failures["report"]["first_failures"][0]["value"], "4611686018427387904");

    let checkpoint = folder.path().join("checkpoint");
    let checkpoint = checkpoint.to_str().unwrap();
    ended(&["--type", "i16", "--checkpoint", checkpoint]);
    let (again, code) = ended(&["--type", "i16", "--checkpoint", checkpoint]);
    assert_eq!(
        (&again["report"]["ending"], &again["report"]["values"], code),
        (&"complete".into(), &"65536".into(), Some(0))
    );
    let (refused, code) = ended(&["--type", "i8", "--checkpoint", checkpoint]);
    assert_eq!((&refused["report"], code), (&Value::Null, Some(3)));
    assert!(refused["error"].as_str().unwrap().contains("another sweep"), "{refused}");
}

#[test]
#[cfg(unix)]
fn a_status_file_that_is_no_regular_file_is_refused() {
    assert_refused(&["--exhaustive", "--status", "/dev/null"], 3, &["/dev/null", "name a regular file"]);
}
