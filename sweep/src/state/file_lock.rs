//! Locks a checkpoint file by a second file, so that two sweeps cannot use the same checkpoint.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Resolves the symbolic links of a path, whether the file exists or not, so that two names of a
/// file have the same lock.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("not the name of a file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(name))
}

/// Returns the path of the file that locks another one.
pub(crate) fn lock_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// A locked file, which is unlocked on drop.
///
/// Closing the file is not enough: a child process that is being started inherits the file, and
/// with it the lock, until its program runs.
#[derive(Debug)]
pub(crate) struct FileLock(File);

impl Drop for FileLock {
    fn drop(&mut self) {
        let _ = self.0.unlock(); // if this fails, closing the file still unlocks it
    }
}

/// Locks a file for this process.
///
/// # Errors
///
/// Returns the problem and the remedy.
pub(crate) fn lock(path: &Path) -> Result<FileLock, (String, &'static str)> {
    let failed =
        |error: io::Error| (format!("cannot be locked ({error})"), "name a file in a writable folder");
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(lock_path(path))
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.take(100).read_to_string(&mut holder); // only used in the message
            let holder = holder.trim().trim_matches(char::from(0));
            return Err((
                format!("another sweep is using it ({})", if holder.is_empty() { "unknown" } else { holder }),
                "wait until it ends, or name another file",
            ));
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    // Write the holder for the message of another sweep. The lock works without it.
    let _ = file.set_len(0).and_then(|()| write!(file, "process {}", std::process::id()));
    Ok(FileLock(file))
}
