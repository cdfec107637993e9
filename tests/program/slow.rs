//! Sweeps with a child that takes 200 ms for each answer: they end when they are told to, and keep to
//! their budget. The bounds are a fraction of the answers to 262,144 values.

use std::process::{Command, Stdio};

use crate::exec::child::Witness;
use crate::support::signals::{send, wait_until_interrupts_are_handled};
use crate::support::{document, in_folder, json_file, out, program};
use crate::waiting::wait_for;

/// More answers than a sweep may wait for, on a slow machine.
const MANY: usize = 100;

fn sweep(witness: &Witness, arguments: &[&str]) -> Command {
    let mut sweep = program();
    sweep.args(["--exec", &witness.command("slow"), "--threads", "2", "--no-progress"]).args(arguments);
    sweep.stdout(Stdio::piped()).stderr(Stdio::piped());
    sweep
}

#[test]
fn sigterm_ends_a_sweep_with_the_answers_under_way() {
    let (witness, path) = (Witness::new(), in_folder());
    let arguments = ["--exhaustive", "--checkpoint", &path("checkpoint")];
    let sweep = sweep(&witness, &arguments).spawn().expect("the program starts");
    wait_until_interrupts_are_handled(&sweep);
    wait_for(|| (witness.answers() > 10).then_some(()));
    let before = witness.answers();
    send("-TERM", &sweep);
    let output = sweep.wait_with_output().expect("the program exits");
    let text = out(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("INTERRUPTED: no failure in "), "{text}");
    let after = witness.answers() - before;
    assert!(after < MANY, "{after} answers after the signal");
    let saved = &json_file(path("checkpoint"))["content"]["report"]["values"];
    assert_ne!(saved, "0");
}

#[test]
fn a_time_limit_ends_a_sweep_with_the_answers_under_way() {
    let witness = Witness::new();
    let output = sweep(&witness, &["--exhaustive", "--time-limit", "1s", "--json", "-"]).output();
    let output = output.expect("the program starts");
    let report = document(&output.stdout);
    assert_eq!((output.status.code(), &report["ending"]), (Some(124), &"time_limit".into()));
    assert!(witness.answers() < MANY, "{} answers", witness.answers());
    assert_ne!(report["values"], "0");
}

#[test]
fn a_budget_takes_fewer_boundaries_of_a_slow_child_and_the_report_says_so() {
    let (witness, path) = (Witness::new(), in_folder());
    let output = sweep(&witness, &["--budget", "2s", "--json", &path("json"), "1..=60_000_000_000"]).output();
    let output = output.expect("the program starts");
    let (text, report) = (out(&output), json_file(path("json")));
    assert_eq!((output.status.code(), &report["ending"]), (Some(0), &"complete".into()), "{text}");
    assert!(witness.answers() < MANY, "{} answers", witness.answers());
    let words = match report["neighbours"].as_u64().expect("not all boundaries") {
        0 => "(not all boundaries)".to_owned(),
        covered => format!("(boundaries, {covered} of 16,384 values on each side of them)"),
    };
    assert!(text.contains(&words), "{words:?} is not in {text}");
}
