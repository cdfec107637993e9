//! A lock beside a checkpoint file, so that two sweeps cannot use the same one.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Returns the file that a path leads to, whether it exists or not, so that two names for it have
/// one lock.
pub(crate) fn located(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(name))
}

/// A locked file, unlocked when this is dropped.
///
/// Closing the file is not enough: a child process that is being started has a copy of it, and with
/// it the lock, until its program runs.
#[derive(Debug)]
pub(crate) struct FileLock(File);

impl Drop for FileLock {
    fn drop(&mut self) {
        let _ = self.0.unlock(); // closing it is all that is left then
    }
}

/// Locks the file of that name for this process: the problem and the remedy if that fails.
pub(crate) fn lock(path: &Path) -> Result<FileLock, (String, &'static str)> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let failed = |error: io::Error| {
        (format!("cannot be locked ({error})"), "name a file in a folder that you may write to")
    };
    let mut file =
        File::options().read(true).write(true).create(true).truncate(false).open(name).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.take(100).read_to_string(&mut holder); // for the message alone
            let holder = holder.trim().trim_matches(char::from(0));
            return Err((
                format!("another sweep is using it ({})", if holder.is_empty() { "unknown" } else { holder }),
                "wait for that one to end, or name another file",
            ));
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    // Who has it, for the message of the next one; the lock holds without.
    let _ = file.set_len(0).and_then(|()| write!(file, "process {}", std::process::id()));
    Ok(FileLock(file))
}
