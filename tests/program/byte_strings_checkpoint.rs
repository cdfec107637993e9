//! Checkpoints and the status of `sweep bytes`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

#[cfg(unix)]
use crate::support::signals;
use crate::support::{json_file, program};
#[cfg(unix)]
use crate::waiting::wait_for;

/// The options of a check that takes some seconds.
const CHECK: [&str; 9] =
    ["--len", "2", "--exhaustive", "--type", "u8,u32", "--decoder", "single,free,io", "--threads", "2"];

fn bytes(arguments: &[&str]) -> Command {
    let mut command = program();
    command.args(["bytes", "--no-progress"]).args(arguments).stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    bytes(arguments).output().expect("the program starts")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the fields of a report that do not depend on interruptions.
fn result(report: &Value) -> Value {
    let fields = ["complete", "ending", "covered", "values", "by_length", "failures", "first_failures"];
    fields.into_iter().map(|field| report[field].clone()).collect()
}

struct Files {
    folder: tempfile::TempDir,
    checkpoint: PathBuf,
    status: PathBuf,
}

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let [checkpoint, status] = ["bytes.json", "status.json"].map(|name| folder.path().join(name));
        Self { folder, checkpoint, status }
    }

    fn checkpoint(&self) -> &str {
        self.checkpoint.to_str().expect("text")
    }
}

/// Returns the number of finished units in a checkpoint.
#[cfg(unix)]
fn finished(checkpoint: &Path) -> u64 {
    let content = json_file(checkpoint);
    let number = |text: &Value| text.as_str().and_then(|text| text.parse::<u64>().ok()).expect("a number");
    let units = content["content"]["state"]["finished"].as_array().expect("intervals");
    units.iter().map(|interval| number(&interval[1]) - number(&interval[0]) + 1).sum()
}

#[cfg(unix)]
#[test]
fn a_check_that_is_killed_and_interrupted_reports_what_an_undisturbed_one_does() {
    let files = Files::new();
    let kept = ["--checkpoint", files.checkpoint(), "--checkpoint-every", "5ms", "--json", "-"];
    let start = || {
        let mut command = bytes(&[&CHECK[..], &kept].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts")
    };
    let mut before = 0;
    for signal in ["-KILL", "-TERM", "-KILL", "-INT"] {
        let child = start();
        wait_for(|| (files.checkpoint.exists() && finished(&files.checkpoint) > before).then_some(()));
        signals::send(signal, &child);
        let ended = child.wait_with_output().expect("the program exits");
        let now = finished(&files.checkpoint);
        assert!(now > before, "progress was lost");
        before = now;
        if signal != "-KILL" {
            assert_eq!(ended.status.code(), Some(130));
            let report: Value = serde_json::from_slice(&ended.stdout).expect("JSON");
            assert_eq!(report["ending"], "interrupted");
            let saved = &json_file(&files.checkpoint)["content"]["report"]["covered"];
            assert_eq!(&report["covered"], saved, "all that is reported is saved");
        }
    }
    let resumed = output(&[&CHECK[..], &kept].concat());
    assert_eq!(resumed.status.code(), Some(0), "{}", message(&resumed));
    let resumed: Value = serde_json::from_slice(&resumed.stdout).expect("JSON");
    let undisturbed = output(&[&CHECK[..], &["--json", "-"]].concat());
    let undisturbed: Value = serde_json::from_slice(&undisturbed.stdout).expect("JSON");
    assert_eq!(result(&resumed), result(&undisturbed));

    let again = output(&[&CHECK[..], &kept].concat());
    assert_eq!(again.status.code(), Some(0));
    assert!(message(&again).contains("nothing to do: the checkpoint"), "{}", message(&again));
    let again: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!((result(&again), &again["seconds"]), (result(&resumed), &resumed["seconds"]));
    let left: Vec<_> = fs::read_dir(files.folder.path()).expect("the folder").collect();
    assert_eq!(left.len(), 2, "the checkpoint, its lock and no other file: {left:?}");
}

#[test]
fn files_of_other_sweeps_are_refused_and_left_unchanged() {
    let files = Files::new();
    let file = files.checkpoint();
    let small = [
        "--len",
        "0",
        "--exhaustive",
        "--type",
        "u8",
        "--decoder",
        "bulk",
        "--kernel",
        "scalar",
        "--checkpoint",
        file,
    ];
    fs::write(file, "").expect("an empty file is a new checkpoint");
    assert_eq!(output(&small).status.code(), Some(0));
    let before = fs::read(file).expect("the checkpoint");
    let refused = |output: Output, words: &str| {
        let message = message(&output);
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.contains(words) && message.contains("bytes.json"), "{message}");
        assert_eq!(fs::read(file).expect("the checkpoint"), before);
    };
    let with = |from: &str, to: &str| output(&small.map(|word| if word == from { to } else { word }));
    refused(with("0", "1"), "its type is byte strings of up to 0 bytes, not byte strings of up to 1 bytes");
    refused(with("u8", "u8,u16"), "its codec is bulk on scalar as u8, not bulk on scalar as u8, u16");
    refused(with("bulk", "bulk,io"), "its codec is bulk on scalar as u8, not bulk, io on scalar as u8");
    refused(with("scalar", "swar"), "its codec is bulk on scalar as u8, not bulk on swar as u8");
    let all_kernels: Vec<_> =
        small.into_iter().filter(|word| !["--kernel", "scalar"].contains(word)).collect();
    refused(output(&all_kernels), "its codec is bulk on scalar as u8, not bulk as u8");
    let values = program().args(["0..=9", "--no-progress", "--checkpoint", file]).output();
    refused(values.expect("the program starts"), "its type is byte strings of up to 0 bytes, not i64");
    assert_eq!(output(&small).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn the_status_file_follows_the_check_and_sigusr1_prints_the_progress() {
    use std::io::{BufRead, BufReader};

    let files = Files::new();
    let mut child =
        bytes(&["--len", "5", "--exhaustive", "--type", "u64", "--decoder", "single,const", "--status"])
            .arg(&files.status)
            .args(["--checkpoint", files.checkpoint()])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
    let status = || files.status.exists().then(|| json_file(&files.status));
    let running = wait_for(|| status().filter(|status| status["report"]["by_length"]["3"].is_string()));
    let report = &running["report"];
    assert_eq!(report["ending"], "running");
    assert_eq!(
        (&report["type"], &report["codec"]),
        (&"byte strings of up to 5 bytes".into(), &"single, const as u64".into())
    );
    assert!(running["eta_seconds"].is_f64() && report["values"] != "0" && running["pid"] == child.id());
    let file = fs::canonicalize(&files.checkpoint).expect("the checkpoint");
    assert_eq!(running["checkpoint"]["file"], file.to_str().expect("text"));
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok);
    signals::send("-USR1", &child);
    let line = lines.find(|line| !line.starts_with("warning: ")).expect("an answer");
    assert!(line.contains(" strings, ") && line.contains(" failures, "), "{line}");
    signals::send("-INT", &child);
    assert_eq!(child.wait().expect("the program exits").code(), Some(130));
    assert_eq!(status().expect("the status")["report"]["ending"], "interrupted");
}
