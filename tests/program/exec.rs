//! `sweep --exec`: children live as long as the sweep, take bounded memory, and are refused where
//! they cannot serve.

#[path = "../common/exec_child.rs"]
mod child;

use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use self::child::{Witness, command};
use crate::support::signals::{send_to_group, wait_until_interrupts_are_handled};
use crate::support::{limited_memory, program};
use crate::waiting::wait_for;

fn sweep(role: &str, witness: &Witness, arguments: &[&str]) -> Command {
    let mut sweep = program();
    sweep.args(["--exec", &witness.command(role), "--no-progress"]).args(arguments);
    sweep.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    sweep
}

#[test]
fn ctrl_c_does_not_reach_the_children() {
    let witness = Witness::new();
    let sweep = sweep("right", &witness, &["--exhaustive"]).spawn().expect("it starts");
    wait_for(|| witness.is_held().then_some(()));
    wait_until_interrupts_are_handled(&sweep);
    sleep(Duration::from_millis(500)); // into the sweep itself, if it can be, which would take centuries
    send_to_group("-INT", &sweep);
    let Output { status, stdout, .. } = sweep.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&stdout);
    assert_eq!(status.code(), Some(130), "{text}");
    assert!(text.contains("INCOMPLETE: no failure in"), "{text}");
    witness.wait_until_free();
}

#[test]
fn no_child_outlives_a_second_ctrl_c() {
    let witness = Witness::new();
    let mut sweep = sweep("always-hangs", &witness, &["--exec-timeout", "1h"]).spawn().expect("it starts");
    wait_for(|| witness.is_held().then_some(()));
    wait_until_interrupts_are_handled(&sweep);
    sleep(Duration::from_millis(500)); // into the first request, if it can be
    while sweep.try_wait().expect("its status").is_none() {
        send_to_group("-INT", &sweep);
        sleep(Duration::from_millis(200));
    }
    assert_eq!(sweep.wait().expect("its status").code(), Some(130));
    witness.wait_until_free();
}

#[test]
fn children_see_the_end_of_a_killed_sweep() {
    let witness = Witness::new();
    let mut sweep = sweep("right", &witness, &["--exhaustive"]).spawn().expect("it starts");
    wait_for(|| witness.is_held().then_some(()));
    sweep.kill().expect("SIGKILL");
    sweep.wait().expect("its status");
    witness.wait_until_free();
}

#[test]
fn the_program_reports_exit_codes_and_the_name() {
    let witness = Witness::new();
    let output = sweep("right", &witness, &["1..=5000", "--json", "-"]).output().expect("it runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["codec"], format!("exec: {}", witness.command("right")));
    assert_eq!((output.status.code(), &report["values"]), (Some(0), &"5000".into()));

    let output = sweep("always-exits", &witness, &["--max-failures", "0"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let words = "encode broke down: expected an answer, got end of the process (exit status: 3)";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("stopped: the codec broke down too often"), "{text}");
}

#[test]
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
        let output = program().args(arguments).output().expect("it runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(words) && output.stdout.is_empty(), "{arguments:?}: {message}");
    }
}

/// A child could fill the program's address space in a second.
#[test]
fn children_that_write_without_end_take_bounded_memory() {
    for (child, status, words) in [
        ("yes".to_owned(), 2, "does not answer the greeting"),
        (command("answers-without-end", 0), 1, "output past the end of the answer"),
        (command("complains-without-end", 0), 1, "no answer within 1s; on stderr: xxx"),
    ] {
        let arguments = ["--exec", &child, "--exec-timeout", "1s", "--no-progress", "5..=5"];
        let output = limited_memory::program().args(arguments).output().expect("it runs");
        let said = String::from_utf8_lossy(if status == 2 { &output.stderr } else { &output.stdout });
        assert_eq!(output.status.code(), Some(status), "{child}: {said}");
        assert!(said.contains(words) && said.len() < 10_000, "{child}: no {words:?} in {said}");
    }
}
