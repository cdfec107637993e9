//! Two sweeps cannot use one checkpoint, and the lock for that is no file of the user.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(unix)]
use std::process::Command;

use every_input::{Checkpoint, Watch};

use crate::{Folder, exhaustive_in, right};

#[test]
fn a_file_beside_a_checkpoint_stays_unchanged() {
    let folder = Folder::new();
    for name in ["Cargo.lock", "real.lock", ".Cargo.lock"] {
        fs::write(folder.path(name), "of the user").unwrap();
    }
    #[cfg(unix)]
    symlink("real", folder.path("soft")).unwrap();
    let names: &[_] = if cfg!(unix) { &["Cargo", "soft"] } else { &["Cargo"] };
    for name in names {
        let mut checkpoint = Checkpoint::open(&folder.path(name)).unwrap();
        exhaustive_in::<i64>(0..=5).run_watched(&right(), &Watch::new(), Some(&mut checkpoint)).unwrap();
    }
    for name in ["Cargo.lock", "real.lock", ".Cargo.lock"] {
        assert_eq!(fs::read_to_string(folder.path(name)).unwrap(), "of the user", "{name}");
    }
}

#[test]
fn a_file_that_is_no_lock_is_neither_locked_nor_changed() {
    let folder = Folder::new();
    let [checkpoint, lock, other] = ["c", ".c.sweep-lock", "other"].map(|name| folder.path(name));
    assert_eq!(Checkpoint::lock_path(&checkpoint).unwrap().file_name(), lock.file_name());
    let refused = || {
        let message = Checkpoint::open(&checkpoint).err().expect("a file of the user").to_string();
        assert!(message.contains("is not a lock of this program; move that file away"), "{message}");
    };
    for content in ["of the user", "process one", "\u{ff}"] {
        fs::write(&lock, content).unwrap();
        refused();
        assert_eq!(fs::read_to_string(&lock).unwrap(), content);
    }
    fs::remove_file(&lock).unwrap();
    #[cfg(unix)]
    {
        for is_dangling in [false, true] {
            symlink(&other, &lock).unwrap();
            if !is_dangling {
                fs::write(&other, "").unwrap();
            }
            refused();
            assert_eq!(fs::read(&other).is_err(), is_dangling);
            let _ = fs::remove_file(&other);
            fs::remove_file(&lock).unwrap();
        }
        assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success());
        refused();
        fs::remove_file(&lock).unwrap();
    }
    // What a process that was killed or a power failure leaves.
    for content in ["", "process 7", "\0\0\0\0"] {
        fs::write(&lock, content).unwrap();
        assert!(Checkpoint::open(&checkpoint).is_ok(), "{content:?}");
    }
}

/// The hard links are made before the first save, and after each save, which replaces the file.
#[test]
#[cfg(unix)]
fn a_checkpoint_in_use_is_refused_by_all_its_names() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    let is_refused = |name| {
        let error = Checkpoint::open(&path(name)).err().map(|error| error.to_string());
        error.is_some_and(|error| error.contains("another sweep is using it"))
    };
    fs::write(path("c"), "").unwrap();
    fs::hard_link(path("c"), path("empty")).unwrap();
    symlink("c", path("soft")).unwrap();
    for link in ["first", "second"] {
        let mut checkpoint = Checkpoint::open(&path("c")).unwrap();
        assert!(is_refused("c") && is_refused("soft"));
        assert!(is_refused(if link == "first" { "empty" } else { "first" }));
        exhaustive_in::<i64>(0..=5).run_watched(&right(), &Watch::new(), Some(&mut checkpoint)).unwrap();
        if link == "first" {
            fs::hard_link(path("c"), path(link)).unwrap();
            assert!(is_refused(link), "a link of the saved checkpoint");
        }
    }
    for name in ["c", "soft", "first", "empty"] {
        assert!(!is_refused(name), "{name}: nobody uses it");
    }
}
