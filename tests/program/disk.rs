//! A disk that is full or may not be written: a clear error, and what was there stays.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::program;

/// A small file system of its own, which needs the right to mount one.
struct Disk(tempfile::TempDir);

impl Disk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(folder.path())
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        println!("skipped: a tmpfs can be mounted by root alone");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn make_read_only(&self) {
        let remount = Command::new("mount").args(["-o", "remount,ro"]).arg(self.path()).status();
        assert!(remount.unwrap().success());
    }

    /// Leaves not a byte free.
    fn fill(&self) {
        let mut file = fs::File::create(self.path().join("filling")).unwrap();
        while file.write_all(&[0; 512]).is_ok() {}
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

fn sweep(arguments: &[&str]) -> Output {
    program().args(arguments).arg("--no-progress").output().unwrap()
}

/// An unfinished checkpoint on that disk.
fn begun(disk: &Disk) -> (String, Vec<u8>) {
    let file = disk.path().join("sweep.json");
    let name = file.to_str().unwrap().to_owned();
    let mut child = program()
        .args(["--exhaustive", "--quiet", "--checkpoint", &name, "--checkpoint-every", "20ms"])
        .spawn()
        .unwrap();
    while !file.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    let content = fs::read(&file).unwrap();
    (name, content)
}

#[track_caller]
fn assert_refused(output: &Output, words: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    for word in words {
        assert!(message.contains(word), "no {word:?} in {message}");
    }
}

#[test]
fn on_a_full_disk_the_old_checkpoint_stays_and_the_error_says_so() {
    let Some(disk) = Disk::mount() else { return };
    let (name, before) = begun(&disk);
    disk.fill();
    let output = sweep(&["--exhaustive", "--checkpoint", &name]);
    assert_refused(&output, &["sweep.json", "No space left", "intact", "free some space"]);
    assert_eq!(fs::read(&name).unwrap(), before);
}

#[test]
fn on_a_read_only_disk_the_old_checkpoint_stays_and_the_error_says_so() {
    let Some(disk) = Disk::mount() else { return };
    let (name, before) = begun(&disk);
    disk.make_read_only();
    let output = sweep(&["--exhaustive", "--checkpoint", &name]);
    assert_refused(&output, &["sweep.json", "Read-only", "may write to"]);
    assert_eq!(fs::read(&name).unwrap(), before);
}

#[test]
fn a_disk_that_fills_up_in_the_course_of_a_sweep_costs_the_checkpoint_and_not_the_report() {
    let Some(disk) = Disk::mount() else { return };
    let name = disk.path().join("sweep.json").to_str().unwrap().to_owned();
    let arguments = [
        "--type",
        "i32",
        "--exhaustive",
        "--no-progress",
        "--checkpoint",
        &name,
        "--checkpoint-every",
        "10ms",
    ];
    let child = program()
        .args(arguments)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !Path::new(&name).exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    disk.fill();
    let output = child.wait_with_output().unwrap();
    assert_refused(&output, &["warning: cannot save the checkpoint", "error: cannot save the checkpoint"]);
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(report.contains("OK: no failure in 4,294,967,296 values"), "{report}");
    // What it held before is a beginning of the same sweep, and the sweep goes on when there is
    // room.
    fs::remove_file(disk.path().join("filling")).unwrap();
    let output = sweep(&["--type", "i32", "--exhaustive", "--checkpoint", &name]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("OK: no failure in 4,294,967,296 values"));
}
