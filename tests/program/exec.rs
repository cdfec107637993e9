//! `sweep --exec`: children end with the sweep, need bounded memory, and unusable commands are
//! refused.

#[path = "../common/exec_child.rs"]
pub(crate) mod child;

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use self::child::{Witness, command};
use crate::support::signals::{send, send_to_group, wait_until_interrupts_are_handled};
use crate::support::{
    assert_refused, document, in_folder, json_file, out, program, program_in_limited_memory,
};
use crate::waiting::wait_for;

fn sweep(role: &str, witness: &Witness, arguments: &[&str]) -> Command {
    let mut sweep = program();
    sweep.args(["--exec", &witness.command(role), "--no-progress"]).args(arguments);
    sweep.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    sweep
}

#[test]
fn ctrl_c_does_not_interrupt_the_children() {
    let witness = Witness::new();
    let sweep = sweep("right", &witness, &["--exhaustive"]).spawn().expect("the program starts");
    wait_for(|| witness.is_held().then_some(()));
    wait_until_interrupts_are_handled(&sweep);
    sleep(Duration::from_millis(500)); // so that some values are swept, unless the machine is slow
    send_to_group("-INT", &sweep);
    let Output { status, stdout, .. } = sweep.wait_with_output().expect("the program exits");
    let text = String::from_utf8_lossy(&stdout);
    assert_eq!(status.code(), Some(130), "{text}");
    assert!(text.contains("INTERRUPTED: no failure in"), "{text}");
    witness.wait_until_free();
}

/// The child answers after the interrupt, so that it comes before the first block.
#[test]
fn an_interrupt_before_the_first_answer_ends_with_a_report() {
    let (witness, folder) = (Witness::new(), tempfile::tempdir().expect("a folder"));
    let (go, report) = (folder.path().join("go"), folder.path().join("report.json"));
    let late = format!(r#"sh -c 'while [ ! -e "$0" ]; do sleep 0.1; done; exec "$@"' '{}' "#, go.display());
    let mut sweep = program();
    sweep
        .args(["--exec", &(late + &witness.command("right")), "--exec-timeout", "1h", "--json"])
        .arg(&report);
    let mut sweep = sweep.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
    let mut lines = BufReader::new(sweep.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    wait_until_interrupts_are_handled(&sweep);
    send("-INT", &sweep);
    assert!(lines.any(|line| line.starts_with("interrupted: ")), "it is killed");
    std::fs::write(&go, "").expect("a file");
    assert_eq!(sweep.wait().expect("the program exits").code(), Some(130));
    let report = json_file(&report);
    assert_eq!((&report["ending"], &report["values"]), (&"interrupted".into(), &"0".into()));
    witness.wait_until_free();
}

#[test]
fn no_child_outlives_a_second_ctrl_c() {
    let witness = Witness::new();
    let mut sweep =
        sweep("always-hangs", &witness, &["--exec-timeout", "1h"]).spawn().expect("the program starts");
    wait_for(|| witness.is_held().then_some(()));
    wait_until_interrupts_are_handled(&sweep);
    sleep(Duration::from_millis(500)); // so that the first request is sent, unless the machine is slow
    while sweep.try_wait().expect("the program can be waited for").is_none() {
        send_to_group("-INT", &sweep);
        sleep(Duration::from_millis(200));
    }
    assert_eq!(sweep.wait().expect("the program can be waited for").code(), Some(130));
    witness.wait_until_free();
}

#[test]
fn children_of_a_killed_sweep_exit() {
    let witness = Witness::new();
    let mut sweep = sweep("right", &witness, &["--exhaustive"]).spawn().expect("the program starts");
    wait_for(|| witness.is_held().then_some(()));
    sweep.kill().expect("the program can be killed");
    sweep.wait().expect("the program can be waited for");
    witness.wait_until_free();
}

#[test]
fn the_report_has_the_exit_code_of_the_child() {
    let output = sweep("always-exits", &Witness::new(), &["--max-failures", "1000"]).output();
    let output = output.expect("the program starts");
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let words = "encode broke down: expected an answer, got end of the process (exit status: 3)";
    assert!(text.contains(words), "{text}");
    assert!(
        text.contains("stopped after 100 crashes of child processes, the limit (use --max-failures 0"),
        "{text}"
    );
}

#[test]
fn the_protocol_is_printed_with_its_programs_or_one_of_them() {
    let print = |arguments: &[&str]| program().arg("protocol").args(arguments).output().expect("it starts");
    let text = String::from_utf8(print(&[]).stdout).expect("UTF-8");
    let [(_, description), programs @ ..] = every_input::PROTOCOL;
    for (name, program) in programs {
        assert!(text.contains(program) && print(&[name]).stdout == program.as_bytes(), "{name}");
    }
    assert!(text.starts_with(description));
    assert_eq!(print(&["child.cobol"]).status.code(), Some(2));
}

/// The child accepts every overlong encoding.
#[test]
fn decoders_are_checked_as_lenient_or_canonical() {
    let arguments = ["bytes", "--exec", &command("right", 0), "--len", "1", "--exhaustive", "--json", "-"];
    let report = |more: &[&str]| {
        let output = program().args(arguments).args(more).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        document(&output.stdout)
    };
    let canonical = report(&["--canonical", "--type", "u16"]);
    assert_eq!(canonical["codec"], format!("exec: {} as u16, canonical", command("right", 0)));
    let first = &canonical["first_failures"][0];
    assert_eq!((&first["value"], &first["expected"]), (&"8000".into(), &"NonCanonical at byte 1".into()));
    // It does not check the limit of the tenth byte.
    let lenient = report(&[]);
    assert_eq!(lenient["codec"], format!("exec: {} as u64", command("right", 0)));
    assert_eq!(lenient["first_failures"][0]["value"], "80808080808080808002");
}

#[test]
fn functions_are_compared_with_a_reference() {
    let path = in_folder();
    let json = &*path("report.json");
    let (wrong, right) = (command("is-wrong", 2071), command("right", 0));
    let run = |function: &str, more: &[&str]| {
        let functions = ["--type", "i16", "--exec", function, "--reference", &right];
        let output = program().args(functions).args(more).output().expect("the program starts");
        (output.status.code(), out(&output))
    };
    let (code, text) = run(&wrong, &["2000..=2100", "--json", json]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("sweep of i16 by function exec: sh"), "{text}");
    assert!(text.contains("2071: wrong value: expected -2072, got 1799"), "{text}");
    let (code, text) = run(&right, &["--replay", json]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("OK: no failure in 1 value"), "{text}");
}

#[test]
fn unusable_commands_are_refused() {
    for (arguments, words) in [
        (&["--exec", "/no/such/program"][..], "--exec: cannot start '/no/such/program'"),
        (&["--exec", "true"], "does not answer the request \"enc i64\""),
        (&["--exec", "true", "--codec", "bulk"], "--exec: 'true' does not answer the request"),
        (&["--exec", "true", "--kernel", "scalar"], "--kernel"),
        (&["--exec-timeout", "1s"], "--exec <COMMAND>"),
        (&["--exec", "true", "--exec-timeout", "soon"], "soon"),
        (&["--exec", "true", "--exec-timeout", "0s"], "above zero"),
        (&["bytes", "--exec", "true"], "does not answer the request \"dec u64\""),
        (&["bytes", "--exec", "true", "--decoder", "bulk"], "cannot be used with"),
        (&["bytes", "--canonical"], "--exec <COMMAND>"),
        (&["--reference", "true"], "--exec <COMMAND>"),
        (&["--exec", "true", "--reference", "true", "--codec", "io"], "cannot be used with"),
        (&["--exec", "true", "--reference", "true"], "does not answer the request \"fun i64\""),
        (&["--exec", &command("right", 0), "--reference", "true"], "reference: 'true' does not"),
    ] {
        assert_refused(arguments, 2, &[words]);
    }
}

/// Without limits, such a child would fill the program's address space in a second.
#[test]
fn children_that_write_without_end_take_bounded_memory() {
    for (child, status, words) in [
        ("yes".to_owned(), 2, &["does not answer the request"][..]),
        // What comes after an answer may arrive so late that it is taken for the next one.
        (
            command("answers-without-end", 0),
            1,
            &["bytes or more after the answer", "got an answer of 2021161080 bytes"],
        ),
        // The last 64 KiB of it are shown.
        (command("complains-without-end", 0), 1, &["no answer within 3s; on stderr: xxx"]),
    ] {
        let arguments = ["--exec", &child, "--exec-timeout", "3s", "--no-progress", "5..=5"];
        let output = program_in_limited_memory().args(arguments).output().expect("the program starts");
        let text = String::from_utf8_lossy(if status == 2 { &output.stderr } else { &output.stdout });
        assert_eq!(output.status.code(), Some(status), "{child}: {text}");
        let known = words.iter().any(|words| text.contains(words));
        assert!(known && text.len() < 200_000, "{child}: none of {words:?} in {text}");
    }
}
