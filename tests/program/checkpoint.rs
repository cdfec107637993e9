//! Checkpoints of sweeps that run at the same time, or on several kernels. `checks/campaign.py` kills
//! sweeps, and `cli.rs` interrupts one.

use std::process::{Command, Output, Stdio};

use every_input::Checkpoint;

use crate::support::program;

fn sweep(arguments: &[&str]) -> Command {
    let mut command = program();
    command.args(arguments).args(["--no-progress"]).stdin(Stdio::null());
    command
}

fn code_and_message(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn two_sweeps_cannot_use_one_checkpoint_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sweep.json");
    let name = file.to_str().unwrap();
    let held = Checkpoint::open(&file).unwrap();
    let output = sweep(&["1..=9", "--checkpoint", name]).output().unwrap();
    let (code, message) = code_and_message(&output);
    assert_eq!(code, Some(3), "{message}");
    let holder = format!("process {}", std::process::id());
    assert!(message.contains("another sweep is using it") && message.contains(&holder), "{message}");
    drop(held);
    assert!(sweep(&["1..=9", "--checkpoint", name]).output().unwrap().status.success());
}

/// The kernel that is chosen automatically differs between the machines of a cluster.
#[test]
fn a_sweep_is_resumed_on_another_kernel_unless_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = |file: &str, kernel: &[&str]| {
        let file = folder.path().join(file);
        let arguments = [&["1..=9", "--checkpoint", file.to_str().unwrap()], kernel].concat();
        code_and_message(&sweep(&arguments).output().unwrap())
    };
    let scalar = ["--kernel", "scalar"];
    assert_eq!((run("a", &scalar).0, run("a", &[]).0, run("b", &[]).0), (Some(0), Some(0), Some(0)));
    let (code, message) = run("b", &scalar);
    assert!(code == Some(3) && message.contains("remove --kernel to resume it with any kernel"), "{message}");
}
