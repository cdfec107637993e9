//! Full and read-only disks: the error is clear, and existing files are unchanged.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

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

#[test]
fn on_a_full_or_read_only_disk_the_old_checkpoint_is_kept() {
    for (is_full, words) in [
        (true, &["sweep.json", "No space left", "intact", "free some space"][..]),
        (false, &["sweep.json", "Read-only", "in a writable folder"]),
    ] {
        let Some(disk) = Disk::mount() else { return };
        let (name, before) = unfinished_checkpoint(&disk);
        if is_full {
            disk.fill();
        } else {
            disk.make_read_only();
        }
        let output = sweep(&["--no-progress", "--exhaustive", "--checkpoint", &name]);
        let message = err(&output);
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(words.iter().all(|word| message.contains(word)), "not all of {words:?} in {message}");
        assert_eq!(fs::read(&name).unwrap(), before);
    }
}
