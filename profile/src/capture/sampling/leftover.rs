//! The file that pprof-rs leaves behind.
//!
//! With the end of a profile it makes the temporary file of the next one, and with the end of the
//! process that stays. Which files are open, the standard library can tell on Linux alone.

use std::fs;
use std::path::PathBuf;

/// Dropped after the sampling has ended, removes that file.
pub(super) struct Leftover {
    before: Vec<PathBuf>,
}

impl Leftover {
    /// Made while the sampling goes on.
    pub(super) fn expect() -> Self {
        Self { before: empty_temporary_files() }
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        let mut since = empty_temporary_files();
        since.retain(|file| !self.before.contains(file));
        // Where the program has opened others meanwhile, nothing tells which it is: they all stay.
        if let [file] = &since[..] {
            let _ = fs::remove_file(file); // a file too many is no reason to lose the profile
        }
    }
}

/// Of this process, by the names that the crate tempfile gives.
fn empty_temporary_files() -> Vec<PathBuf> {
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return vec![] };
    let files = open.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    files
        .filter(|file| file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".tmp")))
        .filter(|file| file.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() == 0))
        .collect()
}
