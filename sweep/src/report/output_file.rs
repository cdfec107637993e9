//! Output files that are written completely or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// An output file that is checked before the work and written during or after it, so that a bad path
/// fails early. An existing file of the same name stays unchanged until the end, and is then replaced
/// atomically. If this is dropped before it is finished, nothing is written.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A regular file, which a temporary file in the same folder replaces, and this temporary file.
    Replaced(Option<NamedTempFile>),
    /// A device or a pipe, which must not be replaced.
    Direct(File),
}

impl OutputFile {
    /// Checks that `path` can be written. Removes temporary files for `path` that processes left
    /// behind when they were killed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = Self::reopen(path)?;
        if matches!(file.target, Target::Replaced(_)) {
            // The temporary file is a test and is deleted at once, so that a process that is killed
            // during the work leaves nothing behind.
            drop(temporary_file(&file.path)?);
            remove_leftovers(&file.path);
        }
        Ok(file)
    }

    /// Does the same for a file that this process created before and writes at once. It creates no
    /// temporary file as a test and does not list the folder, which may have many files.
    pub(crate) fn reopen(path: &Path) -> io::Result<Self> {
        // A symbolic link stays; its target is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let target = match fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
            }
            Ok(found) if !found.is_file() => Target::Direct(OpenOptions::new().write(true).open(&path)?),
            found => {
                if found.is_ok() {
                    // A folder's permissions may allow replacing a file that is not writable.
                    OpenOptions::new().write(true).open(&path)?;
                }
                Target::Replaced(None)
            }
        };
        Ok(Self { path, target })
    }

    /// Writes the rest of the content, and replaces the file.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails. The previous content is then unchanged.
    pub fn finish(self, rest: &[u8]) -> io::Result<()> {
        self.replace(rest, true)
    }

    /// Finishes the file without waiting for the disk. Readers see the old content or the new one, but
    /// a power failure may lose both. It suits a file that is soon replaced again.
    pub(crate) fn finish_unsynced(self, rest: &[u8]) -> io::Result<()> {
        self.replace(rest, false)
    }

    fn replace(mut self, rest: &[u8], sync: bool) -> io::Result<()> {
        self.file()?.write_all(rest)?;
        let Target::Replaced(Some(file)) = self.target else { return Ok(()) };
        if sync {
            file.as_file().sync_all()?;
        }
        file.persist(&self.path)?;
        // Syncing the folder writes the rename to the disk. Windows cannot open a folder.
        #[cfg(unix)]
        if sync {
            File::open(folder(&self.path))?.sync_all()?;
        }
        Ok(())
    }

    fn file(&mut self) -> io::Result<&mut File> {
        match &mut self.target {
            Target::Direct(file) => Ok(file),
            Target::Replaced(Some(file)) => Ok(file.as_file_mut()),
            Target::Replaced(none) => Ok(none.insert(temporary_file(&self.path)?).as_file_mut()),
        }
    }
}

/// Writes a part of the content, without a buffer.
impl Write for OutputFile {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.file()?.write(content)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the folder of a file with this path.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file for `path` in the same folder, and locks it. The system releases the
/// lock when the process ends, even by a kill; a temporary file that can be locked is a leftover.
fn temporary_file(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    fs::metadata(folder)?; // a clearer error than that of the temporary file
    let prefix = prefix(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of an ordinary new file, reduced by the umask. Those of temporary files
        // exclude other users.
        let permissions =
            fs::metadata(path).map_or(fs::Permissions::from_mode(0o666), |found| found.permissions());
        builder.permissions(permissions);
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        match file.as_file().try_lock() {
            Ok(()) if file.path().exists() => return Ok(file),
            // A file system without locks, on which no leftovers are removed.
            Err(TryLockError::Error(_)) => return Ok(file),
            // Another process removed the file as a leftover before it was locked.
            Ok(()) | Err(TryLockError::WouldBlock) => {}
        }
    }
}

/// Temporary files are named `.NAME.`, this many letters and digits, and `.tmp`.
const RANDOM: usize = 6;
const SUFFIX: &str = ".tmp";

/// Returns the first part of the names of temporary files for `path`.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes temporary files for `path` that processes left behind when they were killed, but not
/// those that are being written. Errors are ignored, because leftovers do no harm.
pub(crate) fn remove_leftovers(path: &Path) {
    let prefix = prefix(path);
    let is_temporary = |name: &OsStr| {
        let name = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        name.and_then(|name| name.strip_suffix(SUFFIX.as_bytes()))
            .is_some_and(|random| random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric))
    };
    for entry in fs::read_dir(folder(path)).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Opened for writing, because NFS requires that for an exclusive lock.
            if let Ok(file) = OpenOptions::new().write(true).open(entry.path())
                && file.try_lock().is_ok()
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_content_stays_until_the_new_content_is_complete() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("report.json");
        fs::write(&path, "old")?;
        drop(OutputFile::create(&path)?);
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file during the work");
        let mut stream = OutputFile::create(&path)?;
        stream.write_all(b"ne")?;
        drop(stream);
        assert_eq!(fs::read_to_string(&path)?, "old");
        let mut stream = OutputFile::create(&path)?;
        stream.write_all(b"ne")?;
        stream.write_all(b"w")?;
        assert_eq!(fs::read_to_string(&path)?, "old");
        stream.finish(&[])?;
        assert_eq!(fs::read_to_string(&path)?, "new");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no temporary file is left");
        Ok(())
    }

    #[test]
    fn only_leftovers_of_the_same_file_are_removed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.json");
        let keep = [
            "a.json",
            ".a.json",
            ".a.jso.123456.tmp",
            ".b.a.json.123456.tmp",
            "a.json.123456.tmp",
            ".a.json..tmp",
            ".a.json.12345.tmp",
            ".a.json.1234.6.tmp",
        ];
        for name in keep.iter().chain(&[".a.json.123456.tmp", ".a.json.sLkpZp.tmp"]) {
            fs::write(folder.path().join(name), "")?;
        }
        drop(OutputFile::create(&path)?);
        let mut left: Vec<_> =
            fs::read_dir(folder.path())?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
        left.sort();
        let mut keep = keep.map(OsString::from);
        keep.sort();
        assert_eq!(left, keep);
        Ok(())
    }

    #[test]
    fn a_temporary_file_in_use_is_not_removed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.json");
        let mut used = temporary_file(&path)?;
        OutputFile::create(&path)?.finish(b"of another")?;
        used.write_all(b"its own")?;
        used.persist(&path)?;
        assert_eq!(fs::read_to_string(&path)?, "its own");
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }

    #[test]
    fn threads_can_write_the_same_file_concurrently() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        OutputFile::create(&path).unwrap().finish_unsynced(b"whole").unwrap();
                        assert_eq!(fs::read(&path).unwrap(), b"whole");
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn missing_folders_and_directories_are_refused() {
        assert!(OutputFile::create(Path::new("/no/such/folder/report.json")).is_err());
        assert!(OutputFile::create(&std::env::temp_dir()).is_err());
    }
}
