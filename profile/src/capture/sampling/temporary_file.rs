//! Removes the temporary file that pprof-rs leaves in the temporary folder.
//!
//! At the end of a profile pprof-rs creates the file for the next one. That file remains when the
//! process ends. The standard library can list the open files of a process only on Linux.

use std::fs;
use std::path::PathBuf;

/// A guard that removes the file when it is dropped. It must be dropped after the sampling has
/// ended.
pub(super) struct RemoveTemporaryFile {
    before: Vec<PathBuf>,
}

impl RemoveTemporaryFile {
    /// Lists the temporary files that are open. Call this while samples are being taken.
    pub(super) fn prepare() -> Self {
        Self { before: empty_temporary_files() }
    }
}

impl Drop for RemoveTemporaryFile {
    fn drop(&mut self) {
        let mut created = empty_temporary_files();
        created.retain(|file| !self.before.contains(file));
        // If the program has created others in the meantime, it is unknown which file is the one of
        // pprof-rs. Then none is removed.
        if let [file] = &created[..] {
            let _ = fs::remove_file(file); // the profile is worth more than a clean folder
        }
    }
}

/// Returns the empty files that this process has open and that the crate tempfile has named.
fn empty_temporary_files() -> Vec<PathBuf> {
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return vec![] };
    let files = open.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    files
        .filter(|file| file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".tmp")))
        .filter(|file| file.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() == 0))
        .collect()
}
