//! Output files that are written completely or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
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
    /// Checks that `path` can be written.
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
        }
        Ok(file)
    }

    /// Does the same for a file that this process created before and writes at once. It creates no
    /// temporary file as a test.
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

/// Creates a temporary file for `path` in the same folder. It is named `.NAME.`, some letters and digits,
/// and `.tmp`.
fn temporary_file(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    fs::metadata(folder)?; // a clearer error than that of the temporary file
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of an ordinary new file, reduced by the umask. Those of temporary files
        // exclude other users.
        let permissions =
            fs::metadata(path).map_or(fs::Permissions::from_mode(0o666), |found| found.permissions());
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder)
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
}
