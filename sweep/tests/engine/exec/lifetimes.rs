//! Children live as long as their sweep, and not a moment longer.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use varint_sweep::{Exec, Interval, Sweep};

use crate::signals::{send_to_group, wait_until_interrupts_are_handled};
use crate::{command, tests};

tests! {
    no_child_outlives_its_codec
    ctrl_c_does_not_reach_the_children
    no_child_outlives_a_second_ctrl_c
    children_see_the_end_of_a_killed_sweep
    the_program_reports_exit_codes_and_the_name
    the_program_refuses_commands_that_cannot_serve
}

const LONG: Duration = Duration::from_secs(60);

/// A file on which a child and all that it starts hold a lock while they live.
fn witness() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("witness");
    File::create(&path).expect("a file");
    (folder, path)
}

fn is_held(path: &Path) -> bool {
    File::open(path).expect("the witness").try_lock().is_err()
}

/// Waits for what comes soon, and gives up only when it certainly does not come.
#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONG, "{what}");
        sleep(Duration::from_millis(20));
    }
}

fn with_witness(role: &str, path: &Path) -> String {
    format!("{} '{}'", command(role, 0), path.display())
}

fn program(role: &str, path: &Path, arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sweep"));
    program.args(["--exec", &with_witness(role, path), "--no-progress"]).args(arguments);
    program.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    program
}

fn no_child_outlives_its_codec() {
    for role in ["right", "lingers", "has-a-child", "always-hangs", "always-exits"] {
        let (_folder, path) = witness();
        let codec =
            Exec::<i64>::start(&with_witness(role, &path), Duration::from_millis(700)).expect("it starts");
        assert!(is_held(&path), "{role}: the witness works");
        let plan = Interval { first: 1, last: 100_000 };
        let _ = Sweep::new().ranges([plan]).threads(3).max_failures(1).run(&codec).expect("a report");
        drop(codec);
        // Children are reaped, what they started dies on its own.
        wait_until(role, || !is_held(&path));
    }
}

fn ctrl_c_does_not_reach_the_children() {
    let (_folder, path) = witness();
    let sweep = program("right", &path, &["--exhaustive"]).spawn().expect("it starts");
    wait_until("a child lives", || is_held(&path));
    wait_until_interrupts_are_handled(&sweep);
    sleep(Duration::from_millis(500)); // into the sweep itself, if it can be, which would take centuries
    send_to_group("-INT", &sweep);
    let Output { status, stdout, .. } = sweep.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&stdout);
    assert_eq!(status.code(), Some(130), "{text}");
    assert!(text.contains("INCOMPLETE: no failure in"), "{text}");
    wait_until("no child is left", || !is_held(&path));
}

fn no_child_outlives_a_second_ctrl_c() {
    let (_folder, path) = witness();
    let mut sweep = program("always-hangs", &path, &["--exec-timeout", "1h"]).spawn().expect("it starts");
    wait_until("a child lives", || is_held(&path));
    wait_until_interrupts_are_handled(&sweep);
    sleep(Duration::from_millis(500)); // into the first request, if it can be
    while sweep.try_wait().expect("its status").is_none() {
        send_to_group("-INT", &sweep);
        sleep(Duration::from_millis(200));
    }
    assert_eq!(sweep.wait().expect("its status").code(), Some(130));
    wait_until("no child is left", || !is_held(&path));
}

fn children_see_the_end_of_a_killed_sweep() {
    let (_folder, path) = witness();
    let mut sweep = program("right", &path, &["--exhaustive"]).spawn().expect("it starts");
    wait_until("a child lives", || is_held(&path));
    sweep.kill().expect("SIGKILL");
    sweep.wait().expect("its status");
    wait_until("no child is left", || !is_held(&path));
}

fn the_program_reports_exit_codes_and_the_name() {
    let (_folder, path) = witness();
    let output = program("right", &path, &["1..=5000", "--json", "-"]).output().expect("it runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["codec"], format!("exec: {}", with_witness("right", &path)));
    assert_eq!((output.status.code(), &report["values"]), (Some(0), &"5000".into()));

    let output = program("always-exits", &path, &["--max-failures", "0"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("encode broke down: expected an answer, got it ended: exit status: 3"), "{text}");
    assert!(text.contains("stopped: the codec broke down too often"), "{text}");
}

fn the_program_refuses_commands_that_cannot_serve() {
    for (arguments, words) in [
        (&["--exec", "/no/such/program"][..], "--exec: cannot start '/no/such/program'"),
        (&["--exec", ""], "name a program"),
        (&["--exec", "true"], "does not answer the greeting"),
        (&["--exec", "true", "--codec", "bulk"], "--codec"),
        (&["--exec", "true", "--kernel", "scalar"], "--kernel"),
        (&["--exec-timeout", "1s"], "--exec <COMMAND>"),
        (&["--exec", "true", "--exec-timeout", "soon"], "soon"),
        (&["--exec", "true", "--exec-timeout", "0s"], "above zero"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_sweep")).args(arguments).output().expect("it runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(words) && output.stdout.is_empty(), "{arguments:?}: {message}");
    }
}
