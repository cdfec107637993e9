//! Checkpoints of sweeps that are killed, or run at the same time. `cli.rs` interrupts one.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use every_input::Checkpoint;

use crate::support::{json_file, program};

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

/// Sweeps 2,000,000,000 values and is killed at 10 random moments. `checks/campaign.py` kills more.
#[test]
fn a_sweep_killed_ten_times_reports_what_an_undisturbed_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let (file, report) = (folder.path().join("sweep.json"), folder.path().join("report.json"));
    let plan =
        ["-1_000_000_000..=999_999_999", "--exhaustive", "--quiet", "--json", report.to_str().unwrap()];
    let kept = ["--checkpoint", file.to_str().unwrap(), "--checkpoint-every", "20ms"];
    let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(std::process::id());
    let (mut resumed, mut before) = (0, 0);
    for _ in 0..10 {
        let mut child = sweep(&[&plan[..], &kept].concat()).spawn().unwrap();
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        thread::sleep(Duration::from_millis(random >> 33 & 127));
        child.kill().unwrap();
        child.wait().unwrap();
        if file.exists() {
            let values: u64 =
                json_file(&file)["content"]["report"]["values"].as_str().unwrap().parse().unwrap();
            assert!(values >= before, "{values} values after {before}: progress was lost");
            resumed += usize::from(values > before);
            before = values;
        }
    }
    // A killed sweep leaves such temporary files only if it is killed at the right moment, so the
    // test creates them.
    for name in [".sweep.json.aB3dE6.tmp", ".report.json.aB3dE6.tmp"] {
        fs::write(folder.path().join(name), "{").unwrap();
    }
    println!("killed 10 times, {resumed} times after some progress; {before} values were swept");
    assert_eq!(sweep(&[&plan[..], &kept].concat()).status().unwrap().code(), Some(0));
    let disturbed = json_file(&report);
    assert_eq!(sweep(&plan).status().unwrap().code(), Some(0));
    let undisturbed = json_file(&report);
    for field in ["complete", "plan", "covered", "values", "by_length", "failures", "fingerprint"] {
        assert_eq!(disturbed[field], undisturbed[field], "{field}");
    }
    assert_eq!(undisturbed["values"], "2000000000");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "checkpoint, lock and report, and no temporary file: {left:?}");
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
