//! The files of an earlier run: no run that fails leaves a report that says that it is complete.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::support::{document, err, in_folder, json_file, program, signals, sweep};
use crate::waiting::wait_for;

/// The files that a sweep has written, and the options for them.
struct Files(Vec<(&'static str, String)>);

impl Files {
    /// Writes the files of a complete sweep of `i16`. The reports are behind links, and readable by the
    /// user only.
    fn of_complete_sweep(path: &impl Fn(&str) -> String) -> Self {
        let options = ["--json", "--junit", "--status", "--failures", "--checkpoint"];
        let files = Self(options.map(|option| (option, path(&option[2..]))).into());
        for (_, file) in &files.0[..3] {
            let target = file.clone() + ".target";
            symlink(&target, file).unwrap();
            fs::write(&target, "").unwrap();
            fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let output = files.start(&["--type", "i16"]).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert_eq!(files.report("--json").unwrap()["complete"], true);
        for (option, file) in &files.0[..3] {
            assert!(fs::symlink_metadata(file).unwrap().is_symlink(), "{option}: the link stays");
            let mode = fs::metadata(file).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{option}: as that of the old file");
        }
        files
    }

    fn path(&self, option: &str) -> &str {
        &self.0.iter().find(|(name, _)| *name == option).unwrap().1
    }

    fn start(&self, arguments: &[&str]) -> Child {
        let mut command = program();
        command.args(arguments).args(self.0.iter().flat_map(|(option, file)| [option, &**file]));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn report(&self, option: &str) -> Option<Value> {
        let document = fs::read(self.path(option)).ok().map(|content| document(&content));
        document.map(|document| document.get("report").cloned().unwrap_or(document))
    }

    /// Checks that the reports have gone or say that they are not complete, and that the status says so.
    #[track_caller]
    fn assert_none_is_complete(&self) {
        let report = self.report("--json");
        assert!(report.as_ref().is_none_or(|report| report["complete"] == false), "{report:?}");
        let junit = fs::read_to_string(self.path("--junit")).unwrap_or_default();
        assert!(junit.is_empty() || junit.contains("<failure") || junit.contains("<error"), "{junit}");
        let status = self.report("--status").expect("a status");
        assert!(status.is_null() || status["complete"] == false, "{status}");
    }
}

#[test]
fn a_refused_run_leaves_no_report_of_an_earlier_one() {
    for (arguments, code) in [
        (&["--type", "i8"][..], 3), // another plan than that of the checkpoint
        (&["--type", "i16", "--exec", "/nonexistent"], 2),
        (&["--type", "i16", "--exec", "true", "--exec-timeout", "1s"], 2),
        (&["--type", "i16", "--codec", "bulk", "--codec", "single"], 2), // with a checkpoint
        (&["--type", "i16", "5..=4"], 2),
        (&["--type", "i16", "--replay", "/nonexistent"], 3),
        (&["bytes", "--len", "0"], 3),
        (&["bytes", "--decoder", "single", "--kernel", "scalar"], 2),
    ] {
        let path = in_folder();
        let files = Files::of_complete_sweep(&path);
        let kept = ["--failures", "--checkpoint"].map(|option| fs::read(files.path(option)).unwrap());
        let output = files.start(arguments).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", err(&output));
        files.assert_none_is_complete();
        for option in ["--json", "--junit"] {
            assert!(!Path::new(files.path(option)).exists(), "{arguments:?}: {option}");
        }
        let after = ["--failures", "--checkpoint"].map(|option| fs::read(files.path(option)).unwrap());
        assert_eq!(kept, after, "{arguments:?}: what was found stays");

        // The next run writes the same files.
        let output = files.start(&["--type", "i16"]).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", err(&output));
        assert_eq!(files.report("--json").unwrap()["complete"], true);
    }
}

#[test]
fn a_merge_without_reports_leaves_no_report_of_an_earlier_one() {
    let path = in_folder();
    let [one, all, junit] = ["one", "all", "junit"].map(&path);
    sweep(&["--type", "u8", "--json", &one]);
    assert_eq!(sweep(&["merge", &one, "--json", &all, "--junit", &junit]).status.code(), Some(0));
    assert_eq!(sweep(&["merge", &path("none"), "--json", &all, "--junit", &junit]).status.code(), Some(3));
    assert!(!Path::new(&all).exists());
    assert!(fs::read_to_string(&junit).unwrap().contains("<error"));
}

#[test]
fn arguments_that_are_not_understood_leave_all_files_as_they_are() {
    let path = in_folder();
    let files = Files::of_complete_sweep(&path);
    let contents = || files.0.iter().map(|(_, file)| fs::read(file).unwrap()).collect::<Vec<_>>();
    let before = contents();
    let junit = files.path("--junit").to_owned();
    for wrong in [&["--no-such-option"][..], &["--type", "i17"], &["--replay", &junit], &["--list"]] {
        let output = files.start(wrong).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(if wrong == ["--list"] { 0 } else { 2 }), "{}", err(&output));
        assert!(contents() == before, "{wrong:?}");
    }
}

#[test]
fn a_run_that_is_killed_or_interrupted_twice_leaves_no_complete_report() {
    for signal in [&["-KILL"][..], &["-TERM", "-TERM"]] {
        let path = in_folder();
        let files = Files::of_complete_sweep(&path);
        fs::remove_file(files.path("--checkpoint")).unwrap();
        let mut running = files.start(&["--exhaustive", "--time-limit", "10m"]);
        let is_running = |status: &Value| status["ending"] == "running" && status["values"] != "0";
        wait_for(|| files.report("--status").filter(is_running));
        signal.iter().for_each(|signal| signals::send(signal, &running));
        running.wait().unwrap();
        files.assert_none_is_complete();
        let checkpoint = json_file(files.path("--checkpoint"));
        assert_eq!(checkpoint["content"]["report"]["complete"], false);
    }
}
