//! Removes the name of pprof-rs' temporary file from the temporary folder.
//!
//! pprof-rs always has a temporary file open, and creates the next one at the end of a profile. A
//! file with a name would remain if the process is killed, and the last one always. A file without
//! a name lasts as long as it is open. The standard library can list the open files of a process
//! only on Linux; on macOS the files remain.

use std::path::PathBuf;
use std::{fs, io};

/// An open temporary file without a name.
pub(super) struct UnnamedFile {
    /// Its former name.
    name: PathBuf,
    /// Its descriptor, as a path.
    descriptor: PathBuf,
}

/// Calls `create`, which leaves a temporary file of pprof-rs open, and removes the name of the file.
///
/// If the program has created other temporary files at the same time, it is unknown which file is
/// the one of pprof-rs. Then none loses its name, and no file is returned.
pub(super) fn without_name<T>(create: impl FnOnce() -> T) -> (T, Option<UnnamedFile>) {
    let before = empty_temporary_files();
    let result = create();
    let mut created = empty_temporary_files();
    created.retain(|file| !before.iter().any(|known| known.name == file.name));
    let only = if created.len() == 1 { created.pop() } else { None };
    (result, only.filter(|file| fs::remove_file(&file.name).is_ok()))
}

impl UnnamedFile {
    /// Calls `read`, which opens the file by its name. Until it returns, the name is a symbolic
    /// link to the open file.
    ///
    /// # Errors
    ///
    /// Returns an error if the link cannot be created.
    pub(super) fn with_name<T>(&self, read: impl FnOnce() -> T) -> io::Result<T> {
        #[cfg(unix)]
        std::os::unix::fs::symlink(&self.descriptor, &self.name)?;
        let result = read();
        let _ = fs::remove_file(&self.name); // the profile is worth more than a clean folder
        Ok(result)
    }
}

/// Returns the empty files that this process has open and that the crate tempfile has named.
fn empty_temporary_files() -> Vec<UnnamedFile> {
    let Ok(open) = fs::read_dir("/proc/self/fd") else { return vec![] };
    let paths = open.flatten().filter_map(|entry| Some((entry.path(), fs::read_link(entry.path()).ok()?)));
    paths
        .map(|(descriptor, name)| UnnamedFile { name, descriptor })
        .filter(|file| file.name.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".tmp")))
        .filter(|file| file.name.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() == 0))
        .collect()
}
