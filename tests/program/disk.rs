//! Full and read-only disks: the error is clear, and existing files are unchanged.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{err, program, sweep};

/// A small file system. Mounting it needs root.
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
        println!("skipped: only root can mount a tmpfs");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn make_read_only(&self) {
        let remount = Command::new("mount").args(["-o", "remount,ro"]).arg(self.path()).status();
        assert!(remount.unwrap().success());
    }

    /// Fills the disk to the last byte.
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

/// Leaves an unfinished checkpoint on the disk and returns its path and content.
fn unfinished_checkpoint(disk: &Disk) -> (String, Vec<u8>) {
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
    let message = err(output);
    assert_eq!(output.status.code(), Some(3), "{message}");
    for word in words {
        assert!(message.contains(word), "no {word:?} in {message}");
    }
}

#[test]
fn on_a_full_disk_the_old_checkpoint_is_kept() {
    let Some(disk) = Disk::mount() else { return };
    let (name, before) = unfinished_checkpoint(&disk);
    disk.fill();
    let output = sweep(&["--no-progress", "--exhaustive", "--checkpoint", &name]);
    assert_refused(&output, &["sweep.json", "No space left", "intact", "free some space"]);
    assert_eq!(fs::read(&name).unwrap(), before);
}

#[test]
fn on_a_read_only_disk_the_old_checkpoint_is_kept() {
    let Some(disk) = Disk::mount() else { return };
    let (name, before) = unfinished_checkpoint(&disk);
    disk.make_read_only();
    let output = sweep(&["--no-progress", "--exhaustive", "--checkpoint", &name]);
    assert_refused(&output, &["sweep.json", "Read-only", "in a writable folder"]);
    assert_eq!(fs::read(&name).unwrap(), before);
}
